"""What a name may stand for, and that every instance equals the other."""

import pytest

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.torch

NET = """
import torch
class Net(torch.nn.Module):
    def __init__(self, dim=4, *, scale=1.0):
        super().__init__()
        self.lin = torch.nn.Linear(dim, 2)
        self.scale = scale
    def forward(self, x, mask=None):
        return self.lin(x) * self.scale
"""
FORM = "a callable or an nn.Module, alone or as (callable, args) or (callable, args, kwargs)"


def same(one, other):
    """Whether nested values are equal, tensors by their elements."""
    if isinstance(one, torch.Tensor):
        return one is not other and one.dtype == other.dtype and torch.equal(one, other)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


@pytest.mark.parametrize(
    ("body", "settings", "arguments"),
    [
        ("return Net(), (torch.randn(3, 4),)", {}, ([(3, 4)], {})),
        ("return Net(), [torch.randn(3, 4)], {'mask': 1}", {}, ([(3, 4)], {"mask": 1})),
        ("return Net(), (), {'x': torch.randn(3, 4)}", {}, ([], {"x": (3, 4)})),
        ("return Net()", {"input": ("x=float32[2,4]",)}, ([], {"x": (2, 4)})),
        ("return Net()", {"input": ("float32[2,4]", "none")}, ([(2, 4), None], {})),
        ("return Net(), (torch.randn(3, 4),)", {"input": ("float32[2,4]",)}, ([(2, 4)], {})),
        ("return lambda x: x + 1", {"input": ("[float32[2], 3]",)}, ([[(2,), 3]], {})),
        ("net = Net()\n    return net.forward, (torch.randn(3, 4),)", {}, ([(3, 4)], {})),
    ],
)
def test_factories(load, shapes_of, body, settings, arguments):
    found = load(files=f"{NET}\ndef make():\n    {body}\n", **settings)
    one, other = found.fresh(), found.fresh()
    shapes = shapes_of(one.calls)
    assert shapes == [(tuple(arguments[0]), arguments[1])]
    assert same(list(one.calls), list(other.calls))
    assert same(_weights(one.callable), _weights(other.callable))


def _weights(value):
    module = getattr(value, "__self__", value)
    return dict(module.state_dict()) if isinstance(module, torch.nn.Module) else {}


def test_a_class(load):
    found = load("m.py:Net", NET, init=("dim=8", "scale=2"), input=("x=float32[2,8]",))
    one, other = found.fresh(), found.fresh()
    assert (one.callable.scale, one.callable.training) == (2, False)
    assert one.callable is not other.callable
    assert same(_weights(one.callable), _weights(other.callable))
    assert load("m.py:Net", NET, train=True, input=("x=float32[2,4]",)).fresh().callable.training


def test_an_instance_is_copied(load):
    found = load("m.py:net", f"{NET}\nnet = Net()\n", input=("x=float32[2,4]",))
    one, other = found.fresh(), found.fresh()
    assert one.callable.training, "as the target makes it"
    assert one.callable is not other.callable
    assert same(_weights(one.callable), _weights(other.callable))


def test_a_plain_function(load):
    text = "def fn(x, n):\n    return x * n\n"
    found = load("m.py:fn", text, input=("x=float32[2]", "n=3"))
    prepared = found.fresh()
    assert prepared.callable.__name__ == "fn"
    assert prepared.calls[0][1]["n"] == 3


def test_a_function_that_takes_nothing_and_returns_no_callable_is_the_thing_itself(load):
    found = load("m.py:fn", "import torch\ndef fn(n=2):\n    return torch.ones(n)\n")
    assert (found.fresh().callable.__name__, found.fresh().calls) == ("fn", [((), {})])
    found = load("m.py:step", "def step():\n    pass\n")
    assert found.fresh().callable.__name__ == "step"


def test_init_of_a_factory(load):
    found = load(files=f"{NET}\ndef make(dim):\n    return Net(dim)\n", init=("dim=8",), input=("float32[2,8]",))
    assert found.fresh().callable.lin.in_features == 8


def test_a_factory_is_called_once_an_instance(load):
    text = "calls = []\ndef make():\n    calls.append(1)\n    return abs, (len(calls),)\n"
    found = load(files=text)
    assert [found.fresh().calls[0][0] for _ in range(3)] == [(1,), (2,), (3,)]


@pytest.mark.parametrize(
    ("text", "settings", "message"),
    [
        ("make = 3\n", {}, f"it: is 3; it must be {FORM}, or a function that returns one"),
        ("def make():\n    return 'net'\n", {}, f"it: make() returned 'net'; it must return {FORM}"),
        (
            "def make():\n    return 3\n",
            {"input": ("1",)},
            f"it: make() returned 3; it must return {FORM}",
        ),
        (
            "import torch\ndef make():\n    return abs, torch.ones(2)\n",
            {},
            "it: make() returned a tuple whose parts do not fit: a builtin_function_or_method, a tensor; "
            f"it must return {FORM}",
        ),
        (
            NET + "def make():\n    return Net\n",
            {},
            f"it: make() returned the class Net; it must return {FORM}",
        ),
        (
            NET + "def make():\n    return [Net()]\n",
            {},
            f"it: make() returned a list; it must return {FORM}",
        ),
        ("class make:\n    pass\n", {}, "it: an instance of make cannot be called"),
        ("def make():\n    raise KeyError('a')\n", {}, "calling make(): KeyError: 'a'"),
        ("import sys\ndef make():\n    sys.exit('no')\n", {}, "calling make(): the code called sys.exit('no')"),
        ("def make():\n    return abs\n", {"init": ("n=1",)}, "--init: make takes no 'n'"),
        (NET + "make = Net()\n", {"init": ("n=1",)}, "--init: it is a Net, which takes no arguments"),
    ],
)
def test_what_cannot_be_confirmed(load, fails, text, settings, message):
    with fails("user-error", message):
        load(files=text, **settings).fresh()


def test_missing_inputs_are_named_with_a_command_that_would_do(load, fails):
    text = f"{NET}\ndef fn(x, n: int, *, ids):\n    return x\ndef one(x, /):\n    return x\n"
    with fails(
        "user-error",
        "Net.forward(x, mask) has no input for x; this would do: "
        "compile-lint confirm it --init 'dim=8' --input 'x=float32[2,8]'",
    ):
        load("m.py:Net", text, init=("dim=8",)).fresh()
    with fails(
        "user-error",
        "fn(x, n, ids) has no input for n, ids; this would do: "
        "compile-lint confirm it --input 'x=float32[2]' --input 'n=8' --input 'ids=int64[2,8]<10'",
    ):
        load("m.py:fn", text, input=("x=float32[2]",)).fresh()
    with fails(
        "user-error", "one(x) has no input for x; this would do: compile-lint confirm it --input 'float32[2,8]'"
    ):
        load("m.py:one", text).fresh()


def test_missing_arguments_of_a_class(load, fails):
    text = "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, dim: int, act: str, p, q=1): ...\n"
    with fails(
        "user-error",
        "Net needs values for act, p; this would do: "
        "compile-lint confirm it --init 'dim=8' --init \"act='text'\" --init 'p=8'".replace(
            "\"act='text'\"", "'act='\"'\"'text'\"'\"''"
        ),
    ):
        load("m.py:Net", text, init=("dim=8",)).fresh()
    with fails("user-error", "--init: Net takes no 'dmi'; did you mean 'dim'?"):
        load("m.py:Net", text, init=("dmi=8",)).fresh()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"input": ("y=float32[2,4]", "x=1")}, "--input: Net.forward takes no 'y'; did you mean 'mask'?"),
        ({"input": ("1", "2", "3")}, "--input: too many positional arguments: Net.forward(x, mask)"),
        ({"input": ("1", "x=2")}, "--input: multiple values for argument 'x': Net.forward(x, mask)"),
    ],
)
def test_inputs_that_do_not_fit(load, fails, settings, message):
    if "'y'" in message:
        message = "--input: Net.forward takes no 'y'; valid are 'x', 'mask'"
    with fails("user-error", message):
        load("m.py:Net", NET, **settings).fresh()


def test_the_arguments_of_a_factory_that_do_not_fit(load, fails):
    with fails(
        "user-error",
        "the arguments that make() returned: too many positional arguments: Net.forward(x, mask)",
    ):
        load(files=f"{NET}\ndef make():\n    return Net(), (1, 2, 3)\n").fresh()
