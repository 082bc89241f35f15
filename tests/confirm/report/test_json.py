"""The JSON report: valid against its schema whatever a target says, and read back as it was."""

import json

import jsonschema
import pytest

from compile_lint.confirm.observation import Explain, Place
from compile_lint.confirm.report import render
from compile_lint.confirm.report.as_json import json_schema
from compile_lint.confirm.report.read import read

SCHEMA = json.loads(json_schema().read_text(encoding="utf-8"))
SOURCE = "import torch\n\n\n@torch.compile\ndef fn(x):\n    if x.sum() > 0:\n        x = x + 1\n    return x\n"


def document(run):
    found = json.loads(render(run, "json"))
    jsonschema.validate(found, SCHEMA, cls=jsonschema.Draft202012Validator)
    return found


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.fixture
def observed(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.py"
    path.write_text(SOURCE)
    return made.joined(
        made.seen(
            path,
            (6, 7, 8),
            graphs=(1, 1),
            breaks=(made.broken(path, 6),),
            recompiles=(made.again(path, 5, place=Place(str(path), 6, "fn"), automatic=True),),
        )
    )


def test_what_the_contract_names(made, observed):
    found = document(made.run(observed, made.failed()))
    assert found.keys() >= {"version", "tool", "torch", "device", "targets", "score", "figures"}
    assert (found["version"], found["torch"], found["device"], found["score"]) == (1, "2.13.0+cpu", "cpu", 50.0)
    assert found["figures"] == {"confirmed": 1, "refuted": 0, "not_reached": 0, "missed": 0}
    one, failed = found["targets"]
    assert (one["status"], one["graphs"], one["ops_outside_graphs"]) == ("ok", [1, 1], 0)
    assert one["explain"] == {
        "graph_count": 1,
        "graph_break_count": 0,
        "ops_per_graph": [4],
        "guards": 3,
        "break_reasons": [],
    }
    assert one["breaks"] == [
        {
            "path": "m.py",
            "line": 6,
            "function": "fn",
            "graph_break_id": "GB0170",
            "url": made.URL,
            "reason": made.REASON,
            "hint": "Use torch.cond",
            "frame_skipped": False,
            "times": 1,
            "in_project": True,
            "stack": [{"path": "m.py", "line": 6, "function": "fn"}],
            "predicted": True,
            "codes": ["CL101"],
            "call": 0,
            "charged_to": {"path": "m.py", "line": 6, "function": "fn"},
            "consequence_of": "",
            "source": "if x.sum() > 0:",
        }
    ]
    (finding,) = one["findings"]
    assert (finding["code"], finding["line"], finding["verdict"]) == ("CL101", 6, "confirmed")
    assert finding["because"] == "GB0170 at line 6"
    (again,) = one["recompiles"]
    assert (again["path"], again["line"], again["call"], again["input"]) == ("m.py", 5, 1, "n")
    assert (one["same_result"], one["seconds"], one["score"]) == (True, {"total": 1.25}, 50.0)
    assert [(cost["line"], cost["points"]) for cost in one["deductions"]] == [(6, 50.0)]
    assert (failed["status"], failed["message"], failed["score"]) == ("user-error", "ValueError: no", None)


def test_the_predicted_score_stands_beside_the_measured_one(made, observed):
    # x.sum() and > before the break, x + 1 after it: (2 ** 2 + 1) / 9
    assert document(made.run(observed))["targets"][0]["predicted_score"] == 55.6


def test_without_a_measured_target_there_is_no_score(made):
    assert document(made.run(made.failed()))["score"] is None
    assert document(made.run())["score"] is None


def test_the_worst_texts(made):
    text = render(made.run(made.nasty()), "json")
    assert text.isascii()
    assert "\x1b" not in text and "\x07" not in text
    found = json.loads(text)
    found["targets"][0]["breaks"][1]["path"].encode("utf-8")  # no half surrogate is left
    assert "\\udc80" in found["targets"][0]["name"]
    jsonschema.validate(found, SCHEMA, cls=jsonschema.Draft202012Validator)


def test_read_back(made, observed):
    pytest.importorskip("msgspec")
    run = made.run(observed, made.failed(), shard="1/2")
    back, version = read(render(run, "json"), "r.json")
    assert version
    assert back.targets[0] == run.targets[0]
    assert back.targets[1] == run.targets[1]
    assert (back.score, back.figures, back.shard) == (run.score, run.figures, "1/2")


def test_explain_may_be_missing(made):
    assert document(made.run(made.target(explain=None)))["targets"][0]["explain"] is None
    assert document(made.run(made.target(explain=Explain())))["targets"][0]["explain"]["graph_count"] == 0
