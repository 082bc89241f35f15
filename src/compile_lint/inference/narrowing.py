"""What a test says about the variables in it: `x is None`, `isinstance(x, Tensor)`, `not`, `and`, `or`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from compile_lint.inference.values import (
    CERTAIN,
    NONE,
    UNKNOWN,
    Const,
    Instance,
    Py,
    Tensor,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame

MAX_CALLS = 2
_MISSING = Const("<missing>")


@contextmanager
def narrowed(frame: Frame, test: ast.expr, outcome: bool) -> Iterator[None]:
    """Evaluate something knowing that a test came out as `outcome`."""
    saved: dict[str, Value] = {}
    narrow_through(frame, test, outcome, saved)
    try:
        yield
    finally:
        restore(frame, saved)


def restore(frame: Frame, saved: dict[str, Value]) -> None:
    """Undo a narrowing."""
    for name, value in saved.items():
        if value is _MISSING:
            frame.env.pop(name, None)
        else:
            frame.env[name] = value


def narrow_through(frame: Frame, test: ast.expr, outcome: bool, saved: dict[str, Value] | None = None) -> None:
    """Change the frame's variables to what a test's outcome leaves of them, keeping the old ones in `saved`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow_through(frame, test.operand, not outcome, saved)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) == outcome:
            for operand in test.values:
                narrow_through(frame, operand, outcome, saved)
        else:
            _narrow_single(frame, test, outcome, saved)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        _narrow_compare(frame, test, outcome, saved)
    elif isinstance(test, ast.Call):
        _narrow_call(frame, test, outcome, saved)
    elif isinstance(test, ast.Name) and outcome:
        value = frame.lookup(test.id)
        if value is not None:
            _set(frame, test.id, without_none(value), saved)


def _narrow_single(frame: Frame, test: ast.BoolOp, outcome: bool, saved: dict[str, Value] | None) -> None:
    """`x is not None and is_compiling()` that came out false: the one operand that is open decided it."""
    calls = [operand for operand in test.values if isinstance(operand, ast.Call)]
    others = [operand for operand in test.values if not isinstance(operand, ast.Call)]
    if len(others) != 1 or not calls or len(calls) > MAX_CALLS:
        return
    from compile_lint.inference.truth import test as truth

    frame.muted += 1
    try:
        decided = all(truth(frame, operand, "branch")[0] is not outcome and _known(frame, operand) for operand in calls)
    finally:
        frame.muted -= 1
    if decided:
        narrow_through(frame, others[0], outcome, saved)


def _known(frame: Frame, node: ast.expr) -> bool:
    from compile_lint.inference.truth import test as truth

    return truth(frame, node, "branch")[0] is not None


def _narrow_compare(frame: Frame, test: ast.Compare, outcome: bool, saved: dict[str, Value] | None) -> None:
    left, right, op = test.left, test.comparators[0], test.ops[0]
    if isinstance(left, ast.NamedExpr):
        left = left.target
    if not isinstance(left, ast.Name) or not (isinstance(right, ast.Constant) and right.value is None):
        return
    value = frame.lookup(left.id)
    if value is None or not isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        return
    is_none = isinstance(op, (ast.Is, ast.Eq)) == outcome
    _set(frame, left.id, NONE if is_none else without_none(value), saved)


def without_none(value: Value) -> Value:
    """What is left of a value that is not None."""
    if isinstance(value, Tensor) and value.optional:
        return value.replaced(optional=False)
    if isinstance(value, Py) and value.optional:
        return Py(value.type, value.argument)
    if isinstance(value, Const) and value.value is None:
        return UNKNOWN
    return value


def _narrow_call(frame: Frame, test: ast.Call, outcome: bool, saved: dict[str, Value] | None) -> None:
    name = frame.module.dotted(test.func)
    subject = test.args[0] if test.args else None
    variable = _variable(subject)
    if subject is None or not variable:
        return
    value = _current(frame, subject, variable)
    if value is None:
        return
    if name in ("torch.is_tensor", "torch.is_floating_point"):
        classes = ["torch.Tensor"]
    elif name == "isinstance" and len(test.args) == 2:
        classes = _class_names(frame, test.args[1])
    else:
        return
    new = _as_instance(frame, subject, value, classes, outcome)
    if new is not None:
        _set(frame, variable, new, saved)


def _variable(node: ast.expr | None) -> str:
    """The key of what is narrowed: a variable, or an attribute of one."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""


def _current(frame: Frame, node: ast.expr, variable: str) -> Value | None:
    if isinstance(node, ast.Name):
        return frame.lookup(variable)
    from compile_lint.inference.expressions import evaluate

    frame.muted += 1
    try:
        return evaluate(frame, node)
    finally:
        frame.muted -= 1


def _class_names(frame: Frame, node: ast.expr) -> list[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return [frame.module.dotted(p) for p in parts]


def _as_instance(frame: Frame, node: ast.AST, value: Value, classes: list[str], outcome: bool) -> Value | None:
    tensors = all(c.startswith("torch.") and c.endswith(("Tensor", "Parameter")) for c in classes)
    if outcome and tensors:
        if isinstance(value, Tensor):
            return value.replaced(optional=False)
        return Tensor(origin=frame.origin(node, "isinstance"), made="input", sure=CERTAIN)
    if outcome and len(classes) == 1 and classes[0] in ("int", "float", "bool", "str"):
        return value if isinstance(value, (Py, Const)) and not isinstance(value, Tensor) else Py(classes[0])
    if outcome and len(classes) == 1 and isinstance(value, (Unknown, Tensor)):
        target = frame.engine.class_named(frame.module, classes[0])
        return Instance(target) if target is not None else UNKNOWN
    if outcome and isinstance(value, Tensor):
        return UNKNOWN
    if not outcome and tensors and isinstance(value, Tensor):
        return NONE if value.optional else UNKNOWN
    return None


def _set(frame: Frame, name: str, value: Value, saved: dict[str, Value] | None) -> None:
    if saved is not None and name not in saved:
        saved[name] = frame.env.get(name, _MISSING)
    frame.env[name] = value
