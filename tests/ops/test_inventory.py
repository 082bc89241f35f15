"""Operators joined over files, with their uses."""

import pytest

from compile_lint.ops.model import Place, Use
from compile_lint.ops.native import Native, Part

CUSTOM = """\
import torch

@torch.library.custom_op("mylib::scale", mutates_args=())
def scale(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return x * factor
"""


def test_a_row_says_all_that_is_registered(one):
    row = one(
        CUSTOM
        + """
@scale.register_fake
def _(x, factor=2.0):
    return torch.empty_like(x)

@scale.register_kernel("cuda")
def _(x, factor=2.0):
    return x * factor

@scale.register_vmap
def _(info, in_dims, x, factor):
    return scale(x, factor), in_dims[0]

scale.register_autograd(lambda ctx, g: (g, None))

class Model(torch.nn.Module):
    def forward(self, x):
        return scale(x + 1)
"""
    )
    assert (row.name, row.overload, row.kind) == ("mylib::scale", "", "operator")
    assert row.schema == "mylib::scale(Tensor x, float factor=2.0) -> Tensor"
    assert row.declared == Place("model.py", 3)
    assert row.kernels == ("CUDA", "Meta")
    assert (row.fake, row.autograd, row.vmap) == (True, True, True)
    assert row.uses == (Use("model.py", 23, "Model.forward"),)
    assert (row.verdict, row.reason) == ("ready", "it has a fake kernel")


def test_an_operator_with_a_kernel_for_all_devices_is_composite_to_the_dispatcher(one):
    torch = pytest.importorskip("torch")
    exec(CUSTOM.replace("mylib", "inventoried"), {})
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    row = one(CUSTOM)
    assert row.kernels == ("CompositeExplicitAutograd",)
    assert has("inventoried::scale", "CompositeExplicitAutograd")
    assert not has("inventoried::scale", "CPU")


def test_a_fake_kernel_of_another_file_counts(inventory):
    files = {
        "pkg/__init__.py": "",
        "pkg/ops.py": CUSTOM,
        "pkg/fakes.py": "import torch\nfrom pkg.ops import scale\n@scale.register_fake\ndef _(x, f=2.0): return x",
    }
    (row,) = inventory(files).rows
    assert (row.fake, row.verdict) == (True, "ready")


def test_what_a_library_declares_and_mutates(one):
    row = one(
        """
        import torch
        lib = torch.library.Library("mylib", "DEF")
        lib.define("fill.value(Tensor(a!) self, Scalar v) -> Tensor(a!)")
        lib.impl("fill.value", lambda self, v: self.fill_(v), "CPU")
        """
    )
    assert (row.name, row.overload, row.full_name) == ("mylib::fill", "value", "mylib::fill.value")
    assert row.kernels == ("CPU",)
    assert (row.mutates, row.aliases) == (("self",), ("self",))


def test_calls_go_to_the_overload_that_they_name(inventory):
    rows = inventory(
        """
        import torch
        lib = torch.library.Library("mylib", "FRAGMENT")
        lib.define("f(Tensor x) -> Tensor")
        lib.define("f.int(Tensor x, int k) -> Tensor")

        class Model(torch.nn.Module):
            def forward(self, x):
                x = torch.ops.mylib.f.default(x)
                x = torch.ops.mylib.f.int(x, 3)
                return torch.ops.mylib.f(x)
        """
    ).rows
    assert [(row.full_name, [use.line for use in row.uses]) for row in rows] == [
        ("mylib::f", [9, 11]),
        ("mylib::f.int", [10, 11]),
    ]


def test_a_use_names_the_entry_that_reaches_it(inventory):
    files = {
        "ops.py": CUSTOM,
        "model.py": """
            import torch
            from ops import scale

            def helper(x):
                return scale(x, 3.0)

            class Model(torch.nn.Module):
                def forward(self, x):
                    return helper(x)

            @torch.compile
            def step(x):
                return helper(x)

            def never(x):
                return scale(x)
            """,
    }
    (row,) = inventory(files).rows
    assert row.uses == (Use("model.py", 6, "Model.forward"), Use("model.py", 6, "step"))


def test_an_operator_that_is_declared_nowhere_is_listed_where_it_is_called(one):
    text = """
        import torch
        class Model(torch.nn.Module):
            def forward(self, x):
                return torch.ops.other.f(x)
        """
    row = one(text)
    assert (row.name, row.declared, row.verdict) == ("other::f", None, "raises")
    assert "no file here declares it" in row.reason
    assert row.uses == (Use("model.py", 5, "Model.forward"),)
    loaded = one(text.replace("import torch\n", 'import torch\n        torch.ops.load_library("libother.so")\n', 1))
    assert loaded.verdict == "unknown"
    assert "a library or a package that is loaded may" in loaded.reason


@pytest.mark.parametrize("other", ["import other\n", 'declare("other::g")\n'])
def test_a_namespace_that_a_package_or_a_helper_may_fill_is_unknown(inventory, other):
    text = (
        "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return torch.ops.other.f(x)\n"
    )
    (row,) = [row for row in inventory({"model.py": text, "b.py": other}).rows if row.kind == "operator"]
    assert (row.verdict, row.declared) == ("unknown", None)


def test_torchs_own_operators_are_none_of_the_projects(inventory):
    text = """
        import torch
        class Model(torch.nn.Module):
            def forward(self, x):
                return torch.ops.aten.add(x, x)
        """
    assert inventory(text).rows == ()


def test_two_files_may_declare_the_same_name(inventory):
    rows = inventory({"a.py": CUSTOM, "b.py": CUSTOM}).rows
    assert [row.declared.path for row in rows] == ["a.py", "b.py"]


def test_a_name_that_is_made_at_run_time_is_told(inventory):
    found = inventory(
        """
        import torch
        def make(name):
            @torch.library.custom_op("mylib::" + name, mutates_args=())
            def op(x: torch.Tensor) -> torch.Tensor:
                return x * 2
        """
    )
    assert found.rows == ()
    (error,) = found.errors
    assert error.path == "model.py"
    assert error.message.startswith("line 4: defines an operator whose name or schema is made at run time")
    assert not error.fatal


def test_a_file_that_cannot_be_parsed_is_told_and_stops_nothing(inventory):
    found = inventory({"ops.py": CUSTOM, "broken.py": "import torch\ndef f(:\n"})
    assert [row.name for row in found.rows] == ["mylib::scale"]
    (error,) = found.errors
    assert error.path == "broken.py"
    assert error.message.startswith("line 2: cannot be parsed")


def test_a_triton_op_is_traced_through(one):
    row = one(
        """
        import torch
        @torch.library.triton_op("mylib::t", mutates_args={})
        def t(x: torch.Tensor) -> torch.Tensor:
            return torch.empty_like(x)
        """
    )
    assert (row.verdict, row.fake) == ("ready", True)
    assert "traced through" in row.reason


def native(*parts):
    return Native(parts)


def test_a_schema_in_native_code_with_its_fake_in_python_is_one_operator(inventory):
    parts = (
        Part("ext::roll", "csrc/ops.cpp", 12, schema="roll(Tensor x, int k=1) -> Tensor"),
        Part("ext::roll", "csrc/cuda/roll.cu", 40, False, kernels=("CUDA", "AutogradCUDA")),
        Part("ext::roll", "csrc/cpu.cpp", 7, False, kernels=("CPU",)),
    )
    text = """
        import torch
        @torch.library.register_fake("ext::roll")
        def _(x, k=1):
            return torch.empty_like(x)
        class Model(torch.nn.Module):
            def forward(self, x):
                return torch.ops.ext.roll(x)
        """
    (row,) = inventory(text, native=native(*parts)).rows
    assert row.schema == "ext::roll(Tensor x, int k=1) -> Tensor"
    assert row.declared == Place("csrc/ops.cpp", 12)
    assert sorted(row.kernels) == ["AutogradCUDA", "CPU", "CUDA", "Meta"]
    assert (row.fake, row.autograd, row.verdict) == (True, True, "ready")
    assert [use.line for use in row.uses] == [8]


def test_native_code_without_a_fake_kernel_splits(inventory):
    parts = (
        Part("ext::f", "a.cpp", 1, schema="f(Tensor x) -> Tensor", kernels=("CPU",)),
        Part("ext::g", "a.cpp", 2, schema="g(Tensor(a!) x) -> ()", kernels=("CPU",)),
        Part("ext::h", "a.cpp", 3, schema="h(Tensor x) -> Tensor", kernels=("CompositeImplicitAutograd",)),
        Part("ext::i", "a.cpp", 4, kernels=("CPU",)),
    )
    rows = inventory("", native=native(*parts)).rows
    assert [(row.name, row.verdict) for row in rows] == [
        ("ext::f", "splits"),
        ("ext::g", "ready"),
        ("ext::h", "ready"),
        ("ext::i", "unknown"),
    ]


def test_kernels_for_what_is_defined_elsewhere(inventory):
    parts = (Part("other::f", "a.cpp", 9, False, kernels=("CUDA",)),)
    (row,) = inventory("", native=native(*parts)).rows
    assert (row.kernels, row.verdict, row.declared) == (("CUDA",), "unknown", Place("a.cpp", 9))
