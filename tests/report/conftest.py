import pytest

from compile_lint.findings import Finding


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
