import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.config.selectors import Selectors

RULES = {
    "CL101": "tensor-branch",
    "CL102": "tensor-while",
    "CL201": "tensor-item",
    "CL900": "syntax-error",
    "XY123": "ours",
}


@pytest.fixture
def selectors():
    return Selectors(RULES)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("CL101", "CL101"),
        ("cl101", "CL101"),
        (" CL1 ", "CL1"),
        ("CL", "CL"),
        ("X", "X"),
        ("ALL", "ALL"),
        ("all", "ALL"),
        ("tensor-branch", "CL101"),
        ("ours", "XY123"),
        ("CL103", None),
        ("Z", None),
        ("", None),
        ("tensor", None),
    ],
)
def test_canonical(selectors, text, canonical):
    assert selectors.canonical(text) == canonical


def test_unknown(selectors):
    with pytest.raises(ConfigError, match=r"--select: unknown rule 'tensor-brnch'; did you mean 'tensor-branch'\?"):
        selectors.check(["CL1", "tensor-brnch"], "--select")


@pytest.mark.parametrize(
    ("select", "ignore", "enabled"),
    [
        (["ALL"], [], RULES),
        (["CL1"], [], ["CL101", "CL102"]),
        (["CL"], ["CL1"], ["CL201", "CL900"]),
        (["CL101"], ["CL1"], ["CL101"]),
        (["CL1"], ["CL101"], ["CL102"]),
        (["CL101"], ["CL101"], []),
        (["ALL"], ["ALL"], []),
        (["CL10", "CL2"], ["CL1"], ["CL101", "CL102", "CL201"]),
    ],
)
def test_the_longer_one_wins(selectors, select, ignore, enabled):
    assert selectors.enabled(select, ignore, ()) == set(enabled)


def test_expand(selectors):
    assert selectors.expand(["CL1", "XY123"]) == ("CL101", "CL102", "XY123")
