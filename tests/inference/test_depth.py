"""Deep nesting: the work grows with the code, and nothing crashes."""

import importlib
import pkgutil

import pytest

from compile_lint import inference
from compile_lint.inference import expressions, statements

HEAD = "import torch\n\n\n@torch.compile\ndef fn(x, n: int):\n    y = x * 2\n"


def nested(kind, depth):
    """A function whose statements or expressions nest so deep."""
    if kind in ("for", "while", "if", "with", "try"):
        return HEAD + _blocks(kind, depth) + "    return y\n"
    if kind == "functions":
        return HEAD + _functions(depth) + "    return inner_0(y)\n"
    if kind == "lambdas":
        return HEAD + f"    return ({'lambda y: ' * depth}y){'(y)' * depth}\n"
    if kind == "calls":
        return HEAD + f"    return {'torch.relu(' * depth}y{')' * depth}\n"
    if kind == "helpers":
        return _helpers(depth) + HEAD + "    return helper_0(y)\n"
    if kind == "comprehensions":
        return HEAD + f"    return {'[' * depth}y{' for i in range(n)]' * depth}\n"
    if kind == "binary":
        return HEAD + f"    return y{' + (y * y)' * depth}\n"
    if kind == "boolean":
        return HEAD + f"    return y if {'(n > 1 and ' * depth}n{')' * depth} else -y\n"
    raise AssertionError(kind)


_OPENERS = {
    "for": "for i in range(n):",
    "while": "while n > 0:",
    "if": "if n > {level}:",
    "with": "with torch.no_grad():",
    "try": "try:",
}


def _blocks(kind, depth):
    lines = []
    for level in range(depth):
        indent = "    " * (level + 1)
        lines.append(indent + _OPENERS[kind].format(level=level))
        lines.append(indent + f"    y = y + {level}")
    if kind == "try":
        lines += ["    " * (level + 1) + "except ValueError: y = y - 1" for level in reversed(range(depth))]
    return "".join(line + "\n" for line in lines)


def _functions(depth):
    lines = []
    for level in range(depth):
        lines.append("    " * (level + 1) + f"def inner_{level}(y):")
    for level in reversed(range(depth)):
        inner = f"inner_{level + 1}(y)" if level + 1 < depth else "y + 1"
        lines.append("    " * (level + 2) + f"return {inner}")
    return "".join(line + "\n" for line in lines)


def _helpers(depth):
    """Each calls the next one twice: with nothing kept, 2 ** depth calls."""
    text = "".join(
        f"def helper_{level}(y):\n    return helper_{level + 1}(y) + helper_{level + 1}(y)\n\n"
        for level in range(depth)
    )
    return text + f"def helper_{depth}(y):\n    return y + 1\n\n\n"


KINDS = (
    "for", "while", "if", "with", "try", "functions", "lambdas", "calls", "helpers", "comprehensions", "binary",
    "boolean",
)  # fmt: skip


@pytest.fixture
def visits(lint, monkeypatch):
    """How many expressions and blocks the analysis of a text walks."""
    counted = [0]

    def counting(function):
        def call(*args, **kwargs):
            counted[0] += 1
            return function(*args, **kwargs)

        return call

    evaluate, run_block = expressions.evaluate, statements.run_block
    for found in pkgutil.iter_modules(inference.__path__):
        module = importlib.import_module(f"{inference.__name__}.{found.name}")
        for name, function in (("evaluate", evaluate), ("run_block", run_block)):
            if getattr(module, name, None) is function:
                monkeypatch.setattr(module, name, counting(function))

    def count(text):
        counted[0] = 0
        report = lint(text).report
        assert report.errors == ()
        return counted[0]

    return count


@pytest.mark.parametrize("kind", KINDS)
def test_work_grows_linearly_with_depth(visits, kind):
    """Four times as deep costs about four times as much; work that doubles with each level would cost 2 ** 15 times."""
    deepest = 19 if kind in ("for", "while", "with", "try") else 40  # CPython takes 20 statically nested blocks
    few, many = deepest // 4, deepest // 4 * 4
    at_few, at_many = visits(nested(kind, few)), visits(nested(kind, many))
    assert at_few > 0
    assert at_many <= 6 * at_few, f"{at_few} visits at depth {few}, {at_many} at {many}"


DEEP = {
    "parentheses": "(" * 90 + "x" + ")" * 90,
    "sums": "x" + " + x" * 500,
    "methods": "x" + ".relu()" * 500,
    "minus": "-" * 500 + "x",
    "indices": "x" + "[0]" * 500,
    "calls": "torch.relu(" * 90 + "x" + ")" * 90,
    "lists": "[" * 90 + "x" + "]" * 90,
    "lambdas": "lambda: " * 90 + "x",
    "conditional": " if n else ".join(["x"] * 500),
    "comparisons": "x" + " < x" * 500,
    "and": "x" + " and x" * 500,
    "strings": "x" + " + 'a' 'b'" * 500,
}


@pytest.mark.parametrize("expression", DEEP.values(), ids=DEEP)
def test_deep_expressions(lint, expression):
    """Findings, or one clear error; and the next function is analysed all the same."""
    text = HEAD + f"    z = {expression}\n    return z\n\n\n@torch.compile\ndef g(x):\n    return torch.nonzero(x)\n"
    linted = lint(text)
    last = text.count("\n")
    assert (last, "CL301") in linted.pairs
    assert all("internal error" not in error.message for error in linted.report.errors)


def test_a_chain_of_1000_branches(lint):
    chain = "".join(f"    elif n == {i}:\n        y = y + {i}\n" for i in range(1, 1000))
    text = HEAD + "    if n == 0:\n        y = y\n" + chain + "    return torch.nonzero(y)\n"
    linted = lint(text)
    assert linted.report.errors or (text.count("\n"), "CL301") in linted.pairs
    assert all("nested too deeply" in error.message for error in linted.report.errors)


def test_1000_functions_that_call_each_other(lint):
    text = "import torch\n" + "".join(f"def f_{i}(x):\n    return f_{i + 1}(x)\n" for i in range(1000))
    text += "def f_1000(x):\n    return x\n\n@torch.compile\ndef fn(x):\n    y = f_0(x)\n    return torch.nonzero(x)\n"
    linted = lint(text)
    assert linted.report.errors == ()
    assert linted.pairs == {(text.count("\n"), "CL301")}
