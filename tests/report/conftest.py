import pytest

from compile_lint.findings import EntryScore, FileError, Finding, Step
from compile_lint.report import Run

PATHS = (
    'a b/it\'s "q".py',
    "50%25 of: x,y.py",
    "größe/模型.py",
    "::error file=x::y.py",
    "a\x1b[31m\u202e\nb.py",
    "undecodable \udcff.py",
    "`a`|<b>&[c](d).py",
)
MESSAGE = 'first `a|b` {x} fns[0](y)\r\nsecond\x1b[2J \u202e <b> & "q" 100%: ::error::no ##[warning]no'


@pytest.fixture
def finding():
    """Make a finding; what is not said does not matter."""

    def make(**given):
        values = {
            "code": "CL101",
            "name": "tensor-branch",
            "kind": "break",
            "confidence": "certain",
            "path": "a.py",
            "line": 2,
            "column": 8,
            "end_line": 2,
            "end_column": 13,
            "message": "`if` needs the value of `x > 0`, a tensor",
            "why": "`x` comes from `y.sum()`, line 1",
            "instead": "Use torch.where.\n\n    torch.where(a, b, c)",
            "function": "Net.step",
            "entry": "Net.forward",
        }
        return Finding(**{**values, **given})

    return make


@pytest.fixture
def awkward(finding):
    """A run whose paths, messages and names hold what any of the forms must write in another way."""
    findings = [
        finding(
            path=path,
            message=MESSAGE,
            function="f.<locals>.g",
            steps=(Step(path, 1, 3, "annotated as `T`\x1b[1m"),),
            confidence="likely",
        )
        for path in sorted(PATHS)
    ]
    return Run(
        tuple(findings),
        tuple(EntryScore("f.<locals>.g", path, 1, 50.0, 2, 8) for path in PATHS),
        50.0,
        (FileError("é \x1b.py", "cannot be\nread"), FileError("note.py", "left out", False)),
        len(PATHS),
        "2.13",
        fingerprints={one: f"{number:032x}" for number, one in enumerate(findings)},
        cwd="/my dir/repo/sub",
        root="/my dir/repo",
    )


@pytest.fixture
def lines_of():
    """The lines of every file: what the code is, with letters beyond ASCII and a control character."""
    return lambda path: ["x: T = 'é𐐀'; y = 1  # \x1b", "if ('é𐐀' and x > 0).any():", "    pass"]
