import json

import jsonschema
import pytest

from compile_lint import __version__
from compile_lint._data import json_schema
from compile_lint.findings import CONFIDENCES, KINDS, Deduction, EntryScore, FileError
from compile_lint.report import Run, render

SCHEMA = json.loads(json_schema().read_text(encoding="utf-8"))


def _document(run):
    document = json.loads(render(run, "json", lambda path: None))
    jsonschema.validate(document, SCHEMA, cls=jsonschema.Draft202012Validator)
    return document


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_empty():
    assert _document(Run(target_torch="2.13")) == {
        "version": 1,
        "tool": {"name": "compile-lint", "version": __version__},
        "target_torch": "2.13",
        "findings": [],
        "scores": [],
        "score": 100.0,
        "errors": [],
        "files": 0,
    }


def test_the_contract(finding):
    score = EntryScore("f", "a.py", 1, 62.5, 2, 8, (Deduction("CL101", 2, 37.5, "splits the graph"),))
    run = Run((finding(graph_break_ids=("GB0170",)),), (score,), 62.5, (FileError("b.py", "m"),), 2, "2.13", 4, 5)
    document = _document(run)
    assert document["findings"] == [
        {
            "code": "CL101",
            "name": "tensor-branch",
            "kind": "break",
            "confidence": "certain",
            "path": "a.py",
            "cell": None,
            "line": 2,
            "column": 8,
            "end_line": 2,
            "end_column": 13,
            "message": "`if` needs the value of `x > 0`, a tensor",
            "why": "`x` comes from `y.sum()`, line 1",
            "instead": "Use torch.where.\n\n    torch.where(a, b, c)",
            "function": "Net.step",
            "entry": "Net.forward",
            "in_loop": False,
            "frame_skipped": False,
            "graph_break_ids": ["GB0170"],
            "fix": None,
        }
    ]
    assert document["scores"] == [
        {
            "entry": "f",
            "path": "a.py",
            "cell": None,
            "line": 1,
            "score": 62.5,
            "graphs": 2,
            "ops": 8,
            "deductions": [{"code": "CL101", "cell": None, "line": 2, "points": 37.5, "reason": "splits the graph"}],
        }
    ]
    assert (document["score"], document["errors"], document["files"]) == (62.5, [{"path": "b.py", "message": "m"}], 2)


def test_the_schema_names_every_field_that_is_written(finding):
    run = Run(
        (finding(),),
        (EntryScore("f", "a.py", 1, 1.0, 1, 1, (Deduction("C", 1, 1.0, "r"),)),),
        1.0,
        (FileError("b", "m"),),
    )
    document = json.loads(render(run, "json", lambda path: None))
    parts = SCHEMA["$defs"]
    for written, described in (
        (document, SCHEMA),
        (document["findings"][0], parts["finding"]),
        (document["scores"][0], parts["score"]),
        (document["scores"][0]["deductions"][0], parts["score"]["properties"]["deductions"]["items"]),
        (document["errors"][0], SCHEMA["properties"]["errors"]["items"]),
    ):
        assert set(written) == set(described["properties"]) == set(described["required"])
    assert tuple(parts["finding"]["properties"]["kind"]["enum"]) == KINDS
    assert set(parts["finding"]["properties"]["confidence"]["enum"]) == set(CONFIDENCES)


@pytest.mark.parametrize(
    "wrong", [{"kind": "bad"}, {"line": 0}, {"confidence": "sure"}, {"code": "x"}, {"graph_break_ids": ("7",)}]
)
def test_the_schema_refuses(finding, wrong):
    with pytest.raises(jsonschema.ValidationError):
        _document(Run((finding(**wrong),), target_torch="2.13"))
