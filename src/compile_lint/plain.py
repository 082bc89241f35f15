"""Dataclasses as lists of plain JSON values and back, every value checked against the field's type on the way in."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Convert = Callable[[Any], Any]
PASSING = "passing"
"""In the metadata of a field: it is left out, and has its default when it is read."""
_SIMPLE = (str, int, float, bool, type(None))


class NotPlainError(ValueError):
    """What was read is not what was once written."""


def dump(value: Any) -> Any:
    """A dataclass as a list of its fields, and whatever is in it likewise; sets are sorted."""
    kind = type(value)
    if kind in _SIMPLE:
        return value
    if kind in (list, tuple):
        return [dump(item) for item in value]
    if kind is dict:
        return {key: dump(item) for key, item in value.items()}
    if kind in (set, frozenset):
        return sorted(dump(item) for item in value)
    if is_dataclass(kind):
        return [dump(getattr(value, name)) for name in _names(kind)]
    raise TypeError(f"{kind.__name__} has no plain form")


def load(kind: type[T], value: Any) -> T:
    """The dataclass that `dump` made this of. NotPlainError where it cannot be that."""
    try:
        found: T = _reader(kind)(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise NotPlainError(str(error)) from error
    return found


@lru_cache(maxsize=64)
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if not field.metadata.get(PASSING))


@lru_cache(maxsize=256)
def _reader(kind: Any) -> Convert:
    origin, args = get_origin(kind), get_args(kind)
    if kind in _SIMPLE:
        return _simple(kind)
    if origin is Literal:
        return _literal(args)
    if origin in (Union, types.UnionType):
        return _either(args)
    if origin is tuple and not (len(args) == 2 and args[1] is Ellipsis):
        return _fixed(args)
    if origin in (list, tuple, set, frozenset):
        return _many(origin, _reader(args[0]))
    if origin is dict:
        return _table(_reader(args[0]), _reader(args[1]))
    if is_dataclass(kind):
        return _record(kind)
    raise TypeError(f"{kind} has no plain form")


def _wrong(value: Any) -> NotPlainError:
    return NotPlainError(f"unexpected {type(value).__name__}")


def _simple(kind: type) -> Convert:
    kinds = (float, int) if kind is float else (kind,)

    def read(value: Any) -> Any:
        if type(value) not in kinds:
            raise _wrong(value)
        return value

    return read


def _literal(choices: tuple[Any, ...]) -> Convert:
    def read(value: Any) -> Any:
        if value not in choices:
            raise _wrong(value)
        return value

    return read


def _either(kinds: tuple[Any, ...]) -> Convert:
    readers = [_reader(kind) for kind in kinds if kind is not type(None)]
    optional = type(None) in kinds

    def read(value: Any) -> Any:
        if value is None and optional:
            return None
        for reader in readers[:-1]:
            try:
                return reader(value)
            except NotPlainError:
                continue
        return readers[-1](value)

    return read


def _fixed(kinds: tuple[Any, ...]) -> Convert:
    readers = [_reader(kind) for kind in kinds]

    def read(value: Any) -> Any:
        if type(value) is not list or len(value) != len(readers):
            raise _wrong(value)
        return tuple(reader(item) for reader, item in zip(readers, value, strict=True))

    return read


def _many(kind: Callable[[Any], Any], reader: Convert) -> Convert:
    def read(value: Any) -> Any:
        if type(value) is not list:
            raise _wrong(value)
        return kind([reader(item) for item in value])

    return read


def _table(key: Convert, item: Convert) -> Convert:
    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise _wrong(value)
        return {key(name): item(held) for name, held in value.items()}

    return read


def _record(kind: Any) -> Convert:
    hints = get_type_hints(kind)
    readers = [_reader(hints[name]) for name in _names(kind)]

    def read(value: Any) -> Any:
        if type(value) is not list or len(value) != len(readers):
            raise _wrong(value)
        return kind(*[reader(item) for reader, item in zip(readers, value, strict=True)])

    return read
