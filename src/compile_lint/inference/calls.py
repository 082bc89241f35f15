"""Calls: who is called, with what, and what comes back."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from compile_lint.inference import expressions, externals, methods
from compile_lint.inference.callbacks import callbacks
from compile_lint.inference.iteration import element
from compile_lint.inference.values import (
    UNKNOWN,
    Bound,
    Class,
    External,
    Func,
    Instance,
    Map,
    Method,
    Module,
    Seq,
    Union,
    Unknown,
    Value,
    join_all,
)

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame


class Arguments:
    """The arguments of one call, evaluated. `open`: a `*` or `**` of unknown length stands among them."""

    __slots__ = ("keywords", "nodes", "open", "places", "positional")

    def __init__(
        self,
        positional: list[Value],
        keywords: dict[str, Value],
        open: bool,
        nodes: list[ast.expr],
        places: dict[str, ast.expr] | None = None,
    ) -> None:
        self.positional = positional
        self.keywords = keywords
        self.open = open
        self.nodes = nodes
        self.places = places or {}

    def node(self, position: int, name: str) -> ast.expr | None:
        """The expression of an argument; None where the call does not show it."""
        if name in self.places:
            return self.places[name]
        return self.nodes[position] if 0 <= position < len(self.nodes) else None

    def get(self, position: int, name: str) -> Value | None:
        """The argument of a parameter; None where the call does not give it."""
        if name in self.keywords:
            return self.keywords[name]
        if 0 <= position < len(self.positional):
            return self.positional[position]
        return None

    def without_first(self) -> Arguments:
        """The arguments after the first one."""
        return Arguments(self.positional[1:], self.keywords, self.open, self.nodes[1:])

    def all(self) -> list[Value]:
        """Every argument value."""
        return [*self.positional, *self.keywords.values()]


def arguments(frame: Frame, node: ast.Call) -> Arguments:
    """Evaluate a call's arguments from left to right."""
    evaluate = expressions.evaluate
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    nodes: list[ast.expr] = []
    places: dict[str, ast.expr] = {}
    is_open = False
    for argument in node.args:
        value = evaluate(frame, argument)
        if not isinstance(argument, ast.Starred):
            positional.append(value)
            nodes.append(argument)
            continue
        known = value.items if isinstance(value, Seq) else None
        if known is None:
            is_open = True
            known = (element(frame, argument, value),)
        positional.extend(known)
        nodes.extend([argument] * len(known))
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            places[keyword.arg] = keyword.value
        elif isinstance(value, Map):
            keywords.update({str(k): v for k, v in value.items.items()})
            is_open = is_open or value.open
        else:
            is_open = True
    return Arguments(positional, keywords, is_open, nodes, places)


def call(frame: Frame, node: ast.Call) -> Value:
    """The value of a call expression."""
    if isinstance(node.func, ast.Name) and node.func.id == "super" and frame.lookup("super") is None:
        return _super(frame, node)
    func = expressions.evaluate(frame, node.func)
    return apply(frame, node, func, arguments(frame, node))


def _super(frame: Frame, node: ast.Call) -> Value:
    owner = frame.bound_class
    if owner is None:
        return UNKNOWN
    receiver = frame.env.get("self")
    if receiver is None and frame.info is not None and frame.info.node.args.args:
        receiver = frame.env.get(frame.info.node.args.args[0].arg)
    if isinstance(receiver, Instance):
        return Instance(receiver.info, receiver.fields, super_of=owner)
    return UNKNOWN


def apply(frame: Frame, node: ast.AST, func: Value, args: Arguments) -> Value:
    """Call a value."""
    handler = _APPLY.get(type(func), _unknown)
    return handler(frame, node, func, args)


def _function(frame: Frame, node: ast.AST, func: Func, args: Arguments) -> Value:
    return frame.engine.call_function(frame, node, func, args.positional, args.keywords, args.open)


def _outside(frame: Frame, node: ast.AST, func: Module, args: Arguments) -> Value:
    return externals.call(frame, node, func.name, args)


def _object(frame: Frame, node: ast.AST, func: Instance, args: Arguments) -> Value:
    return frame.engine.call_instance(frame, node, func, args)


def _class(frame: Frame, node: ast.AST, func: Class, args: Arguments) -> Value:
    return frame.engine.construct(frame, node, func.info, args)


def _bound(frame: Frame, node: ast.AST, func: Bound, args: Arguments) -> Value:
    merged = {**func.kwargs, **args.keywords}
    return apply(frame, node, func.func, Arguments([*func.args, *args.positional], merged, args.open, args.nodes))


def _any(frame: Frame, node: ast.AST, func: Union, args: Arguments) -> Value:
    return join_all([apply(frame, node, option, args) for option in func.options])


def _element(frame: Frame, node: ast.AST, func: Seq, args: Arguments) -> Value:
    return apply(frame, node, func.elem, args) if func.elem is not func else UNKNOWN


def _unknown(frame: Frame, node: ast.AST, func: Value, args: Arguments) -> Value:
    if isinstance(func, Unknown) and func.argument and func.argument in frame.env:
        frame.engine.argument_called(frame, node, func)
    callbacks(frame, node, args)
    return UNKNOWN


_APPLY: dict[type, Callable[..., Value]] = {
    Func: _function,
    Module: _outside,
    Method: methods.call,
    Instance: _object,
    Class: _class,
    External: externals.call_instance,
    Bound: _bound,
    Union: _any,
    Seq: _element,
}
