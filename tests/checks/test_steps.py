"""The way on which a value came to be a tensor."""

import pytest

from compile_lint._data import rules_root
from compile_lint.analysis import analyze
from compile_lint.checks.steps import MOST
from compile_lint.findings import Source
from compile_lint.rulebook import load
from compile_lint.settings import Settings

HEAD = "import torch\n\n@torch.compile\ndef f(x: torch.Tensor):\n"


def _report(texts):
    """The report on modules, by name."""
    sources = [Source(f"{name}.py", text) for name, text in texts.items()]
    return analyze(sources, Settings(target_torch="2.13"), load(rules_root()))


def _steps(*texts, code="CL101"):
    """The steps of the finding of that code, as `path:line:column text`."""
    report = _report(dict(zip("abc", texts, strict=False)))
    (finding,) = [finding for finding in report.findings if finding.code == code]
    return [f"{step.path}:{step.line}:{step.column} {step.text}" for step in finding.steps]


def test_from_the_annotation_to_the_value():
    text = """\
import torch

@torch.compile
def f(x: torch.Tensor):
    y = x * 2
    é = "é"; z = y.abs()[0]
    if z.mean() > 0:
        return y
"""
    assert _steps(text) == [
        "a.py:4:10 annotated as `torch.Tensor`",
        "a.py:5:9 `x * 2` is a tensor",
        "a.py:6:18 `y.abs()` is a tensor",
        "a.py:6:18 `y.abs()[0]` is a tensor",
        "a.py:7:8 `z.mean()` is a tensor",
    ]


def test_through_a_call_into_another_file():
    text = "import torch\nfrom b import g\n\n@torch.compile\ndef f(x):\n    return g(x.relu())\n"
    helper = "def g(t):\n    return t.item()\n"
    assert _steps(text, helper, code="CL201") == [
        "a.py:5:7 `x` is used as a tensor: `x.relu`",
        "a.py:6:14 `x.relu()` is a tensor",
    ]


def test_a_buffer():
    text = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        if self.seen > 0:
            return x
"""
    assert _steps(text) == [
        'a.py:6:9 `self.register_buffer("seen", torch.zeros(1))` is a registered buffer or parameter'
    ]


def test_a_long_way_is_cut_in_the_middle():
    lines = "".join(f"    y = y + {number}\n" for number in range(40))
    text = f"{HEAD}    y = x.abs()\n{lines}    if y.sum():\n        pass\n"
    steps = _steps(text)
    assert len(steps) == MOST
    assert steps[0] == "a.py:4:10 annotated as `torch.Tensor`"
    assert steps[1:] == [f"a.py:{6 + number}:9 `y + {number}` is a tensor" for number in range(29, 40)]


def test_a_loop_comes_by_once():
    steps = _steps(f"{HEAD}    for _ in range(3):\n        x = x + 1\n    if x.sum():\n        pass\n")
    assert len(steps) == len(set(steps))
    assert steps[0] == "a.py:4:10 annotated as `torch.Tensor`"


def test_what_is_no_tensor_has_none():
    assert _steps("import torch\n\n@torch.compile\ndef f(x):\n    print('a')\n    return x + 1\n", code="CL501") == []


@pytest.mark.parametrize("order", ["abc", "cba", "bca"])
def test_of_two_ways_the_same_one_is_told_whichever_file_comes_first(order):
    model = f"from b import g\n{HEAD}    return g(x)\n"
    texts = {"a": model, "b": "def g(t):\n    return t.item()\n", "c": model}
    (finding,) = _report({name: texts[name] for name in order}).findings
    assert [(step.path, step.line, step.text) for step in finding.steps] == [("a.py", 5, "annotated as `torch.Tensor`")]
