"""Asking an expression for its truth: where tensors break the graph and where a branch is decided while tracing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference.values import (
    CERTAIN,
    LIKELY,
    POSSIBLE,
    Class,
    Const,
    Func,
    Map,
    Module,
    Ndarray,
    Py,
    Seq,
    Size,
    Tensor,
    Tracing,
    Value,
)

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame


def test(frame: Frame, node: ast.expr, event: str, skip: bool = False) -> tuple[bool | None, Value]:
    """The truth of an expression where it is known while tracing, and its value.

    Emits `event` for every tensor whose truth is asked. `and`, `or` and `not` inside a test ask their operands. The
    value is Tracing where the test holds for nothing but traced code.
    """
    if isinstance(node, ast.BoolOp):
        return _both(frame, node, event, skip)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        known, value = test(frame, node.operand, event, skip)
        if known is None:
            return None, Py("bool") if isinstance(value, Tracing) else value
        return not known, value
    from compile_lint.inference.expressions import comparison, evaluate

    value = comparison(frame, node, event) if isinstance(node, ast.Compare) else evaluate(frame, node)
    return ask(frame, node, value, event, skip), value


def truth_of_operand(frame: Frame, node: ast.expr, event: str, skip: bool = False) -> bool | None:
    """The truth of the operand of a `not` that is used as a value."""
    return test(frame, node, event, skip)[0]


def _both(frame: Frame, node: ast.BoolOp, event: str, skip: bool) -> tuple[bool | None, Value]:
    from compile_lint.inference.narrowing import narrow_through, restore

    ends_on = isinstance(node.op, ast.Or)
    result: bool | None = not ends_on
    value: Value = Py("bool")
    saved: dict[str, Value] = {}
    reach = CERTAIN
    traced = False
    try:
        for operand in node.values:
            with frame.inside(reach=reach):
                known, value = test(frame, operand, event, skip)
            traced = traced or (not ends_on and known is True and isinstance(value, Tracing))
            rare = _usually(operand) if ends_on else seldom(operand)
            flag = known is None and not isinstance(value, Tensor) and not _asks_none(operand)
            if rare or flag:
                reach = POSSIBLE
            if known is ends_on:
                return ends_on, value  # whatever the operands before it are
            if known is None:
                result = None
            # the next operand is only reached when this one did not end the expression
            narrow_through(frame, operand, not ends_on, saved)
    finally:
        restore(frame, saved)
    return result, Tracing() if traced else value


def ask(frame: Frame, node: ast.AST, value: Value, event: str, skip: bool = False) -> bool | None:
    """Emit for a tensor; say what is known of any other value."""
    if isinstance(value, Tensor):
        _emit(frame, node, value, event, skip)
        return None
    if isinstance(value, Ndarray):
        frame.emit(event, node, LIKELY, value=value, subject=node, skip=skip)
        return None
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, (Func, Class, Module)):
        return None
    if isinstance(value, Seq) and value.items is not None and value.type in ("list", "tuple"):
        return None
    if isinstance(value, (Map, Size)):
        return None
    return None


def _asks_none(node: ast.expr) -> bool:
    """`x is not None and x.any()` asks the tensor; a flag in front of it may well keep it from being asked.

    Over the models of 25 packages a flag kept the tensor from being asked in half of the cases.
    """
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        return False
    other = node.comparators[0]
    return isinstance(other, ast.Constant) and other.value is None


def _usually(node: ast.expr) -> bool:
    """`not self.training or ...`: in a served model the rest is never asked."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and seldom(node.operand)


def seldom(node: ast.expr) -> bool:
    """A condition that holds in training or in half precision only: what it guards seldom runs in a served model."""
    if isinstance(node, ast.Attribute):
        return node.attr == "training"
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        other = node.comparators[0]
        return isinstance(other, ast.Attribute) and other.attr in ("float16", "half", "float64", "double")
    return False


def _emit(frame: Frame, node: ast.AST, value: Tensor, event: str, skip: bool) -> None:
    sure = value.sure
    if value.optional and isinstance(node, (ast.Name, ast.Attribute)):
        sure = POSSIBLE  # `if x:` on something that may be None asks whether it is there
    frame.emit(event, node, sure, value=value, subject=node, skip=skip)
