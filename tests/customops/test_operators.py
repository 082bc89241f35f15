"""What a file tells of its custom operators, in all the ways that they are declared."""

import pytest

LIBRARY = """
import torch
from torch.library import Library

lib = Library("ns", "DEF")
lib.define("f(Tensor x) -> Tensor")
"""
CALL = """
@torch.compile
def fn(x):
    y = x * 2
    return torch.ops.ns.f(y)
"""

CPU = 'lib.impl("f", lambda x: x + 1, "CPU")\n'
EMPTY = "def _(x):\n    return torch.empty_like(x)"
TOUCHES = "def f(x):\n    return torch.from_numpy(x.numpy() + 1)\n"

DECLARED = {
    "cpu-kernel-only": ("CL402", CPU),
    "cpu-kernel-by-decorator": ("CL402", '@torch.library.impl(lib, "f", "CPU")\ndef f(x):\n    return x + 1'),
    "meta-kernel": ("", CPU + 'lib.impl("f", lambda x: torch.empty_like(x), "Meta")'),
    "fake-kernel": ("", CPU + '@torch.library.register_fake("ns::f")\n' + EMPTY),
    "impl-abstract": ("", CPU + '@torch.library.impl_abstract("ns::f")\n' + EMPTY),
    "composite-explicit": ("", 'lib.impl("f", lambda x: x + 1, "CompositeExplicitAutograd")'),
    "composite-implicit": ("", 'lib.impl("f", lambda x: x + 1, "CompositeImplicitAutograd")'),
    "composite-that-touches-memory": ("CL409", TOUCHES + 'lib.impl("f", f, "CompositeExplicitAutograd")'),
}


@pytest.mark.parametrize(("code", "kernels"), DECLARED.values(), ids=DECLARED)
def test_library(lint, code, kernels):
    linted = lint(f"{LIBRARY}{kernels}\n{CALL}")
    assert {finding.code for finding in linted.findings} == ({code} if code else set())
    for finding in linted.findings:
        assert linted.text(finding).startswith("torch.ops.ns.f")


CUSTOM = {
    "no-fake": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        @torch.compile
        def fn(x):
            return f(x * 2)  # <- CL401
        """,
    "no-fake-called-through-ops": """
        import torch
        from torch.library import custom_op

        @custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        @torch.compile
        def fn(x):
            return torch.ops.ns.f(x * 2) + torch.ops.ns.f.default(x)  # <- CL401
        """,
    "fake": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return torch.from_numpy(x.numpy() + 1)

        @f.register_fake
        def _(x):
            return torch.empty_like(x)

        @torch.compile
        def fn(x):
            y = f(x * 2)
            if y.sum() > 0:  # <- CL101
                y = y + 1
            return y
        """,
    "fake-registered-by-name": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        torch.library.register_fake("ns::f", lambda x: torch.empty_like(x))

        @torch.compile
        def fn(x):
            return f(x * 2)
        """,
    "functional-form": """
        import torch

        def kernel(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        f = torch.library.custom_op("ns::f", mutates_args=())(kernel)

        @torch.compile
        def fn(x):
            return f(x * 2)  # <- CL401
        """,
    "mutates-and-returns-nothing": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=("x",))
        def f(x: torch.Tensor) -> None:
            x.add_(1)

        @torch.compile
        def fn(x):
            y = x * 2
            f(y)
            return y
        """,
    "undeclared-mutation": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            x.add_(1)
            return x * 2

        @f.register_fake
        def _(x):
            return torch.empty_like(x)

        @torch.compile
        def fn(x):
            y = x * 2
            z = f(y)  # <- CL413
            return y * z
        """,
    "fake-that-reads": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        @f.register_fake
        def _(x):
            if x.sum() > 0:
                return torch.empty_like(x)
            return x.new_empty(0)

        @torch.compile
        def fn(x):
            return f(x * 2)  # <- CL403
        """,
    "fake-of-another-dtype": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x.double()

        @f.register_fake
        def _(x):
            return torch.empty_like(x)

        @torch.compile
        def fn(x):
            return f(x * 2).float() * 3  # <- CL414
        """,
    "returns-a-number": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> int:
            return 3

        @f.register_fake
        def _(x):
            return 3

        @torch.compile
        def fn(x):
            return x * f(x * 2)  # <- CL405
        """,
    "dynamic-size": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x.nonzero()

        @f.register_fake
        def _(x):
            size = torch.library.get_ctx().new_dynamic_size()
            return x.new_empty(size, x.dim(), dtype=torch.long)

        @torch.compile
        def fn(x):
            return f(x * 2)  # <- CL406
        """,
    "defined-inside": """
        import torch

        @torch.compile
        def fn(x):
            @torch.library.custom_op("ns::f", mutates_args=())  # <- CL408
            def f(x: torch.Tensor) -> torch.Tensor:
                return x + 1
            return x * 2
        """,
    "never-called": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        @torch.compile
        def fn(x):
            return x * 2
        """,
    "called-while-not-compiling": """
        import torch

        @torch.library.custom_op("ns::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor:
            return x + 1

        @torch.compile
        def fn(x):
            if not torch.compiler.is_compiling():
                return f(x)
            return x * 2
        """,
}


@pytest.mark.parametrize("source", CUSTOM.values(), ids=CUSTOM)
def test_custom_op(check, source):
    check(source)


OPERATOR = """
import torch

@torch.library.custom_op("ns::f", mutates_args=())
def f(x: torch.Tensor) -> torch.Tensor:
    return x + 1
"""
CALLED = """
import torch
from ops import f

@torch.compile
def fn(x):
    return f(x * 2)
"""


def test_an_operator_of_another_file(check):
    check({"ops.py": OPERATOR, "model.py": CALLED.replace("(x * 2)", "(x * 2)  # <- CL401")})


FAKES = {
    "by name": 'import torch\nimport ops\n\n@torch.library.register_fake("ns::f")\ndef _(x):\n    return x + 0\n',
    "on the operator": "from ops import f\n\n@f.register_fake\ndef _(x):\n    return x + 0\n",
    "by itself": "import torch\nfrom ops import f\n\n@torch.library.register_fake(f)\ndef _(x):\n    return x + 0\n",
    "in a call": "from ops import f\n\ndef fake(x):\n    return x + 0\n\nf.register_fake(fake)\n",
}


@pytest.mark.parametrize("fakes", FAKES.values(), ids=FAKES)
def test_a_fake_kernel_of_a_third_file(check, fakes):
    check({"ops.py": OPERATOR, "fakes.py": fakes, "model.py": CALLED})


def test_files_that_define_the_same_name_speak_for_themselves(check):
    complete = OPERATOR + "\n@f.register_fake\ndef _(x):\n    return x + 0\n"
    own = "\n@torch.compile\ndef fn(x):\n    return f(x * 2){}\n"
    check({"one.py": complete + own.format(""), "two.py": OPERATOR + own.format("  # <- CL401")})


def test_a_library_operator_of_another_file(check):
    library = """
    import torch

    lib = torch.library.Library("kept", "DEF")
    lib.define("scale(Tensor x) -> Tensor")
    lib.impl("scale", lambda x: x * 2, "CPU")
    """
    check(
        {
            "ops.py": library,
            "model.py": """
            import torch
            import ops

            @torch.compile
            def fn(x):
                return torch.ops.kept.scale(x * 2)  # <- CL402
            """,
        }
    )


def test_an_operator_of_an_imported_extension_is_never_certain(lint):
    """`torch.ops.kernels.attention`: C++ registrations seldom have a Meta kernel, and nothing here tells."""
    linted = lint(
        """
        import torch
        import kernels

        @torch.compile
        def fn(x):
            return torch.ops.kernels.attention(x * 2)
        """
    )
    assert {(finding.code, finding.confidence) for finding in linted.findings} <= {("CL402", "likely")}


def test_torchs_own_operators_are_silent(check):
    check(
        """
        import torch

        @torch.compile
        def fn(x):
            return torch.ops.aten.add.Tensor(x, x) + torch.ops.aten.relu(x)
        """
    )


def test_kinds(lint):
    """An operator without a fake kernel raises; a library operator without one breaks; a wrong mutation is silent."""
    kinds = {
        "no-fake": ("CL401", "error"),
        "undeclared-mutation": ("CL413", "wrong"),
        "fake-that-reads": ("CL403", "break"),
    }
    for name, (code, kind) in kinds.items():
        assert lint(CUSTOM[name]).one(code).kind == kind
    linted = lint(CUSTOM["no-fake"])
    assert [score.score for score in linted.report.scores] == [0.0]


def test_files_of_one_package_are_loaded_together(check):
    fakes = 'import torch\n\n@torch.library.register_fake("ns::f")\ndef _(x):\n    return x + 0\n'
    called = CALLED.replace("from ops", "from .ops")
    check({"pkg/__init__.py": "", "pkg/ops.py": OPERATOR, "pkg/fakes.py": fakes, "pkg/model.py": called})
    check({"ops.py": OPERATOR, "fakes.py": fakes, "model.py": CALLED.replace("(x * 2)", "(x * 2)  # <- CL401")})
