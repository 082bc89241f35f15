"""JUnit's XML against the schema that Jenkins reads it with."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import xmlschema

from compile_lint.findings import FileError
from compile_lint.report import Run, render


@pytest.fixture(scope="module")
def schema():
    return xmlschema.XMLSchema(str(Path(__file__).with_name("data") / "junit-10.xsd"))


def _suites(run, schema):
    text = render(run, "junit", lambda path: None)
    schema.validate(text)
    suites = ET.fromstring(text)
    for suite in suites:
        assert int(suite.get("tests")) == len(suite)
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("errors")) == len(suite.findall("testcase/error"))
    assert int(suites.get("tests")) == sum(map(len, suites))
    return suites


def test_an_empty_run_has_a_test_that_passes(schema):
    suites = _suites(Run(files=1), schema)
    assert [(case.get("name"), len(case)) for case in suites.iter("testcase")] == [("No findings", 0)]


def test_a_suite_a_file_and_a_case_a_finding(finding, schema):
    run = Run((finding(), finding(line=5, end_line=5, confidence="likely"), finding(path="b.py")), files=3)
    suites = _suites(run, schema)
    assert [(suite.get("name"), suite.get("file"), len(suite)) for suite in suites] == [
        ("a.py", "a.py", 2),
        ("b.py", "b.py", 1),
    ]
    first, second = suites[0]
    assert first.get("name") == "CL101 tensor-branch 2:8"
    assert second.get("name") == "CL101 tensor-branch (likely) 5:8"
    failure = first.find("failure")
    assert failure.get("type") == "break"
    assert failure.get("message") == "`if` needs the value of `x > 0`, a tensor"
    assert failure.text == (
        "a.py:2:8: CL101 `if` needs the value of `x > 0`, a tensor\n"
        "why: `x` comes from `y.sum()`, line 1\n"
        "in: `Net.step`, reached from `Net.forward`\n"
        "instead: Use torch.where.\n\n    torch.where(a, b, c)"
    )


def test_errors(finding, schema):
    run = Run((finding(),), errors=(FileError("b.py", "cannot be read"), FileError("c.py", "left out", False)))
    suites = _suites(run, schema)
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("2", "1", "1")
    (case,) = suites[1]
    assert (case.get("name"), case.find("error").get("message")) == ("b.py", "cannot be read")


def test_awkward_paths_and_messages(awkward, schema):
    suites = _suites(awkward, schema)
    names = [suite.get("name") for suite in suites]
    assert {"sub/größe/模型.py", 'sub/a b/it\'s "q".py', "sub/`a`|<b>&[c](d).py"} < set(names)
    assert "sub/a\\x1b[31m\\u202e b.py" in names
    text = suites[0][0].find("failure").text.split("\n")
    assert text[0].endswith(": CL101 first `a|b` {x} fns[0](y)")
    assert text[1].startswith('second\\x1b[2J \\u202e <b> & "q" 100%')
