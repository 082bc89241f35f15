"""`with`: which context managers TorchDynamo enters, and which of them let a graph break inside resume."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference.values import (
    UNKNOWN,
    Bound,
    Const,
    External,
    Func,
    Instance,
    Method,
    Module,
    Union,
    Value,
)

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame


def enter(frame: Frame, node: ast.expr) -> tuple[bool, Value]:
    """Enter the context manager of a `with` item: whether a break in the body resumes, and what `as` binds."""
    from compile_lint.inference.expressions import evaluate

    if isinstance(node, ast.Call):
        name = callee(frame, node)
        if name and frame.engine.contexts.get(name) is not None:
            with_arguments(frame, node)
            return _known(frame, node, name), External(name)
    value = evaluate(frame, node)
    return entered(frame, node, value)


def callee(frame: Frame, node: ast.Call) -> str:
    """The dotted name that a context manager's call resolves to; empty for project code."""
    name = frame.module.dotted(node.func)
    if isinstance(node.func, (ast.Name, ast.Attribute)) and frame.lookup(_first(node.func)) is None:
        if frame.engine.project.resolve(name) is not None:
            return ""
        return f"builtins.{name}" if name == "open" else name
    local = frame.lookup(_first(node.func))
    if isinstance(local, Module):
        rest = name.partition(".")[2]
        return f"{local.name}.{rest}" if rest else local.name
    return ""


def _first(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def with_arguments(frame: Frame, node: ast.Call) -> None:
    """Evaluate the arguments of the context manager's constructor for their own events."""
    from compile_lint.inference.calls import arguments

    arguments(frame, node)


def _known(frame: Frame, node: ast.AST, name: str) -> bool:
    fact = frame.engine.contexts.get(name)
    if fact is None:
        return False
    if fact.outcome != "ok":
        event = "forbidden-call" if fact.outcome == "error" else "context-manager"
        frame.emit(event, node, subject=name, callee=name, ids=fact.ids, skip=True)
    return fact.inside == "break"


def entered(frame: Frame, node: ast.expr, value: Value) -> tuple[bool, Value]:
    """Enter an object that is a context manager."""
    if isinstance(value, External):
        return _known(frame, node, value.name), UNKNOWN
    if isinstance(value, Union):
        results = [entered(frame, node, option) for option in value.options]
        return all(r[0] for r in results), UNKNOWN
    if isinstance(value, Instance):
        return False, _instance(frame, node, value)
    if isinstance(value, (Func, Bound, Const, Method)):
        return False, UNKNOWN
    return False, value


def _instance(frame: Frame, node: ast.expr, value: Instance) -> Value:
    mode = "torch.utils._python_dispatch.TorchDispatchMode"
    if any(base == mode for base in frame.engine.project.mro(value.info) if isinstance(base, str)):
        frame.emit("context-manager", node, subject=node, ids=("GB0007",), skip=True)
        return UNKNOWN
    result: Value = UNKNOWN
    with frame.inside(skip=1):
        for name in ("__enter__", "__exit__"):
            method = frame.engine.method(value, name)
            if method is not None:
                given: list[Value] = [UNKNOWN] * 3 if name == "__exit__" else []
                made = frame.engine.call_function(frame, node, method, given, {})
                result = made if name == "__enter__" else result
    return result
