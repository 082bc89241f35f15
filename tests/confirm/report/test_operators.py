"""What reports and the gate say of custom operators."""

import json

import jsonschema
import pytest

from compile_lint.confirm.gate import Gate, failures, kinds
from compile_lint.confirm.report import render
from compile_lint.confirm.report.as_json import json_schema
from compile_lint.confirm.report.read import read


@pytest.fixture
def run(made):
    return made.run(
        made.target(
            operators=(
                made.operator(),
                made.wrong_operator(),
                made.operator("ns::dies", status="crashed", message="killed by signal 11 (SIGSEGV)"),
                made.operator("ns::left", status="not-checked", message="fake tensors have no data"),
            )
        )
    )


def test_text(run):
    text = render(run, "text")
    assert (
        "  operators\n"
        "    ns::op  passed: called 2 times\n"
        "    ns::wrong  failed: called 2 times, first at m.py:7, declared at ops.py:3\n"
        "      fake-tensor: MetadataMismatchError: Stride mismatch!\n"
        "      strides of the output: [3, 1] by the fake kernel, [1, 2] by the real one\n"
        "    ns::dies  crashed: called 2 times\n"
        "      killed by signal 11 (SIGSEGV)\n"
        "    ns::left  not checked: called 2 times\n"
        "      fake tensors have no data\n"
    ) in text


def test_markdown(run):
    text = render(run, "markdown")
    assert "Custom operators:\n\n- `ns::op` passed: called 2 times\n- `ns::wrong` failed: " in text
    assert "\n  - killed by signal 11" in text


def test_github(run):
    lines = [line for line in render(run, "github").splitlines() if "custom operator" in line]
    assert len(lines) == 2
    assert lines[0].startswith(
        "::warning file=m.py,line=7,title=custom operator failed::model: ns::wrong.default failed"
    )


def test_html(run):
    assert (
        "<code>ns::dies.default</code> crashed: called 2 times<br>killed by signal 11" in run.targets[0]._repr_html_()
    )


def test_json(run):
    found = json.loads(render(run, "json"))
    jsonschema.validate(found, json.loads(json_schema().read_text()), cls=jsonschema.Draft202012Validator)
    wrong = found["targets"][0]["operators"][1]
    assert (wrong["name"], wrong["status"], wrong["declared"]["line"]) == ("ns::wrong", "failed", 3)
    assert wrong["samples"][0][0]["tensors"][0]["strides"] == [3, 1]
    assert read(render(run, "json"), "x")[0].targets == run.targets


def test_the_gate(run):
    assert failures(run.targets, Gate()) == []
    assert failures(run.targets, Gate(kinds(["operator"]))) == [
        "custom operator ns::wrong.default: is not registered as it should be",
        "custom operator ns::dies.default: ends the process",
    ]
    assert "operator" in kinds(["any"])
