"""How the value that a finding is about came to be a tensor: the places on the way, for reports that show them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compile_lint.findings import Step
from compile_lint.inference.frame import Event
from compile_lint.inference.values import Origin

MOST = 12
"""Steps that are told; of a longer way the first one and the last ones."""


def steps_of(event: Event) -> tuple[Step, ...]:
    """The steps, the first one first. The event's own node is none."""
    found: dict[tuple[str, int, int, int], Origin] = {}
    own = _place(Origin(event.node, event.module))
    for origin in _way(event.origin):
        place = _place(origin)
        if place != own:
            found.setdefault(place, origin)  # a loop comes by the same place again
    way = list(found.values())[::-1]
    if len(way) > MOST:
        way = [way[0], *way[1 - MOST :]]
    return tuple(_step(origin) for origin in way)


def _way(origin: Origin | None) -> Iterator[Origin]:
    while origin is not None:
        yield origin
        origin = origin.base


def _place(origin: Origin) -> tuple[str, int, int, int]:
    node = origin.node
    start = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    return (origin.module.path, *start, getattr(node, "end_col_offset", 0) or 0)


def _step(origin: Origin) -> Step:
    node, module = origin.node, origin.module
    return Step(module.path, getattr(node, "lineno", 1), module.column(node), _text(origin))


def _text(origin: Origin) -> str:
    node, reason = origin.node, origin.reason
    source = origin.module.source(node)
    if isinstance(node, ast.arg):
        used = f": `{node.arg}.{reason.removeprefix('used ')}`" if reason.startswith("used ") else ""
        return f"`{node.arg}` is used as a tensor{used}" if used else f"`{node.arg}` is given to the compiled function"
    if reason == "annotation":
        return f"annotated as `{source}`"
    if reason == "buffer":
        return f"`{source}` is a registered buffer or parameter"
    if reason == "isinstance":
        return f"`{source}` is checked to be a tensor"
    if reason.startswith("method "):
        return f"`.{reason.removeprefix('method ')}` is a method of tensors"
    return f"`{source}` is a tensor"
