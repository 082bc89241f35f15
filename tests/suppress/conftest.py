import pytest

from compile_lint.config.selectors import Selectors
from compile_lint.findings import Finding
from compile_lint.rulebook.model import Rule
from compile_lint.suppress import apply

NAMES = {"CL101": "tensor-branch", "CL102": "tensor-while", "CL201": "tensor-item", "CL901": "unused-suppression"}


@pytest.fixture
def selectors():
    return Selectors(NAMES)


@pytest.fixture
def outcome(selectors):
    """Apply the suppressions of a text to findings given as `line` or `(line, code[, end_line])`.

    Gives the lines with findings left, the messages about idle comments by line, and the number silenced.
    """
    rule = Rule(
        "CL901",
        "unused-suppression",
        "hazard",
        "certain",
        "s",
        "the suppression of {name} silences nothing",
        "w",
        "i",
        (),
        (),
        (),
        (),
    )

    def call(text, *places, idle=True):
        findings = []
        for place in places:
            line, code, end = (place, "CL101", place) if isinstance(place, int) else (*place, place[0])[:3]
            findings.append(
                Finding(code, NAMES[code], "break", "certain", "a.py", line, 1, end, 2, "m", "w", "i", "f", "f")
            )
        result = apply(findings, {"a.py": text}, selectors, rule if idle else None)
        left = [(f.line, f.code) for f in result.kept if f.code != "CL901"]
        told = [(f.line, f.message) for f in result.kept if f.code == "CL901"]
        assert result.silenced == len(findings) - len(left)
        assert list(result.kept) == sorted(result.kept, key=lambda f: f.place)
        return left, told

    return call
