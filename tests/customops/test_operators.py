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


UNDEFINED = "import torch\n{imports}\n@torch.compile\ndef fn(x):\n    return torch.ops.pyg.radius(x + 1)\n"
DEFINED_ELSEWHERE = {
    "a compiled module of the package": "from pkg import _C\n",
    "a package of the name, under a condition": "try:\n    import pyg_lib\nexcept ImportError:\n    pyg_lib = None\n",
    "a package of the name, in a function": "def load():\n    import pyg_lib.ops\n",
    "an import of a name": "def load():\n    import importlib\n    importlib.import_module('x')\n",
    "load_library": "torch.ops.load_library('x.so')\n",
}


@pytest.mark.parametrize("imports", DEFINED_ELSEWHERE.values(), ids=DEFINED_ELSEWHERE)
def test_what_may_define_an_operator(lint, imports):
    assert [finding.code for finding in lint(UNDEFINED.format(imports=imports)).findings] == []


@pytest.mark.parametrize(("imports", "sure"), [("import numpy", "likely"), ("import unheard_of", "possible")])
def test_an_operator_that_nothing_defines(lint, imports, sure):
    (finding,) = lint(UNDEFINED.format(imports=imports), min_confidence="possible").findings
    assert (finding.code, finding.confidence) == ("CL407", sure)


OVERLOADS = {
    "torch.ops.ns.f.default": "",
    "torch.ops.ns.f.Tensor": "CL407",
    "torch.ops.ns.g.out": "",
    "torch.ops.ns.g.default": "CL407",
    "getattr(torch.ops.ns, 'f')": "",
    "getattr(torch.ops.ns, 'h')": "CL407",
}


@pytest.mark.parametrize(("operator", "code"), OVERLOADS.items())
def test_overloads(lint, operator, code):
    overload = (
        'lib.define("g.out(Tensor x) -> Tensor")\nlib.impl("g.out", lambda x: x + 1, "CompositeExplicitAutograd")\n'
    )
    implicit = 'lib.impl("f", lambda x: x + 1, "CompositeExplicitAutograd")\n'
    found = lint(
        f"{LIBRARY}{overload}{implicit}\n@torch.compile\ndef fn(x):\n    op = {operator}\n    return op(x + 1)\n"
    )
    assert [finding.code for finding in found.findings] == ([code] if code else [])


def test_a_function_is_no_module(lint):
    source = "import torch\nfrom vllm.platforms import current_platform\n\n@torch.compile\ndef fn(x):\n"
    assert lint(source + "    return x + 1 if current_platform.is_cuda() else x\n").findings == ()


def test_the_forward_of_an_autograd_function_is_no_entry(lint):
    source = """
import torch

class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x.sum().item()
"""
    assert lint(source, entry_points=("*.forward",)).findings == ()
    assert [finding.code for finding in lint(source, entry_points=("Twice.forward",)).findings] == ["CL201"]


READING = {
    "total = torch.linalg.vector_norm(x)\n    if total > 1:\n        return x / total\n    return x + 0": "CL417",
    "y = x * 2\n    return y if (y > 1) else -y": "CL417",
    "n = x.dim()\n    if n > 1 and x.is_contiguous():\n        return x + 1\n    return x + 0": "",
    "y = x.numel() * 2\n    if y > 1:\n        return x + 1\n    return x + 0": "",
}


@pytest.mark.parametrize(("body", "code"), READING.items())
def test_a_composite_kernel_that_tests_what_it_computes(lint, body, code):
    kernel = f"def f(x):\n    {body}\n\nlib.impl('f', f, 'CompositeExplicitAutograd')\n"
    assert [f.code for f in lint(f"{LIBRARY}{kernel}{CALL}").findings] == ([code] if code else [])


def test_a_kernel_runs_by_itself_behind_the_break(check):
    check(
        f"""{LIBRARY}
def scale_of(t):
    return float(t.abs().max())  # <- CL202

def f(x):
    return x / scale_of(x)

lib.impl("f", f, "CPU")
{CALL.rstrip()}  # <- CL402
"""
    )


def test_a_call_that_the_schema_does_not_take(lint):
    define = (
        'lib.define("g(Tensor x, int k) -> Tensor")\nlib.impl("g", lambda x, k: x + k, "CompositeExplicitAutograd")\n'
    )
    overload = 'lib.define("g.both(Tensor x, int k, int d) -> Tensor")\n'
    call = "\n@torch.compile\ndef fn(x):\n    return torch.ops.ns.g(x + 1{})\n"
    assert [f.code for f in lint(LIBRARY + define + call.format("")).findings] == ["CL422"]
    assert [f.code for f in lint(LIBRARY + define + call.format(", 1, 2")).findings] == ["CL422"]
    assert lint(LIBRARY + define + call.format(", 1")).findings == ()
    assert lint(LIBRARY + define + call.format(", k=1")).findings == ()
    assert lint(LIBRARY + define + overload + call.format(", 1, 2")).findings == ()
