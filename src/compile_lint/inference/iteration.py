"""Going over a value: what each element is, how many there are, and binding loop variables."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference.values import (
    LIKELY,
    POSSIBLE,
    STR,
    SYM,
    UNKNOWN,
    Const,
    External,
    Instance,
    Map,
    Ndarray,
    Seq,
    Size,
    Tensor,
    Unknown,
    Value,
    join_all,
    unite,
)

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame

UNKNOWN_LENGTH = 2
"""How often a loop of unknown length is taken to run, for the score."""


def items_of(value: Value) -> tuple[Value, ...]:
    """Every distinct element that is known."""
    if isinstance(value, Seq):
        return value.items if value.items is not None else (value.elem,)
    if isinstance(value, Map):
        return (*value.items.values(), value.elem)
    if isinstance(value, External):
        return value.parts
    return ()


def length(value: Value) -> int:
    """How many elements a loop goes over, guessed where it is not known."""
    if isinstance(value, Seq):
        if value.items is not None:
            return len(value.items)
        if value.type.startswith("range:"):
            return int(value.type.partition(":")[2])
    if isinstance(value, External) and value.parts:
        return len(value.parts)
    return UNKNOWN_LENGTH


def element(frame: Frame, node: ast.AST, value: Value) -> Value:
    """One element of an iterable, standing for all of them."""
    if isinstance(value, Seq):
        return _seq_element(frame, node, value)
    if isinstance(value, Tensor):
        frame.operations()
        frame.engine.shape_used(frame, node, node, "iteration over a tensor", value)
        return frame.tensor(node, value.dtype, None, value.sure, of=value)
    if isinstance(value, Size):
        return SYM
    if isinstance(value, Ndarray):
        return Ndarray(value.origin)
    if isinstance(value, External):
        return _external_element(frame, node, value)
    if isinstance(value, Map):
        return STR if all(isinstance(k, str) for k in value.items) and value.items else UNKNOWN
    if isinstance(value, Const) and isinstance(value.value, str):
        return STR
    if isinstance(value, Instance):
        return _instance_element(frame, node, value)
    if isinstance(value, Unknown) and value.number:
        return frame.tensor(node, sure=LIKELY)
    return UNKNOWN


def _seq_element(frame: Frame, node: ast.AST, value: Seq) -> Value:
    if value.type == "iterator" and value.argument:
        sure = LIKELY if frame.engine.explicit else POSSIBLE
        frame.emit("generator-argument", node, sure, subject=value.argument, ids=("GB0811",), skip=True)
    if value.type.startswith("range"):
        return value.elem
    if value.items is not None:
        return unite(value.items) if _callables(value.items) else join_all(value.items)
    return value.elem


def _callables(items: tuple[Value, ...]) -> bool:
    return bool(items) and not any(isinstance(i, (Tensor, Const, Unknown, Seq)) for i in items)


def _external_element(frame: Frame, node: ast.AST, value: External) -> Value:
    if value.name.startswith("torch.utils.data.") and value.name.endswith("DataLoader"):
        frame.emit("data-loader", node, subject=node, skip=True)
        return UNKNOWN
    return unite(value.parts) if value.parts else UNKNOWN


def _instance_element(frame: Frame, node: ast.AST, value: Instance) -> Value:
    method = frame.engine.method(value, "__iter__")
    if method is None:
        return UNKNOWN
    result = frame.engine.call_function(frame, node, method, [], {})
    if isinstance(result, Instance):
        following = frame.engine.method(result, "__next__")
        return frame.engine.call_function(frame, node, following, [], {}) if following else UNKNOWN
    return element(frame, node, result) if isinstance(result, Seq) else UNKNOWN


def bind(frame: Frame, target: ast.expr, value: Value) -> None:
    """Assign a value to a target: a name, an unpacking, an attribute or a subscript."""
    if isinstance(target, ast.Name):
        frame.env[target.id] = value
        if target.id in frame.globals:
            frame.engine.global_assigned(frame, target, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(frame, target, value)
    elif isinstance(target, ast.Starred):
        bind(frame, target.value, Seq("list", None, value))
    else:
        _bind_part(frame, target, value)


def _bind_part(frame: Frame, target: ast.expr, value: Value) -> None:
    """Assign to an attribute or a subscript."""
    from compile_lint.inference import attributes, subscripts
    from compile_lint.inference.expressions import evaluate

    if isinstance(target, ast.Attribute):
        attributes.store(frame, target, evaluate(frame, target.value), value)
    elif isinstance(target, ast.Subscript):
        subscripts.store(frame, target, evaluate(frame, target.value), value)


def _unpack(frame: Frame, target: ast.Tuple | ast.List, value: Value) -> None:
    parts = target.elts
    starred = any(isinstance(p, ast.Starred) for p in parts)
    if isinstance(value, Seq) and value.items is not None and len(value.items) == len(parts) and not starred:
        for part, item in zip(parts, value.items, strict=True):
            bind(frame, part, item)
        return
    if isinstance(value, Seq) and value.items is not None and starred:
        _unpack_starred(frame, parts, value.items)
        return
    each = element(frame, target, value)
    for part in parts:
        bind(frame, part, each)


def _unpack_starred(frame: Frame, parts: list[ast.expr], items: tuple[Value, ...]) -> None:
    at = next(i for i, p in enumerate(parts) if isinstance(p, ast.Starred))
    after = len(parts) - at - 1
    if len(items) < at + after:
        for part in parts:
            bind(frame, part, UNKNOWN)
        return
    for part, item in zip(parts[:at], items[:at], strict=True):
        bind(frame, part, item)
    middle = items[at : len(items) - after]
    star = parts[at]
    if isinstance(star, ast.Starred):
        bind(frame, star.value, Seq("list", middle, join_all(middle)))
    for part, item in zip(parts[at + 1 :], items[len(items) - after :], strict=True):
        bind(frame, part, item)
