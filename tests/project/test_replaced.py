"""A method that a decorator of its class puts another in place of is no certain part of the graph."""

import pytest

DECORATOR = """\
def dispatch(cls):
    original = cls.forward

    def forward(self, x: torch.Tensor):
        return pick(self, original)(self, x)

    cls.forward = forward
    return cls
"""
NESTED = """\
def dispatch(kind):
    def wrapper(cls: type):
        cls.forward = kind(cls)
        return cls

    return wrapper
"""
OTHER = """\
def dispatch(cls):
    cls.extra_repr = len
    REGISTRY[cls.__name__] = cls
    return cls
"""
OWN = """\
class dispatch:
    def __init__(self, cls):
        self.forward = cls.forward
"""
MODEL = """

{decorator}
class Experts(nn.Module):
    def forward(self, x: torch.Tensor):
        print("expert")
        return x * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = Experts()

    def forward(self, x: torch.Tensor):
        return self.experts(x + 1) + 1
"""


def linted(lint, source, decorator="@dispatch", **files):
    head = "import torch\nfrom torch import nn\n\n\n"
    return lint({"m.py": head + source + MODEL.format(decorator=decorator), **files})


@pytest.mark.parametrize(("source", "decorator"), [(DECORATOR, "@dispatch"), (NESTED, "@dispatch(int)")])
def test_what_may_be_replaced_is_likely_and_costs_little(lint, source, decorator):
    found = linted(lint, source, decorator)
    assert found.one("CL501").confidence == "likely"
    (score,) = [one.score for one in found.report.scores if one.entry == "Net.forward"]
    assert 90 < score < 100


@pytest.mark.parametrize(("source", "decorator"), [(OTHER, "@dispatch"), (OWN, "@dispatch"), (DECORATOR, "@unknown")])
def test_what_stays_is_certain(lint, source, decorator):
    found = linted(lint, source, decorator)
    assert found.one("CL501").confidence == "certain"
    (score,) = [one.score for one in found.report.scores if one.entry == "Net.forward"]
    assert score < 60


def test_the_decorator_may_stand_in_another_file(lint):
    found = linted(lint, "from tools import dispatch\n", **{"tools.py": DECORATOR})
    assert found.one("CL501").confidence == "likely"
