"""Arguments of calls that are not looked into: functions handed on, and the tensor that the result takes after."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference.iteration import items_of
from compile_lint.inference.values import LIKELY, Func, Map, Seq, Tensor, Value

if TYPE_CHECKING:
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.frame import Frame


def callbacks(frame: Frame, node: ast.AST, args: Arguments, given: list[Value] | None = None) -> list[Value]:
    """Walk the functions handed to code that is not linted, and give what they return.

    Only nested functions and lambdas: a function of the module handed on may be called anywhere or never.
    """
    results = []
    for value in args.all():
        for item in (value, *items_of(value)) if isinstance(value, (Seq, Map)) else (value,):
            if isinstance(item, Func) and item.closure is not None:
                results.append(frame.engine.call_function(frame, node, item, given or [], {}, True))
    return results


def tensor_argument(values: list[Value]) -> Tensor | None:
    """The first argument that is a tensor, for what the result inherits from it."""
    for value in values:
        if isinstance(value, Tensor) and value.sure >= LIKELY:
            return value
        if isinstance(value, Seq):
            found = tensor_argument(list(items_of(value)))
            if found is not None:
                return found
    return None
