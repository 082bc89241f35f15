"""Decorators of a project that register the function below them: `@register_meta("roi_align")`."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A function that makes a decorator, which registers what it is given by these calls."""

    parameters: tuple[str, ...]
    defaults: dict[str, ast.expr]
    calls: tuple[ast.Call, ...]

    def expanded(self, use: ast.Call) -> Iterator[ast.Call]:
        """The registrations of a use, with its arguments in the place of parameters."""
        values = dict(self.defaults)
        values.update(zip(self.parameters, use.args, strict=False))
        values.update({keyword.arg: keyword.value for keyword in use.keywords if keyword.arg})
        for call in self.calls:
            made = Substituted(values).visit(copy.deepcopy(call))
            yield ast.copy_location(made, use)


def wrappers(nodes: Iterable[ast.AST], registers: Callable[[ast.Call], bool]) -> dict[str, Wrapper]:
    """The functions of a file that make such decorators, by name; `registers` tells which calls register anything."""
    found: dict[str, Wrapper] = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            inner = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.args.args]
            calls = tuple(call for one in inner for call in _given_to(one, registers))
            if calls:
                arguments = [*node.args.args, *node.args.kwonlyargs]
                names = tuple(argument.arg for argument in arguments)
                last = names[len(node.args.args) - len(node.args.defaults) : len(node.args.args)]
                defaults = dict(zip(last, node.args.defaults, strict=True))
                found[node.name] = Wrapper(names, defaults, calls)
    return found


def _given_to(decorator: ast.FunctionDef, registers: Callable[[ast.Call], bool]) -> Iterator[ast.Call]:
    """The calls that are given the decorated function: `lib.impl(name, fn)`, `register_fake(name)(fn)`."""
    function = decorator.args.args[0].arg
    for node in ast.walk(decorator):
        if not isinstance(node, ast.Call) or not any(isinstance(a, ast.Name) and a.id == function for a in node.args):
            continue
        call = node.func if isinstance(node.func, ast.Call) else node
        if registers(call):
            yield call


class Substituted(ast.NodeTransformer):
    """Puts values in the place of names; `getattr(x, "a")` becomes `x.a`, and texts made of constants one constant."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name."""
        return self._values.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call, perhaps of getattr."""
        self.generic_visit(node)
        named = isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) == 2
        name = _constant(node.args[1]) if named else None
        return ast.Attribute(node.args[0], name, ast.Load()) if name is not None else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """An f-string."""
        self.generic_visit(node)
        parts = [_constant(one.value if isinstance(one, ast.FormattedValue) else one) for one in node.values]
        known = [part for part in parts if part is not None]
        return ast.Constant("".join(known)) if len(known) == len(parts) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A sum, perhaps of texts."""
        self.generic_visit(node)
        left, right = _constant(node.left), _constant(node.right)
        known = isinstance(node.op, ast.Add) and left is not None and right is not None
        return ast.Constant(f"{left}{right}") if known else node


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
