"""Findings in notebooks: forms for people name the cell, tools that know files alone are led to the first line."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from compile_lint.findings import EntryScore, Step
from compile_lint.report import Run, render


@pytest.fixture
def run(finding):
    steps = (Step("nb.ipynb", 2, 5, "annotated as `T`", cell=1), Step("a.py", 7, 1, "`y` is a tensor"))
    in_cell = finding(path="nb.ipynb", line=4, end_line=5, cell=3, steps=steps)
    other = finding(path="a.py")
    return Run(
        (other, in_cell),
        (EntryScore("fn", "nb.ipynb", 2, 50.0, 2, 8, cell=3),),
        50.0,
        fingerprints={other: "1" * 32, in_cell: "2" * 32},
    )


def said(run, form):
    return render(run, form, lambda path: ["x = 1", "y = 2"])


@pytest.mark.parametrize("form", ["text", "concise", "grouped", "markdown"])
def test_people_read_the_cell(run, form):
    assert "nb.ipynb:cell 3" in said(run, form)


def test_github(run):
    assert "file=nb.ipynb,line=1," in said(run, "github")
    assert "::cell 3, line 4: `if` needs" in said(run, "github")
    assert "file=a.py,line=2," in said(run, "github")


def test_gitlab_keeps_the_fingerprint(run):
    (_, issue) = json.loads(said(run, "gitlab"))
    assert issue["location"] == {"path": "nb.ipynb", "lines": {"begin": 1, "end": 1}}
    assert issue["description"].startswith("CL101: cell 3, line 4: ")
    assert issue["fingerprint"] == "2" * 32


def test_sarif(run):
    (log,) = json.loads(said(run, "sarif"))["runs"]
    result = log["results"][1]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2}, "no snippet of a cell"
    assert result["message"]["text"].startswith("cell 3, line 4: ")
    assert list(result["partialFingerprints"].values()) == ["2" * 32]
    first, second, _ = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert first["location"]["physicalLocation"]["region"]["startLine"] == 1
    assert first["location"]["message"]["text"] == "cell 1, line 2: annotated as `T`"
    assert second["location"]["physicalLocation"]["region"]["startLine"] == 7


@pytest.mark.parametrize("form", ["rdjson", "rdjsonl"])
def test_reviewdog(run, form):
    text = said(run, form)
    one = json.loads(text)["diagnostics"][1] if form == "rdjson" else json.loads(text.splitlines()[1])
    assert one["location"]["range"]["start"] == {"line": 1, "column": 1}
    assert one["message"].startswith("cell 3, line 4: ")


def test_junit(run):
    suite = ET.fromstring(said(run, "junit"))[1]
    assert suite.get("name") == "nb.ipynb"
    assert suite[0][0].get("message").startswith("cell 3, line 4: ")


def test_without_notebooks_nothing_changes(run):
    from compile_lint.report.notebooks import flat

    plain = replace(run, findings=run.findings[:1])
    assert flat(plain) is plain
