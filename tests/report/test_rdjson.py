"""Reviewdog's Diagnostic Format against the grammar of its documentation, proto/rdf/reviewdog.proto."""

import json

import jsonschema
import pytest

from compile_lint.findings import KINDS, Step
from compile_lint.report import Run, render


def _message(required, **properties):
    return {"type": "object", "required": required, "additionalProperties": False, "properties": properties}


TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 1}
POSITION = _message(["line", "column"], line=NUMBER, column=NUMBER)
LOCATION = _message(["path"], path=TEXT, range=_message(["start"], start=POSITION, end=POSITION))
SOURCE = _message(["name"], name={"const": "compile-lint"}, url=TEXT)
RELATED = _message(["location"], message=TEXT, location=LOCATION)
FIELDS = {
    "message": TEXT,
    "location": LOCATION,
    "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
    "source": SOURCE,
    "code": _message(["value"], value={"type": "string", "pattern": "^CL[0-9]+$"}, url=TEXT),
    "related_locations": {"type": "array", "items": RELATED},
}
DIAGNOSTIC = _message(["message", "location", "severity", "code"], **FIELDS)
RESULT = _message(["source", "diagnostics"], source=SOURCE, diagnostics={"type": "array", "items": DIAGNOSTIC})


def _result(run, lines_of):
    result = json.loads(render(run, "rdjson", lines_of))
    jsonschema.Draft202012Validator(RESULT).validate(result)
    return result["diagnostics"]


def test_a_diagnostic(finding, lines_of):
    assert _result(Run((finding(column=5, end_column=26, end_line=2),)), lines_of) == [
        {
            "message": "`if` needs the value of `x > 0`, a tensor\n"
            "Why: `x` comes from `y.sum()`, line 1\n"
            "Instead: Use torch.where.",
            # `é` takes two bytes and the letter after it four
            "location": {
                "path": "a.py",
                "range": {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 30}},
            },
            "severity": "WARNING",
            "code": {"value": "CL101"},
        }
    ]


def test_steps_are_related_locations(finding, lines_of):
    (one,) = _result(Run((finding(steps=(Step("b.py", 1, 12, "annotated as `T`"),)),)), lines_of)
    position = {"line": 1, "column": 16}
    assert one["related_locations"] == [
        {"message": "annotated as `T`", "location": {"path": "b.py", "range": {"start": position}}}
    ]


@pytest.mark.parametrize(
    ("kind", "severity"), list(zip(KINDS, ["ERROR", "ERROR", "WARNING", "WARNING", "INFO"], strict=True))
)
def test_severities(finding, lines_of, kind, severity):
    assert _result(Run((finding(kind=kind),)), lines_of)[0]["severity"] == severity


def test_a_file_that_is_gone(finding):
    assert _result(Run((finding(),)), lambda path: None)[0]["location"]["range"]["start"]["column"] == 8


def test_a_line_a_diagnostic(awkward, lines_of):
    lines = render(awkward, "rdjsonl", lines_of).splitlines()
    assert len(lines) == len(awkward.findings)
    validator = jsonschema.Draft202012Validator(_message([*DIAGNOSTIC["required"], "source"], **FIELDS))
    for line, whole in zip(lines, _result(awkward, lines_of), strict=True):
        one = json.loads(line)
        validator.validate(one)
        assert one == {**whole, "source": {"name": "compile-lint"}}


def test_awkward_paths_and_messages(awkward, lines_of):
    found = _result(awkward, lines_of)
    assert [one["location"]["path"] for one in found] == [f"sub/{one.path}" for one in awkward.findings]
    first, second, *_ = found[0]["message"].split("\n")
    assert (first, second[:16]) == ("first `a|b` {x} fns[0](y)", "second\\x1b[2J \\u")
