"""Branches that run at most once for an object: what guards them is an attribute that they set themselves.

`if self.table is None: self.table = self.build()`, `if n > self.longest: self.longest = n`. A graph break in there is
paid for in the first call and never again, and a model that was called before it is compiled never shows it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from compile_lint.inference.values import Instance

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame

Store = tuple[str, str, ast.expr]
"""The object's name, the attribute, and what is assigned to it."""


def runs_once(frame: Frame, node: ast.If) -> bool:
    """Whether the body of an `if`, or a method that it calls, makes the test false from now on."""
    stores = list(_stored(node.body))
    for call in _method_calls(node.body):
        stores.extend(_stored_by(frame, call))
    return bool(stores) and switches_off(node.test, stores)


def _method_calls(body: list[ast.stmt]) -> Iterator[ast.Call]:
    for statement in body:
        call = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
        ):
            yield call


def _stored_by(frame: Frame, call: ast.Call) -> Iterator[Store]:
    """What a method assigns to its own object, with the names of its parameters replaced by the arguments."""
    assert isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    receiver = frame.lookup(call.func.value.id)
    method = frame.engine.method(receiver, call.func.attr) if isinstance(receiver, Instance) else None
    node = method.info.node if method is not None else None
    if not isinstance(node, ast.FunctionDef):
        return
    own, *parameters = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)] or [""]
    given = dict(zip(parameters, call.args, strict=False))
    given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
    for name, attribute, value in _stored(node.body):
        if name == own:
            passed = given.get(value.id, value) if isinstance(value, ast.Name) else value
            yield call.func.value.id, attribute, passed


def _stored(body: list[ast.stmt]) -> Iterator[Store]:
    """What the statements of one block, not those nested in them, assign to attributes of a name."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    yield target.value.id, target.attr, statement.value


def switches_off(test: ast.expr, stores: list[Store]) -> bool:
    """Whether one of the assignments makes the test false from now on."""
    operands = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(_is_off(operand, store) for operand in operands for store in stores)


def _is_off(test: ast.expr, store: Store) -> bool:
    value = store[2]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return (_names(test.operand, store) or _asks_whether_there(test.operand, store)) and not _empty(value)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test.left, test.ops[0], test.comparators[0], store)
    return _names(test, store) and _empty(value)


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr, store: Store) -> bool:
    value = store[2]
    other = right if _names(left, store) else left if _names(right, store) else None
    if other is None or any(_names(node, store) for node in ast.walk(value)):
        return False
    if isinstance(op, (ast.Is, ast.Eq)):
        return not _same(other, value) and isinstance(other, ast.Constant)
    if isinstance(op, (ast.IsNot, ast.NotEq)):
        return _same(other, value)
    return isinstance(op, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)) and _same(other, value)


def _names(node: ast.AST, store: Store) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == store[1]
        and isinstance(node.value, ast.Name)
        and node.value.id == store[0]
    )


def _asks_whether_there(node: ast.expr, store: Store) -> bool:
    """`hasattr(self, "table")`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr"):
        return False
    held = [a.id if isinstance(a, ast.Name) else a.value if isinstance(a, ast.Constant) else None for a in node.args]
    return held == [store[0], store[1]]


def _empty(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)
