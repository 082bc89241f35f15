"""Code Quality against the grammar of GitLab's documentation, which is a part of Code Climate's."""

import json

import jsonschema
import pytest

from compile_lint.findings import KINDS
from compile_lint.report import Run, render

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format and, for the rest,
# https://github.com/codeclimate/platform/blob/master/spec/analyzers/SPEC.md#issues
CATEGORIES = ["Bug Risk", "Clarity", "Compatibility", "Complexity", "Duplication", "Performance", "Security", "Style"]
NUMBER = {"type": "integer", "minimum": 1}
TEXT = {"type": "string", "minLength": 1}
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": [
            "description", "check_name", "fingerprint", "location", "severity", "type", "categories",
        ],
        "additionalProperties": False,
        "properties": {
            "type": {"const": "issue"},
            "description": {"type": "string", "minLength": 1, "pattern": "^[^\n]*$"},
            "check_name": TEXT,
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "categories": {"type": "array", "minItems": 1, "items": {"enum": CATEGORIES}},
            "content": {
                "type": "object",
                "required": ["body"],
                "additionalProperties": False,
                "properties": {"body": {"type": "string"}},
            },
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string", "minLength": 1, "pattern": "^(?!\\./)"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "additionalProperties": False,
                        "properties": {"begin": NUMBER, "end": NUMBER},
                    },
                },
            },
        },
    },
}  # fmt: skip


def _issues(run):
    issues = json.loads(render(run, "gitlab", lambda path: None))
    jsonschema.Draft202012Validator(SCHEMA).validate(issues)
    return issues


def test_an_empty_run():
    assert _issues(Run(files=1)) == []


def test_an_issue(finding):
    one = finding(end_line=3)
    assert _issues(Run((one,), fingerprints={one: "ab" * 16})) == [
        {
            "type": "issue",
            "check_name": "CL101 tensor-branch",
            "description": "CL101: `if` needs the value of `x > 0`, a tensor",
            "content": {"body": "`x` comes from `y.sum()`, line 1\n\nUse torch.where.\n\n    torch.where(a, b, c)"},
            "categories": ["Performance"],
            "severity": "major",
            "fingerprint": "ab" * 16,
            "location": {"path": "a.py", "lines": {"begin": 2, "end": 3}},
        }
    ]


@pytest.mark.parametrize(
    ("kind", "severity"), list(zip(KINDS, ["critical", "critical", "major", "minor", "info"], strict=True))
)
def test_severities(finding, kind, severity):
    one = finding(kind=kind)
    assert _issues(Run((one,), fingerprints={one: "0" * 32}))[0]["severity"] == severity


def test_awkward_paths_and_messages(awkward):
    issues = _issues(awkward)
    assert [one["location"]["path"] for one in issues] == [f"sub/{one.path}" for one in awkward.findings]
    assert issues[0]["description"].startswith("CL101: first `a|b` {x} fns[0](y) second\\x1b[2J \\u202e <b>")
