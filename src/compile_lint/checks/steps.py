"""How the value that a finding is about came to be a tensor: the places on the way, for reports that show them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from compile_lint.findings import Step
from compile_lint.inference.frame import Event
from compile_lint.inference.values import Origin

MOST = 12
"""Steps that are told; of a longer way the first one and the last ones."""


_FAR = 200
"""Origins that are gone back over at most."""

Place = tuple[str, int, int, int]
"""Path, line, column in bytes and end column of one origin."""


class Way:
    """The origins of an event's value, the first one first, without the event's own node."""

    __slots__ = ("_origins", "places")

    def __init__(self, event: Event) -> None:
        found: dict[Place, Origin] = {}
        own = _place(Origin(event.node, event.module))
        for origin in islice(_back(event.origin), _FAR):
            place = _place(origin)
            if place != own:
                found.setdefault(place, origin)  # a loop comes by the same place again
        self.places = tuple(found)[::-1]
        self._origins = tuple(found.values())[::-1]

    @property
    def key(self) -> tuple[int, tuple[Place, ...]]:
        """Of two ways to one event the one with the smaller key is told, whichever file was analysed first."""
        return (len(self.places), self.places)

    def steps(self) -> tuple[Step, ...]:
        """The way in words."""
        origins = self._origins
        if len(origins) > MOST:
            origins = (origins[0], *origins[1 - MOST :])
        return tuple(_step(origin) for origin in origins)


def _back(origin: Origin | None) -> Iterator[Origin]:
    while origin is not None:
        yield origin
        origin = origin.base


def _place(origin: Origin) -> Place:
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
