"""What is read of each registration: kernels by dispatch key, fake kernels, autograd formulas, vmap rules, lines."""

import textwrap

import pytest

from compile_lint.customops.declared import declared_in
from compile_lint.findings import Source
from compile_lint.project.project import Project

HEAD = """
import torch
from torch.library import Library, custom_op
lib = Library("ns", "FRAGMENT")
lib.define("f(Tensor x) -> Tensor")
def k(x): return x
"""


def read(code):
    return declared_in(Project([Source("m.py", HEAD + textwrap.dedent(code))]).load("m.py"))


def declared(code):
    """The same of a file without those."""
    return declared_in(Project([Source("m.py", textwrap.dedent(code))]).load("m.py"))


KERNELS = {
    "key": ('lib.impl("f", k, "CUDA")', ["CUDA"]),
    "no-key": ('lib.impl("f", k)', ["CompositeImplicitAutograd"]),
    "key-by-name": ('lib.impl("f", k, dispatch_key="CPU")', ["CPU"]),
    "key-of-the-library": ('meta = Library("ns", "IMPL", "Meta")\nmeta.impl("f", k)', ["Meta"]),
    "decorator": ('@lib.impl("f", "CPU")\ndef g(x): return x', ["CPU"]),
    "decorator-with-library": ('@torch.library.impl(lib, "f", "Meta")\ndef g(x): return x', ["Meta"]),
    "device-type": ('@torch.library.impl("ns::f", "cpu")\ndef g(x): return x', ["CPU"]),
    "device-types": ('torch.library.impl("ns::f", ("cpu", "cuda"), k)', ["CPU", "CUDA"]),
    "default": ('torch.library.impl("ns::f", "default", k)', ["CompositeExplicitAutograd"]),
    "overload-object": ('lib.impl(torch.ops.ns.f.default, k, "CPU")', ["CPU"]),
    "scoped": (
        'with torch.library._scoped_library("ns", "IMPL") as own:\n    own.impl("f", k, "CPU")',
        ["CPU"],
    ),
}


@pytest.mark.parametrize(("code", "keys"), KERNELS.values(), ids=KERNELS)
def test_kernels(code, keys):
    operator = read(code).operators["ns::f"]
    assert list(operator.kernels) == keys
    assert bool(operator.fakes) == ("Meta" in keys)
    assert (operator.line, operator.schema) == (5, "f(Tensor x) -> Tensor")


PARTS = {
    "fake": ('@torch.library.register_fake("ns::f")\ndef g(x): return x', "fake"),
    "fake-call": ('torch.library.register_fake("ns::f", k)', "fake"),
    "fake-of-library": ('lib._register_fake("f", k)', "fake"),
    "impl-abstract": ('torch.library.impl_abstract("ns::f", k)', "fake"),
    "autograd": ('torch.library.register_autograd("ns::f", k, setup_context=k)', "autograd"),
    "autograd-kernel": ('lib.impl("f", k, "AutogradCUDA")', "autograd"),
    "autograd-fallthrough": ('lib.impl("f", torch.library.fallthrough_kernel, "Autograd")', ""),
    "vmap": ('@torch.library.register_vmap("ns::f")\ndef g(x): return x', "vmap"),
}


@pytest.mark.parametrize(("code", "part"), PARTS.values(), ids=PARTS)
def test_parts(code, part):
    operator = read(code).operators["ns::f"]
    found = {"fake": bool(operator.fakes), "autograd": operator.autograd, "vmap": operator.vmap}
    assert [name for name, there in found.items() if there] == ([part] if part else [])


def test_custom_op_with_all_its_parts():
    found = read(
        """
        @custom_op("ns::g", mutates_args=("x",), device_types=("cpu", "cuda"))
        def g(x: torch.Tensor) -> None: ...
        @g.register_kernel("xpu")
        def _(x): ...
        @g.register_fake
        def _(x): ...
        g.register_autograd(k, setup_context=k)
        g.register_vmap(k)
        """
    )
    operator = found.operators["ns::g"]
    assert operator.devices == ("cpu", "cuda", "xpu")
    assert (operator.mutates, operator.line, operator.custom) == (("x",), 8, True)
    assert (len(operator.fakes), operator.autograd, operator.vmap) == (1, True, True)


def test_custom_op_with_its_function():
    found = read('op = custom_op("ns::g", k, mutates_args=())\nop.register_fake(k)')
    assert found.functions == {"op": "ns::g"}
    assert len(found.operators["ns::g"].fakes) == 1


def test_names_imported_in_a_function():
    found = read(
        """
        def make():
            from torch.library import triton_op as top
            @top("ns::t", mutates_args=())
            def op(x): return x
        """
    )
    assert found.operators["ns::t"].fakes == [None]


def test_what_is_registered_elsewhere_only_has_the_line_of_that():
    operator = read('torch.library.register_fake("other::f", k)').operators["other::f"]
    assert (operator.line, operator.defined) == (7, False)


def test_names_made_at_run_time_are_lines():
    assert read('for n in "ab":\n    lib.define(f"{n}(Tensor x) -> Tensor")').nameless == [8]
    assert read('@custom_op(f"ns::{k}", mutates_args=())\ndef g(x): ...').nameless == [7]


def test_a_meta_kernel_by_the_older_decorator_is_one(lint):
    code = HEAD + '@torch.library.impl(lib, "f", "Meta")\ndef m(x): return torch.empty_like(x)\n'
    call = "@torch.compile\ndef fn(x):\n    return torch.ops.ns.f(x * 2)\n"
    assert lint(code + call).findings == ()


@pytest.mark.parametrize(
    ("given", "mutates"),
    [
        ("()", ()),
        ('("x",)', ("x",)),
        ('["x"]', ("x",)),
        ('{"x"}', ("x",)),
        ("{}", ()),
        ('"unknown"', ("*",)),
        ("k", None),
    ],
)
def test_mutated_arguments(given, mutates):
    code = f'@custom_op("ns::g", mutates_args={given})\ndef g(x): ...'
    assert read(code).operators["ns::g"].mutates == mutates


def test_names_that_constants_make():
    found = declared(
        """
        import torch
        NAMESPACE = "mylib"
        lib = torch.library.Library(NAMESPACE, "FRAGMENT")
        lib.define("scale(Tensor x) -> Tensor")

        @torch.library.custom_op(f"{NAMESPACE}::shift", mutates_args=())
        def shift(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        @torch.library.register_fake(NAMESPACE + "::shift")
        def _(x):
            return torch.empty_like(x)

        def make(name):
            torch.library.define("mylib::" + name, "(Tensor x) -> Tensor")
        """
    )
    assert sorted(name for name in found.operators if name) == ["mylib::scale", "mylib::shift"]
    assert len(found.operators["mylib::shift"].fakes) == 1
    assert found.nameless == [16]


def test_names_of_an_older_release_for_what_torch_has_now():
    found = declared(
        """
        import torch
        from flash.utils import triton_op

        if torch.__version__ >= "2.4.0":
            register = torch.library.register_fake
            make = torch.library.custom_op
        else:
            make = register = lambda *args, **kwargs: (lambda fn: fn)

        @make("mylib::a", mutates_args=())
        def a(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        @register("mylib::a")
        def _(x):
            return torch.empty_like(x)

        @triton_op("mylib::b", mutates_args={})
        def b(x: torch.Tensor) -> torch.Tensor:
            return x + 1
        """
    )
    assert sorted(found.operators) == ["mylib::a", "mylib::b"]
    assert len(found.operators["mylib::a"].fakes) == 1
    assert found.operators["mylib::b"].traced


def test_a_function_of_the_projects_own_that_registers_kernels():
    found = declared(
        """
        import functools
        import torch

        @functools.lru_cache(None)
        def get_meta_lib():
            return torch.library.Library("mylib", "IMPL", "Meta")

        def register_meta(op_name, overload_name="default"):
            def wrapper(fn):
                get_meta_lib().impl(getattr(getattr(torch.ops.mylib, op_name), overload_name), fn)
                return fn
            return wrapper

        @register_meta("roll")
        def meta_roll(x):
            return torch.empty_like(x)
        """
    )
    (operator,) = [one for one in found.operators.values() if one.name]
    assert (operator.name, list(operator.kernels), len(operator.fakes)) == ("mylib::roll", ["Meta"], 1)
