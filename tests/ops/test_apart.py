"""Kinds that are no operators of torch's dispatcher."""

import pytest

from compile_lint.ops.extensions import extensions_of_pyproject
from compile_lint.ops.model import Place, Use
from compile_lint.ops.native import Function, Native, Part

FUNCTION = """\
import torch

class Twice(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2

class Model(torch.nn.Module):
    def forward(self, x):
        return Twice.apply(x + 1)
"""


def test_an_autograd_function(one):
    row = one(FUNCTION)
    assert (row.name, row.kind, row.declared) == ("model.Twice", "autograd-function", Place("model.py", 3))
    assert (row.autograd, row.vmap, row.mutates) == (True, True, ("x",))
    assert row.uses == (Use("model.py", 18, "Model.forward"),)
    assert (row.verdict, row.reason) == ("ready", "its forward and backward are traced through")


def test_what_the_linter_finds_in_an_autograd_function_is_its_verdict(one):
    row = one(FUNCTION.replace("return g * 2", "return g * g.sum().item()"))
    assert row.verdict == "splits"
    assert row.reason.startswith("line 14: `g.sum()`: ")
    assert row.reason.endswith("(CL201)")


@pytest.mark.parametrize("name", ["vjp", "jvp"])
def test_a_custom_jvp_is_not_traced(one, name):
    text = FUNCTION.replace("def backward(", f"def {name}(")
    torch = pytest.importorskip("torch")
    space = {"__name__": "custom"}
    exec(text, space)
    model = space["Model"]()
    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported, match=f"custom {name}"):
        torch.compile(model, backend="eager", fullgraph=True)(torch.ones(2, requires_grad=True))
    row = one(text)
    assert row.verdict == "splits"
    assert f"custom `{name}`" in row.reason


KERNEL = """\
import torch
import triton
import triton.language as tl

@triton.jit
def add_kernel(x, out, n: tl.constexpr):
    pass

class Model(torch.nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        add_kernel[(1,)](x, out, 16)
        torch.library.wrap_triton(add_kernel)[(1,)](x, out, 16)
        return out
"""


def test_a_triton_kernel_and_its_launches(one):
    row = one(KERNEL)
    assert (row.name, row.kind, row.verdict) == ("model.add_kernel", "triton-kernel", "ready")
    assert [use.line for use in row.uses] == [12, 13]


def test_functions_that_torch_compile_is_told_to_leave_alone(inventory):
    rows = inventory(
        """
        import torch

        @torch.compiler.disable
        def log(x):
            return x

        @torch._dynamo.nonstrict_trace
        def odd(x):
            return x

        def plain(x):
            return x

        torch.compiler.allow_in_graph(plain)

        class Model(torch.nn.Module):
            def forward(self, x):
                return odd(log(x))
        """
    ).rows
    assert [(row.name, row.kind, row.verdict, len(row.uses)) for row in rows] == [
        ("model.log", "opt-out", "splits", 1),
        ("model.odd", "opt-out", "ready", 1),
        ("model.plain", "opt-out", "risk", 0),
    ]


def test_code_of_another_compiler_and_libraries_loaded_by_ctypes(inventory):
    rows = inventory(
        """
        import ctypes
        import numba
        import torch

        lib = ctypes.CDLL("libm.so.6")

        @numba.njit
        def fast(x):
            return x * 2

        class Model(torch.nn.Module):
            def forward(self, x):
                return fast(x) * lib.abs(3)
        """
    ).rows
    assert [(row.name, row.kind, row.verdict, [use.line for use in row.uses]) for row in rows] == [
        ("model.fast", "foreign", "splits", [14]),
        ("model.lib.abs", "foreign", "splits", [14]),
    ]


SETUP = """\
from setuptools import setup
from torch.utils.cpp_extension import CUDAExtension, CppExtension
name = "pkg"
make = CUDAExtension if cuda else CppExtension
setup(ext_modules=[make(f"{name}._C", ["csrc/bind.cpp"])])
"""
MODEL = """\
import torch
from pkg import _C

class Model(torch.nn.Module):
    def forward(self, x):
        return _C.twice(x)
"""


def test_a_bound_function_is_joined_with_what_the_build_calls_its_module(inventory):
    native = Native((), (Function("TORCH_EXTENSION_NAME", "twice", "csrc/bind.cpp", 9),))
    (row,) = inventory({"setup.py": SETUP, "pkg/__init__.py": "", "pkg/model.py": MODEL}, native=native).rows
    assert (row.name, row.kind, row.declared) == ("pkg._C.twice", "pybind", Place("csrc/bind.cpp", 9))
    assert (row.verdict, [use.path for use in row.uses]) == ("splits", ["pkg/model.py"])


def test_an_extension_that_a_function_of_the_project_loads(inventory):
    native = Native((), (Function("TORCH_EXTENSION_NAME", "twice", "csrc/bind.cpp", 9),))
    model = MODEL.replace("from pkg import _C", 'from pkg.loader import load_ext\next_module = load_ext("_C")')
    model = model.replace("_C.twice", "ext_module.twice")
    (row,) = inventory({"setup.py": SETUP, "pkg/__init__.py": "", "pkg/model.py": model}, native=native).rows
    assert (row.name, [use.line for use in row.uses]) == ("pkg._C.twice", [7])


def test_a_module_whose_sources_are_not_read_is_listed(inventory):
    (row,) = inventory({"setup.py": SETUP}).rows
    assert (row.name, row.kind, row.verdict) == ("pkg._C", "pybind", "unknown")
    assert row.declared == Place("setup.py", 5)


def test_the_namespace_that_the_build_gives(inventory):
    parts = (Part("TORCH_EXTENSION_NAME::f", "csrc/bind.cpp", 3, schema="f(Tensor x) -> Tensor", kernels=("CPU",)),)
    (row,) = inventory({"setup.py": SETUP}, native=Native(parts)).rows
    assert (row.name, row.schema) == ("_C::f", "_C::f(Tensor x) -> Tensor")


def test_what_load_inline_binds(inventory):
    (row,) = inventory(
        """
        import torch
        from torch.utils.cpp_extension import load_inline

        ext = load_inline(name="inline_ext", cpp_sources="...", functions=["twice"])

        class Model(torch.nn.Module):
            def forward(self, x):
                return ext.twice(x)
        """
    ).rows
    assert (row.name, row.kind, row.declared) == ("inline_ext.twice", "pybind", Place("model.py", 5))
    assert [use.line for use in row.uses] == [9]


def test_modules_that_pyproject_names():
    text = (
        '[[tool.setuptools.ext-modules]]\nname = "a._C"\nsources = ["a.cpp"]\n[tool.maturin]\nmodule-name = "b._rust"\n'
    )
    found = [(one.name, one.line, one.sources) for one in extensions_of_pyproject(text, "pyproject.toml")]
    assert found == [("a._C", 2, ("a.cpp",)), ("b._rust", 5, ())]
    assert list(extensions_of_pyproject("[tool", "pyproject.toml")) == []
