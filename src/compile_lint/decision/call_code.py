"""Python that makes the inputs of a call anew, from the arguments as a record describes them.

A description such as `x=float32[2,3]` or `(int64[2,16], None)` is Python by its grammar: a tensor is a subscript.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.targets.specs import DTYPES
from compile_lint.confirm.targets.vary import vary

_NAMED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_SCALAR = re.compile(rf"\b({'|'.join(DTYPES)})\[\]")
_RANDOM = ("float32", "float64", "float16", "bfloat16", "complex64", "complex128")
"""Dtypes that torch.randn fills; others are all zeros, which is a valid index as well."""

Sizes = Mapping[str, str]
"""Paths as `--vary` writes them (`x.0`), each with the name of the variable that holds the size."""


def arguments(described: Sequence[str], sizes: Sizes) -> tuple[str, ...] | None:
    """The arguments of the call as Python, `device` being a variable in it; None where one cannot be written.

    Args:
        described: the arguments as TargetBench.inputs has them.
        sizes: dimensions that vary; one that is not found among the arguments makes it None too.
    """
    left = dict(sizes)
    found: list[tuple[str, str]] = []
    for position, text in enumerate(described):
        made = _argument(text, position, left)
        if made is None:
            return None
        found.append(made)
    if left:
        return None
    unnamed = max((place for place, (name, _) in enumerate(found) if not name), default=-1)
    return tuple(f"{name}={made}" if place > unnamed else made for place, (name, made) in enumerate(found))


def _argument(text: str, position: int, left: dict[str, str]) -> tuple[str, str] | None:
    """The name, which may be empty, and the value."""
    match = _NAMED.fullmatch(text)
    name, value = (match[1], match[2]) if match else ("", text)
    try:
        tree = ast.parse(_SCALAR.sub(r"\1[()]", value), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    try:
        tree = _with_sizes(tree, {name, str(position)} - {""}, left)
        made = ast.unparse(_Tensors().visit(tree))
    except (LookupError, ValueError):
        return None
    return name, made


def _with_sizes(tree: ast.expr, names: set[str], left: dict[str, str]) -> ast.expr:
    """The value with variables in place of the sizes that vary; those that were found are taken off the list."""
    for text, variable in list(left.items()):
        try:
            (path,) = vary(f"{text}=1", "").paths
        except (ConfigError, ValueError):
            continue
        if str(path.argument) not in names:
            continue
        tree = _put(tree, path.parts, ast.Name(variable))
        del left[text]
    return tree


def _put(tree: ast.expr, parts: Sequence[str | int], name: ast.Name) -> ast.expr:
    """The value with `name` at the place that the parts lead to. LookupError or ValueError if they lead nowhere."""
    if not parts:
        if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
            return name
        raise ValueError("no size is there")
    if isinstance(tree, ast.Subscript):
        shape = _shape(tree)
        shape[int(parts[0])] = name
        tree.slice = ast.Tuple(shape)
    elif isinstance(tree, (ast.Tuple, ast.List)):
        at = int(parts[0])
        tree.elts[at] = _put(tree.elts[at], parts[1:], name)
    elif isinstance(tree, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in tree.keys]
        at = keys.index(parts[0])
        tree.values[at] = _put(tree.values[at], parts[1:], name)
    else:
        raise ValueError("no size is there")
    return tree


def _shape(tree: ast.Subscript) -> list[ast.expr]:
    return list(tree.slice.elts) if isinstance(tree.slice, ast.Tuple) else [tree.slice]


class _Tensors(ast.NodeTransformer):
    """Descriptions of tensors become calls that make them. ValueError for a name that is no tensor."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.value, ast.Name) or node.value.id not in DTYPES:
            raise ValueError("is no tensor")
        dtype = node.value.id
        shape = ast.unparse(ast.Tuple(_shape(node)))
        maker = "randn" if dtype in _RANDOM else "zeros"
        return ast.parse(f"torch.{maker}({shape}, dtype=torch.{dtype}, device=device)", mode="eval").body

    def visit_Name(self, node: ast.Name) -> ast.expr:
        raise ValueError(f"{node.id} cannot be written")

    def visit_Call(self, node: ast.Call) -> ast.expr:
        raise ValueError("a call cannot be written")
