"""Workflow commands against the grammar of GitHub's documentation, read back as the runner does."""

import re

import pytest

from compile_lint.findings import KINDS, FileError
from compile_lint.report import Run, render
from compile_lint.report.workflow import command, plain

COMMAND = re.compile(r"::(error|warning|notice)(?: ([^\n]*?))?::(.*)")


def _unescaped(text, *more):
    for spelt, char in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(spelt, char)
    return text


def _read(line):
    """A command as the runner reads it: level, properties, message."""
    match = COMMAND.fullmatch(line)
    assert match, line
    pairs = [pair.split("=", 1) for pair in (match[2] or "").split(",") if pair]
    properties = {name: _unescaped(value, ("%3A", ":"), ("%2C", ",")) for name, value in pairs}
    return match[1], properties, _unescaped(match[3])


def _commands(run, **kwargs):
    """The commands, and the lines that are none."""
    lines = render(run, "github", lambda path: None, **kwargs).splitlines()
    is_command = [line.lstrip().startswith("::") or "##[" in line for line in lines]
    return (
        [_read(line) for line, yes in zip(lines, is_command, strict=True) if yes],
        [line for line, yes in zip(lines, is_command, strict=True) if not yes],
    )


def test_an_annotation(finding):
    commands, rest = _commands(Run((finding(confidence="likely"),), files=1), verbosity=-1)
    assert commands == [
        (
            "warning",
            {"file": "a.py", "line": "2", "endLine": "2", "col": "8", "endColumn": "13",
             "title": "CL101 tensor-branch (likely)"},
            "`if` needs the value of `x > 0`, a tensor\nWhy: `x` comes from `y.sum()`, line 1\n"
            "Instead: Use torch.where.",
        )
    ]  # fmt: skip
    assert rest == []


def test_columns_need_one_line(finding):
    ((_, properties, _),), _ = _commands(Run((finding(end_line=4),), files=1))
    assert properties["endLine"] == "4"
    assert "col" not in properties


@pytest.mark.parametrize(
    ("kind", "level"), list(zip(KINDS, ["error", "error", "warning", "warning", "notice"], strict=True))
)
def test_levels(finding, kind, level):
    assert _commands(Run((finding(kind=kind),)))[0][0][0] == level


def test_no_more_than_github_shows(finding):
    findings = [finding(line=number, kind="recompile") for number in range(1, 15)]
    findings += [finding(line=number, kind="break", confidence="likely") for number in range(20, 23)]
    findings += [finding(line=30, kind="break"), finding(line=31, kind="error"), finding(line=32, kind="hazard")]
    commands, rest = _commands(Run(tuple(findings), files=1), verbosity=-1)
    assert [(level, properties["line"]) for level, properties, _ in commands] == [
        ("error", "31"),
        *(("warning", line) for line in ("30", "20", "21", "22", "1", "2", "3", "4", "5", "6")),
        ("notice", "32"),
    ]
    assert rest[0] == "GitHub shows 10 annotations of a level and step; 8 findings without one:"
    assert [line.split(":")[1] for line in rest[1:]] == [str(number) for number in range(7, 15)]


def test_errors_come_first(finding):
    errors = tuple(FileError(f"{number}.py", "cannot be read") for number in range(4))
    findings = tuple(finding(line=number, kind="error") for number in range(1, 9))
    commands, rest = _commands(Run(findings, errors=errors), verbosity=-1)
    assert [message for _, _, message in commands[:4]] == [f"{number}.py: cannot be read" for number in range(4)]
    assert (len(commands), len(rest)) == (10, 3)


def test_errors_that_are_not_fatal_are_left_out():
    assert _commands(Run(errors=(FileError("a.py", "left out", False),)))[0] == []


def test_awkward_paths_and_messages(awkward, finding):
    more = tuple(finding(path="::stop-commands::x.py", line=9, message="##[error]no") for _ in range(20))
    run = Run(awkward.findings + more, errors=awkward.errors, cwd=awkward.cwd, root=awkward.root)
    commands, rest = _commands(run)
    spelt = {
        "sub/a\x1b[31m\u202e\nb.py": "sub/a\\x1b[31m\\u202e\nb.py",
        "sub/undecodable \udcff.py": "sub/undecodable \\udcff.py",
    }
    files = {f"sub/{one.path}" for one in awkward.findings} - set(spelt) | set(spelt.values())
    shown = {properties["file"] for level, properties, _ in commands if level == "warning"}
    assert shown <= files | {"sub/::stop-commands::x.py"}
    assert all(
        message.startswith(("first `a|b` {x} fns[0](y)\nsecond", "##[error]no", "é")) for *_, message in commands
    )
    assert len(commands) == 11
    assert any(line.startswith("| ::stop-commands") and "# #[error]no" in line for line in rest)


def test_a_command_of_few_properties():
    assert command("error", "50%\r\na: b, c") == "::error::50%25%0Aa: b, c"
    assert command("notice", "m", title="a:b,c%") == "::notice title=a%3Ab%2Cc%25::m"


@pytest.mark.parametrize(
    ("line", "shown"),
    [("a::b", "a::b"), ("::error::x", "| ::error::x"), ("  ::x", "|   ::x"), ("a ##[b]", "a # #[b]")],
)
def test_plain_lines_are_no_commands(line, shown):
    assert plain(f"{line}\nnext\n") == f"{shown}\nnext\n"
