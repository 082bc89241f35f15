"""A kernel and a fake kernel that are told to differ: in what."""

import ast

import pytest

from compile_lint.customops.promise import difference


def between(kernel, fake):
    functions = [ast.parse(f"def f(x, w):\n    return {value}").body[0] for value in (kernel, fake)]
    return difference(*functions)


@pytest.mark.parametrize(
    ("kernel", "fake", "found"),
    [
        ("x.to(torch.int32)", "torch.empty_like(x)", "dtype"),
        ("x > 0", "torch.empty_like(x)", "dtype"),
        ("torch.isnan(x)", "x.new_empty(x.shape)", "dtype"),
        ("x.argmax(-1)", "x.new_empty(x.shape[:-1])", "dtype"),
        ("x * 2", "torch.empty_like(x, dtype=torch.bfloat16)", "dtype"),
        ("x.sum(0)", "torch.empty_like(x)", "shape"),
        ("x.mean(-1, keepdim=True)", "x.new_empty(x.shape[:-1])", "shape"),
        ("x.amax(dim=(0, 1))", "x.new_empty(x.shape[:-1])", "shape"),
        ("x.mean()", "x.new_empty((1,))", "shape"),
        ("torch.cat([x, x], dim=0)", "torch.empty_like(x)", "shape"),
        ("torch.stack([x, x])", "torch.empty_like(x)", "shape"),
        ("x.t().clone()", "torch.empty_like(x)", "shape"),
        ("x.transpose(0, 1).clone()", "x.new_empty((x.shape[1], x.shape[0]))", "strides"),
    ],
)
def test_differs(kernel, fake, found):
    assert between(kernel, fake) == found


@pytest.mark.parametrize(
    ("kernel", "fake"),
    [
        ("x * 2", "torch.empty_like(x)"),
        ("x.float()", "torch.empty_like(x)"),
        ("x.sum(0)", "x.new_empty(x.shape[1:])"),
        ("x.mean()", "x.new_empty(())"),
        ("x > 0", "torch.empty_like(x, dtype=torch.bool)"),
        ("x.argmax(-1)", "x.new_empty(x.shape[:-1], dtype=torch.int64)"),
        ("x.to(w.dtype)", "torch.empty_like(x)"),
        ("kernels.run(x)", "torch.empty_like(x)"),
        ("x.transpose(0, 1).contiguous()", "x.new_empty((x.shape[1], x.shape[0]))"),
        ("x.transpose(0, 1).clone()", "x.new_empty(x.shape[1], x.shape[0], x.shape[2])"),
        ("x[:, :2] * 2", "x.new_empty(x.shape[0], 2)"),
        ("x * w", "torch.empty_like(w)"),
    ],
)
def test_nothing_is_told(kernel, fake):
    assert between(kernel, fake) == ""
