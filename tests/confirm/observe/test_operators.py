"""Custom operators that a target calls: what is recorded of them."""

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

SOURCE = """
from torch.library import Library, custom_op
lib = Library("{ns}", "DEF")
lib.define("scale(Tensor x, float by, *, bool flip=False) -> Tensor")
lib.impl("scale", lambda x, by, flip=False: x * by, "CPU")
lib.impl("scale", lambda x, by, flip=False: torch.empty_like(x), "Meta")
lib.define("parts(Tensor[] xs) -> Tensor")
lib.impl("parts", lambda xs: torch.ops.{ns}.scale(xs[0], 2.0), "CompositeImplicitAutograd")
lib.define("over.one(Tensor x) -> Tensor")
lib.impl("over.one", lambda x: x + 1, "CPU")
{body}
"""


def source(ns, body):
    return SOURCE.format(ns=f"compile_lint_{ns}", body=body)


def test_each_operator_with_its_arguments_and_its_first_line(observing):
    body = (
        "def fn(x):\n    y = helper(x.t())\n    return helper(y) + torch.ops.compile_lint_rec.over.one(y)\n"
        "def helper(x):\n    return torch.ops.compile_lint_rec.scale(x, 2.0, flip=True)\n"
    )
    seen = observing(source("rec", body), "[(torch.ones(2, 3),), (torch.ones(2, 3).requires_grad_(),)]")
    scale, over = seen.operators
    assert (scale.name, scale.overload, scale.times) == ("compile_lint_rec::scale", "default", 4)
    assert scale.schema == "compile_lint_rec::scale(Tensor x, float by, *, bool flip=False) -> Tensor"
    assert scale.place.function == "helper"
    first, second = scale.samples
    assert [(each.name, each.value) for each in first] == [("x", ""), ("by", "2.0"), ("flip", "True")]
    (tensor,) = first[0].tensors
    assert (tensor.dtype, tensor.shape, tensor.strides, tensor.device) == ("float32", (3, 2), (1, 3), "cpu")
    assert [each[0].tensors[0].requires_grad for each in (first, second)] == [False, True]
    assert (over.qualified, over.status) == ("compile_lint_rec::over.one", "not-checked")


def test_a_composite_operator_and_its_parts(observing):
    seen = observing(source("comp", "def fn(x):\n    return torch.ops.compile_lint_comp.parts([x, x])\n"))
    assert [each.name for each in seen.operators] == ["compile_lint_comp::parts", "compile_lint_comp::scale"]
    (argument,) = seen.operators[0].samples[0]
    assert len(argument.tensors) == 2


def test_an_operator_registered_by_the_first_call(observing):
    body = (
        "def fn(x):\n"
        "    @custom_op('compile_lint_late::twice', mutates_args=())\n"
        "    def twice(x: torch.Tensor) -> torch.Tensor:\n"
        "        return x * 2\n"
        "    return twice(x)\n"
    )
    seen = observing("from torch.library import custom_op\n" + body)
    assert [each.name for each in seen.operators] == ["compile_lint_late::twice"]


def test_operators_of_torch_are_none(observing):
    seen = observing("def fn(x):\n    return torch.nn.functional.linear(x, x).relu()\n")
    assert seen.operators == ()


def test_recording_changes_nothing(observing):
    body = "def fn(x):\n    y = torch.ops.compile_lint_same.scale(x, 2.0)\n    print(end='')\n    return y\n"
    seen = observing(source("same", body))
    assert (seen.status, seen.same_result, [each.at.line for each in seen.breaks]) == ("ok", True, [14])
    assert "compile_lint" not in seen.traceback


def test_what_an_operator_raises_is_told_at_the_line(observing):
    body = "def fn(x):\n    return torch.ops.compile_lint_err.scale(x)\n"
    seen = observing(source("err", body))
    assert seen.status == "user-error"
    assert f"({seen.entry.path}:13), in eager mode" in seen.message
    assert "observe/called.py" not in seen.traceback
