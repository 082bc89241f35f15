"""What a kernel writes to and returns, by its text."""

import ast

import pytest

from compile_lint.customops.body import Body


def read(source, lists=()):
    functions = {node.name: node for node in ast.parse(source).body}
    node = functions["f"]
    names = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
    return Body(node, functions, names, lists)


@pytest.mark.parametrize(
    "body",
    [
        "x.mul_(2)",
        "x[0] = 1",
        "x[0][1:] += 1",
        "x += 1",
        "torch.add(x, 1, out=x)",
        "F.relu(x, inplace=True)",
        "torch.relu_(x)",
        "x.view(-1).t()[0].zero_()",
        "y = x[1:]; y.copy_(1)",
        "a, b = x.chunk(2); b.zero_()",
        "(x if True else None).zero_()",
        "x.data = x * 2",
        "a = x.numpy(); a *= 2",
        "ctypes.memset(ctypes.c_void_p(x.data_ptr() + 4), 0, 4)",
        "helper(x, 3)",
        "for part in x.unbind(): part.zero_()",
        "with torch.no_grad(): x.zero_()",
    ],
)
def test_written(body):
    lines = "\n".join("    " + line for line in body.split("; "))
    assert read(f"def helper(t, v):\n    t.fill_(v)\ndef f(x):\n{lines}").written == {"x"}


@pytest.mark.parametrize(
    "body",
    [
        "x = x.clone(); x.mul_(2)",
        "y = x * 2; y += 1; y[0] = 1",
        "y = torch.empty_like(x); torch.add(x, 1, out=y)",
        "x.requires_grad_()",
        "y = x[x > 0]; y.zero_()",
        "x.__setattr__('a', 1)",
        "out = []; out[0:] = [x]",
        "lambda: x.zero_()",
    ],
)
def test_not_written(body):
    lines = "\n".join("    " + line for line in body.split("; "))
    assert read(f"def f(x):\n{lines}").written == set()


@pytest.mark.parametrize("value", ["x", "x.view(-1)", "x.T", "x[None, :2]", "(y, x.detach())", "x.relu_()", "own(x)"])
def test_returned(value):
    assert read(f"def own(t):\n    return t.squeeze()\ndef f(x):\n    y = x + 1\n    return {value}").returned == {"x"}


@pytest.mark.parametrize("value", ["x.contiguous()", "x.reshape(-1)", "x if x.numel() else x * 2"])
def test_returned_for_some_inputs(value):
    found = read(f"def f(x):\n    return {value}")
    assert (found.returned, found.perhaps_returned) == (set(), {"x"})


@pytest.mark.parametrize("value", ["x.clone()", "x * 1", "x.t().contiguous()", "x.view(-1).clone()", "x[idx]"])
def test_returned_anew(value):
    found = read(f"def f(x, idx):\n    return {value}")
    assert not found.returned | found.perhaps_returned


def test_a_branch_that_returns_is_over():
    source = (
        "def f(x):\n    if x is None:\n        y = x\n        return y + 1\n    else:\n        y = x * 2\n    return y"
    )
    found = read(source)
    assert not found.returned | found.perhaps_returned


def test_a_name_that_is_one_thing_or_another():
    source = "def f(x, out=None):\n    if out is None:\n        out = x * 2\n    out.copy_(x)\n    return out"
    found = read(source)
    assert found.written == {"out"}
    assert found.perhaps_returned == {"out"}


def test_a_value_returned_twice():
    assert read("def f(x):\n    y = x * 2\n    return y, y").doubled
    assert not read("def f(x):\n    y = x * 2\n    return y, y + 1").doubled


def test_an_element_of_a_list_argument():
    assert read("def f(xs):\n    for x in xs:\n        x.zero_()", ["xs"]).written == {"xs"}
    assert read("def f(xs):\n    xs[0] = 1", ["xs"]).written == set()
