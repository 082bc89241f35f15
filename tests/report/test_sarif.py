"""SARIF against its published schema, and what that cannot say."""

import json
from pathlib import Path
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from compile_lint._data import rules_root
from compile_lint.findings import KINDS, EntryScore, FileError, Step
from compile_lint.report import Run, render
from compile_lint.report.sarif import message
from compile_lint.rulebook import load

SCHEMA = json.loads(Path(__file__).with_name("data").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
RULES = load(rules_root()).rules
CODE = ["def f(y: T):", "\tif (x > 0).any():", "        pass"]


@pytest.fixture(scope="module")
def validator():
    kind = jsonschema.validators.validator_for(SCHEMA)
    kind.check_schema(SCHEMA)
    return kind(SCHEMA, format_checker=kind.FORMAT_CHECKER)


def _run(run, validator, lines=CODE):
    log = json.loads(render(run, "sarif", lines if callable(lines) else lambda path: lines))
    validator.validate(log)
    assert log["version"] == "2.1.0"
    return log["runs"][0]


def test_an_empty_run(validator):
    found = _run(Run(files=1), validator)
    assert (found["results"], found["invocations"]) == ([], [{"executionSuccessful": True}])


def test_all_rules_are_described(validator):
    found = _run(Run(rules=RULES), validator)["tool"]["driver"]["rules"]
    assert [one["id"] for one in found] == [rule.code for rule in RULES]
    branch = next(one for one in found if one["id"] == "CL101")
    assert branch["name"] == "TensorBranch"
    assert branch["shortDescription"] == {"text": "`if` on the value of a tensor."}
    assert branch["fullDescription"]["text"].startswith("Python must know whether to take the branch")
    assert branch["defaultConfiguration"] == {"level": "warning"}
    assert branch["helpUri"] == "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html"
    assert branch["properties"]["precision"] == "very-high"
    markdown = branch["help"]["markdown"]
    assert "### Why\n\nPython must know" in markdown
    assert "```python\nimport torch\n\ndef fn(x):\n    y = x.relu()\n    if y.mean() > 0.5:  # <- CL101\n" in markdown
    assert all(one["help"]["text"] and one["help"]["markdown"] for one in found)


def test_a_result(finding, validator):
    one = finding(function="Net.step", graph_break_ids=("GB0170",))
    rules = tuple(rule for rule in RULES if rule.code in ("CL100", "CL101", "CL201"))
    found = _run(Run((one,), rules=rules, fingerprints={one: "0f" * 16}, cwd="/r/s", root="/r"), validator)
    (result,) = found["results"]
    assert found["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "CL101"
    assert (result["level"], result["kind"], result["rank"]) == ("warning", "fail", 95.0)
    assert result["message"] == {"text": "`if` needs the value of `x > 0`, a tensor"}
    assert result["partialFingerprints"] == {"compileLint/v1": "0f" * 16}
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "s/a.py", "uriBaseId": "%SRCROOT%", "index": 0},
                "region": {
                    "startLine": 2,
                    "startColumn": 8,
                    "endLine": 2,
                    "endColumn": 13,
                    "snippet": {"text": "> 0)."},
                },
                "contextRegion": {
                    "startLine": 1,
                    "endLine": 3,
                    "snippet": {"text": "def f(y: T):\n\tif (x > 0).any():\n        pass"},
                },
            },
            "logicalLocations": [{"fullyQualifiedName": "Net.step", "kind": "function"}],
        }
    ]
    assert found["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///r/"
    assert found["columnKind"] == "unicodeCodePoints"
    assert "codeFlows" not in result


@pytest.mark.parametrize(
    ("kind", "level"), list(zip(KINDS, ["error", "error", "warning", "warning", "note"], strict=True))
)
def test_levels(finding, validator, kind, level):
    assert _run(Run((finding(kind=kind),)), validator)["results"][0]["level"] == level


def test_a_code_flow_ends_at_the_finding(finding, validator):
    steps = (Step("b.py", 1, 10, "annotated as `T`"), Step("a.py", 2, 5, "`x` is a tensor"))
    found = _run(Run((finding(steps=steps),)), validator)
    (flow,) = found["results"][0]["codeFlows"]
    locations = [one["location"] for one in flow["threadFlows"][0]["locations"]]
    places = [
        (one["physicalLocation"]["artifactLocation"]["uri"], one["physicalLocation"]["region"]["startLine"])
        for one in locations
    ]
    assert places == [("b.py", 1), ("a.py", 2), ("a.py", 2)]
    assert [one["message"]["text"] for one in locations][:2] == ["annotated as `T`", "`x` is a tensor"]
    assert [one["location"]["uri"] for one in found["artifacts"]] == ["a.py", "b.py"]
    assert locations[0]["physicalLocation"]["artifactLocation"]["index"] == 1


def test_a_span_of_several_lines(finding, validator):
    one = finding(line=2, column=5, end_line=3, end_column=9)
    region = _run(Run((one,)), validator)["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (region["endLine"], region["endColumn"]) == (3, 9)
    assert region["snippet"]["text"] == "(x > 0).any():\n        "


def test_a_file_that_is_gone(finding, validator):
    physical = _run(Run((finding(),)), validator, lambda path: None)["results"][0]["locations"][0]["physicalLocation"]
    assert "snippet" not in physical["region"]
    assert "contextRegion" not in physical


def test_errors_are_notifications(validator):
    run = Run(errors=(FileError("a b.py", "cannot be read"), FileError("c.py", "left out", False)))
    (invocation,) = _run(run, validator)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [(one["level"], one["message"]["text"]) for one in invocation["toolExecutionNotifications"]] == [
        ("error", "a b.py: cannot be read"),
        ("note", "c.py: left out"),
    ]


def test_scores_are_kept(validator):
    run = Run(scores=(EntryScore("f", "a.py", 1, 62.5, 2, 8),), score=62.5, target_torch="2.13")
    entries = [{"entry": "f", "uri": "a.py", "line": 1, "score": 62.5}]
    assert _run(run, validator)["properties"] == {"targetTorch": "2.13", "score": 62.5, "entries": entries}


def test_awkward_paths_and_messages(awkward, lines_of, validator):
    found = _run(awkward, validator, lines_of)
    artifacts = [one["location"] for one in found["artifacts"]]
    paths = [unquote_to_bytes(one["uri"]).decode(errors="surrogateescape") for one in artifacts]
    assert paths == [f"sub/{one.path}" for one in awkward.findings]
    assert all(one["uriBaseId"] == "%SRCROOT%" for one in artifacts)
    assert "sub/50%2525%20of%3A%20x%2Cy.py" in [one["uri"] for one in artifacts]
    assert found["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///my%20dir/repo/"
    assert len({one["partialFingerprints"]["compileLint/v1"] for one in found["results"]}) == len(paths)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb", "a\nb"),
        ("f'{x}'", "f'{{x}}'"),
        ("`fns[0](y)`", "`fns\\[0](y)`"),
        ("`x[0]` and (y)", "`x[0]` and (y)"),
        ("\x1b[1m", "\\x1b[1m"),
    ],
)
def test_messages(text, shown):
    assert message(text) == shown
