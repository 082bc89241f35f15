"""The verdicts, each held against what torch.compile makes of the operator."""

import textwrap

import pytest

torch = pytest.importorskip("torch")

HEAD = """\
import torch
lib = torch.library.Library("{ns}", "FRAGMENT")
"""
CUSTOM = """\
import torch
from typing import Optional
"""
CALL = """
def fn(x):
    out = {op}(x + 1)
    return out * 2 if isinstance(out, torch.Tensor) else x * 2
compiled = torch.compile(fn)
"""


def library(schema, *kernels):
    """A snippet that declares `f` through a Library; kernels as (key, body of a lambda)."""
    lines = [f'lib.define("f{schema}")', *(f'lib.impl("f", lambda x: {body}, "{key}")' for key, body in kernels)]
    return HEAD + "\n".join(lines) + "\nop = torch.ops.{ns}.f\n" + CALL.replace("{op}", "torch.ops.{ns}.f")


def custom(body, fake="", mutates="()"):
    """A snippet that declares `f` with custom_op."""
    text = f'@torch.library.custom_op("{{ns}}::f", mutates_args={mutates})\n{body}\n'
    text += f"@f.register_fake\ndef _(x): return {fake}\n" if fake else ""
    return CUSTOM + text + "op = f\n" + CALL.replace("{op}", "f")


TWICE = "def f(x: torch.Tensor) -> torch.Tensor: return x * 2"
LIKE = "torch.empty_like(x)"

CASES = {
    "cpu kernel alone": ("splits", library("(Tensor x) -> Tensor", ("CPU", "x * 2"))),
    "cpu and meta": ("ready", library("(Tensor x) -> Tensor", ("CPU", "x * 2"), ("Meta", LIKE))),
    "cpu, returns a tuple": ("splits", library("(Tensor x) -> (Tensor, Tensor)", ("CPU", "(x * 2, x * 3)"))),
    "writes, returns nothing": ("ready", library("(Tensor(a!) x) -> ()", ("CPU", "None"))),
    "returns nothing, writes nothing": ("splits", library("(Tensor x) -> ()", ("CPU", "None"))),
    "the same with a fake": ("ready", library("(Tensor x) -> ()", ("CPU", "None"), ("Meta", "None"))),
    "returns a number": ("splits", library("(Tensor x) -> int", ("CPU", "3"))),
    "returns a number, with a fake": ("splits", library("(Tensor x) -> int", ("CPU", "3"), ("Meta", "3"))),
    "returns a number, composite": ("splits", library("(Tensor x) -> bool", ("CompositeImplicitAutograd", "True"))),
    "composite implicit": ("ready", library("(Tensor x) -> Tensor", ("CompositeImplicitAutograd", "x * 3"))),
    "composite explicit": ("ready", library("(Tensor x) -> Tensor", ("CompositeExplicitAutograd", "x * 3"))),
    "composite that reads memory": (
        "raises",
        library("(Tensor x) -> Tensor", ("CompositeExplicitAutograd", "torch.from_numpy(x.numpy() * 3)")),
    ),
    "composite view": ("ready", library("(Tensor(a) x) -> Tensor(a)", ("CompositeImplicitAutograd", "x.view(2, 2)"))),
    "declared view": (
        "raises",
        library("(Tensor(a) x) -> Tensor(a)", ("CPU", "x.view(2, 2)"), ("Meta", "x.view(2, 2)")),
    ),
    "writes and returns it": ("raises", library("(Tensor(a!) x) -> Tensor(a!)", ("CPU", "x.mul_(2)"), ("Meta", "x"))),
    "fake with custom_op": ("ready", custom(TWICE, LIKE)),
    "no fake with custom_op": ("raises", custom(TWICE)),
    "custom_op, writes and returns nothing": (
        "ready",
        custom("def f(x: torch.Tensor) -> None: x.mul_(2)", mutates='("x",)'),
    ),
    "custom_op, writes and returns a tensor": (
        "raises",
        custom("def f(x: torch.Tensor) -> torch.Tensor:\n    x.mul_(2)\n    return x.clone()", mutates='("x",)'),
    ),
    "custom_op, writes to who knows what": (
        "ready",
        custom("def f(x: torch.Tensor) -> None: x.mul_(2)", mutates='"unknown"'),
    ),
    "custom_op, returns nothing, writes nothing": ("raises", custom("def f(x: torch.Tensor) -> None: pass")),
    "custom_op, returns a number": ("splits", custom("def f(x: torch.Tensor) -> int: return 3", "3")),
    "custom_op, returns its argument": ("raises", custom("def f(x: torch.Tensor) -> torch.Tensor: return x", LIKE)),
    "custom_op, fake reads memory": ("raises", custom(TWICE, "torch.from_numpy(x.numpy())")),
    "custom_op, fake reads a value": ("splits", custom(TWICE, "x.new_empty(int(x.sum().item()))")),
}


def measured(text, namespace):
    """What torch.compile makes of a snippet, behind what a graph is run by (`aot_eager`)."""
    space = {"__name__": namespace}
    exec(text, space)
    torch._dynamo.reset()
    x = torch.ones(4)
    try:
        torch.compile(space["fn"], backend="aot_eager", fullgraph=True)(x)
        return "ready"
    except Exception:
        torch._dynamo.reset()
    try:
        torch.compile(space["fn"], backend="aot_eager")(x)
        return "splits"
    except Exception:
        return "raises"


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_is_what_torch_does(one, name, monkeypatch):
    verdict, text = CASES[name]
    namespace = f"verdict{list(CASES).index(name)}"
    text = text.replace("{ns}", namespace)
    assert measured(text, namespace) == verdict
    row = one(text)
    assert (row.name, row.verdict) == (f"{namespace}::f", verdict), row.reason
    assert [use.entry for use in row.uses] == ["fn"]


UNDECLARED = {
    "no annotation": ('@torch.library.custom_op("u::a", mutates_args=())\ndef f(x): return x', "has no annotation"),
    "no return": (
        '@torch.library.custom_op("u::b", mutates_args=())\ndef f(x: torch.Tensor): return x',
        "no return annotation",
    ),
    "a dict": (
        '@torch.library.custom_op("u::c", mutates_args=())\n'
        "def f(x: torch.Tensor, d: dict) -> torch.Tensor: return x.clone()",
        "no schema has the type `dict`",
    ),
    "names no argument": (
        '@torch.library.custom_op("u::d", mutates_args=("y",))\ndef f(x: torch.Tensor) -> None: x.mul_(2)',
        "names 'y', which is no argument",
    ),
    "broken schema": (
        'lib = torch.library.Library("u", "FRAGMENT")\nlib.define("e(Tensr x) -> Tensor")',
        "torch raises where it is declared",
    ),
}


@pytest.mark.parametrize("name", UNDECLARED)
def test_what_torch_refuses_to_declare_raises(one, name):
    text, words = UNDECLARED[name]
    text = "import torch\n" + text
    with pytest.raises((ValueError, RuntimeError)):
        exec(text, {"__name__": "refused"})
    row = one(text)
    assert row.verdict == "raises"
    assert words in row.reason


def test_what_may_be_silently_wrong_is_a_risk(one):
    row = one(
        textwrap.dedent("""
        import torch
        @torch.library.custom_op("r::f", mutates_args=())
        def f(x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
            out.copy_(x)
            return x * 2
        @f.register_fake
        def _(x, out): return torch.empty_like(x)
        """)
    )
    assert row.verdict == "risk"


def test_a_setting_of_torch_that_counts_as_made_settles_a_dynamic_size(inventory):
    text = """
        import torch
        @torch.library.custom_op("dyn::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x[x > 0].clone()
        @f.register_fake
        def _(x):
            return x.new_empty(torch.library.get_ctx().new_dynamic_size())
        """
    (row,) = inventory(text).rows
    assert row.verdict == "splits"
    (row,) = inventory(text, torch_config={"capture_dynamic_output_shape_ops": True}).rows
    assert row.verdict == "ready"
