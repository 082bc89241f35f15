"""A project's own functions that pass their parameters on to torch.library: a call of one registers an operator."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from compile_lint.customops.wrapped import Substituted
from compile_lint.project.modules import own_nodes


@dataclass(frozen=True, slots=True)
class Helper:
    """One such function, with its registrations in terms of its parameters."""

    parameters: tuple[str, ...]
    defaults: Mapping[str, ast.expr]
    calls: tuple[ast.Call, ...]
    lines: range
    """Of its body."""
    name: str = ""
    """Its dotted name."""
    libraries: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Library objects of its file, by names that no other file can have."""

    def expanded(self, use: ast.Call) -> Iterator[ast.Call]:
        """The registrations of a call, at its place; those that are given None for a function are not made."""
        values = dict(self.defaults)
        values.update(zip(self.parameters, use.args, strict=False))
        values.update({keyword.arg: keyword.value for keyword in use.keywords if keyword.arg})
        for call in self.calls:
            made = _Chosen(values).visit(copy.deepcopy(call))
            if not any(_is_none(argument) for argument in made.args):
                yield ast.copy_location(made, use)


def helper_of(
    node: ast.FunctionDef, registers: Callable[[ast.Call], bool], outer: Callable[[str], ast.expr | None]
) -> Helper | None:
    """What a function registers of its parameters; None if nothing.

    Args:
        node: the function.
        registers: tells whether a call registers or defines anything.
        outer: what a name of the file stands for, if that is known.
    """
    arguments = [*node.args.posonlyargs, *node.args.args]
    names = [argument.arg for argument in (*arguments, *node.args.kwonlyargs)]
    last = [argument.arg for argument in arguments][len(arguments) - len(node.args.defaults) :]
    defaults = dict(zip(last, node.args.defaults, strict=True))
    given = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    defaults.update({argument.arg: value for argument, value in given if value is not None})
    local = _locals(node, names)
    calls = []
    for call in sorted(_calls(node), key=lambda one: (one.lineno, one.col_offset)):
        made = copy.deepcopy(call)
        for _ in range(4):  # locals made of locals
            made = _Names(local).visit(made)
        words = {one.id for part in (*made.args, *made.keywords) for one in ast.walk(part) if isinstance(one, ast.Name)}
        own = words & set(names)
        made = _Outer(set(names), outer).visit(made)
        if own and registers(_receiver_chosen(made)):
            calls.append(made)
    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return Helper(tuple(names), defaults, tuple(calls), lines) if calls else None


def _calls(node: ast.FunctionDef) -> Iterator[ast.Call]:
    return (one for one in own_nodes(node) if isinstance(one, ast.Call))


def _locals(node: ast.FunctionDef, names: list[str]) -> dict[str, ast.expr]:
    """Local names that are bound once; a parameter that is bound again keeps its value where it has one."""
    bound: dict[str, list[ast.expr]] = {}
    for one in own_nodes(node):
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
            bound.setdefault(one.targets[0].id, []).append(one.value)
    found: dict[str, ast.expr] = {}
    for name, values in bound.items():
        if len(values) == 1:
            own = ast.Name(name, ast.Load())
            found[name] = ast.BoolOp(ast.Or(), [own, values[0]]) if name in names else values[0]
    return found


def _receiver_chosen(call: ast.Call) -> ast.Call:
    """`(lib or own_lib).define(...)` as `own_lib.define(...)`, to see whether it registers."""
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, (ast.BoolOp, ast.IfExp)):
        value = call.func.value
        last = value.values[-1] if isinstance(value, ast.BoolOp) else value.body
        if isinstance(value, ast.IfExp) and not isinstance(last, ast.Name):
            last = value.orelse
        return ast.Call(ast.Attribute(last, call.func.attr, ast.Load()), call.args, call.keywords)
    return call


class _Names(ast.NodeTransformer):
    """Puts what locals are bound to in their place, and never into itself."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = dict(values)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._values.get(node.id)
        again = value is not None and isinstance(value, ast.BoolOp)
        if again:
            self._values.pop(node.id)  # a parameter stands in its own value
        return copy.deepcopy(value) if value is not None else node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return node  # made by this class, or chosen when the function is called


class _Outer(ast.NodeTransformer):
    """Puts what the names of the helper's file mean in their place."""

    def __init__(self, kept: set[str], outer: Callable[[str], ast.expr | None]) -> None:
        self._kept, self._outer = kept, outer

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._outer(node.id) if node.id not in self._kept else None
        return value if value is not None else node


class _Chosen(Substituted):
    """Puts arguments in the place of parameters, and takes the side of `or` and of `if x is None` that they decide."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.op, ast.Or):
            return node
        left = [value for value in node.values if not _is_none(value)]
        return left[0] if left else node.values[-1]

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        test = node.test
        if (
            isinstance(test, ast.Compare)
            and _is_none(test.comparators[0])
            and isinstance(test.ops[0], (ast.Is, ast.IsNot))
        ):
            return node.body if _is_none(test.left) == isinstance(test.ops[0], ast.Is) else node.orelse
        return node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
