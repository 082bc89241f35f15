"""The grammar of `--vary`: which sizes, or which int arguments, take which values.

    vary: path (',' path)* '=' INT (',' INT)*
    path: ARGUMENT ('.' INDEX_OR_KEY)*

ARGUMENT is a name, or a position from 0. The last part of a path to a tensor is a dimension. Several paths change
together, as the batch size of all inputs does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compile_lint.config.errors import ConfigError

_PART = re.compile(r"-?\d+|[A-Za-z_]\w*")
_EXAMPLE = "x.0=1,2,4,8"


@dataclass(frozen=True, slots=True)
class Path:
    """Where a size or an int is: the argument by name or position, then indices, keys and a dimension."""

    text: str
    argument: str | int
    parts: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Vary:
    """One `--vary`: a set of inputs for each value, in which all paths have that value."""

    text: str
    paths: tuple[Path, ...]
    values: tuple[int, ...]


def vary(text: str, place: str) -> Vary:
    """One `--vary`. `place` names the option or the key.

    Raises:
        ConfigError: it is not of the grammar.
    """
    left, equals, right = text.partition("=")
    if not equals:
        raise ConfigError(f"{place}: {text!r}: at {len(text) + 1}: expected '=' and values, such as {_EXAMPLE}")
    paths = tuple(_path(part, text, at, place) for part, at in _split(left, 1))
    values = tuple(_value(part, text, at, place) for part, at in _split(right, len(left) + 2))
    return Vary(text, paths, values)


def path_of(text: str, place: str) -> Path:
    """One path, such as `x.0`. ConfigError, naming the place, if it is none."""
    return _path(text, text, 1, place)


def _split(text: str, at: int) -> list[tuple[str, int]]:
    """The parts between commas, stripped, each with its position from 1."""
    found = []
    for part in text.split(","):
        found.append((part.strip(), at + len(part) - len(part.lstrip())))
        at += len(part) + 1
    return found


def _path(part: str, text: str, at: int, place: str) -> Path:
    pieces = part.split(".")
    if not all(_PART.fullmatch(piece) for piece in pieces) or pieces[0].startswith("-"):
        raise ConfigError(
            f"{place}: {text!r}: at {at}: expected an argument and a dimension, such as x.0 (or 0.0 by position), "
            f"not {part!r}"
        )
    argument, *parts = (piece if piece[0].isalpha() or piece[0] == "_" else int(piece) for piece in pieces)
    return Path(part, argument, tuple(parts))


def _value(part: str, text: str, at: int, place: str) -> int:
    if not re.fullmatch(r"-?\d+", part):
        raise ConfigError(f"{place}: {text!r}: at {at}: expected a whole number, not {part!r}; write it as {_EXAMPLE}")
    return int(part)
