"""Checks of single values: from TOML or from an option to what the tool works with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compile_lint.config import business_values, target_values
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import NO_KIND, TORCH_BY_NAME, Key
from compile_lint.config.nearest import hint
from compile_lint.config.plain import plain, wrong

_LISTS = ("codes", "globs", "paths", "strings", "kinds")


def check(key: Key, value: object, place: str) -> Any:
    """The value of `key`, of the right type; codes are checked later, against the rules.

    Raises:
        ConfigError: it is of another type or no valid choice. `place` says where it stands.
    """
    if key.shape in _LISTS:
        items = strings(value, place)
        return kinds(items, key, place) if key.shape == "kinds" else items
    if key.shape == "outputs":
        return tuple(output(item, key.choices, place) for item in strings(value, place))
    if key.shape == "score":
        return score(value, place)
    if key.shape == "count":
        return count(value, place)
    if key.shape == "ignores":
        return _ignores(value, place)
    if key.shape == "torch":
        return _torch(value, place)
    if key.shape == "targets":
        return target_values.tables(value, place)
    if key.shape == "business":
        return business_values.table(value, place)
    return plain(key.shape, key.choices, value, place)


def strings(value: object, place: str) -> tuple[str, ...]:
    """A list of strings, or one string."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise wrong(place, "a list of strings", value)


def kinds(items: Sequence[str], key: Key, place: str) -> tuple[str, ...]:
    """Kinds of findings; `none`, alone, stands for no kind."""
    for item in items:
        if item not in key.choices:
            raise ConfigError(f"{place}: {item!r} is not a kind of finding{hint(item, key.choices)}")
    if NO_KIND in items and len(items) > 1:
        raise ConfigError(f"{place}: {NO_KIND!r} goes with no other kind")
    return tuple(dict.fromkeys(item for item in items if item != NO_KIND))


def output(item: str, forms: Sequence[str], place: str) -> tuple[str, str]:
    """`FORM` or `FORM=FILE`: the form and the file, empty where the report is printed."""
    form, equals, path = item.partition("=")
    if form not in forms:
        raise ConfigError(f"{place}: {form!r} is no form of a report{hint(form, forms)}")
    if equals and not path:
        raise ConfigError(f"{place}: {item!r} names no file after `=`; without `=` the report is printed")
    return form, path


def score(value: object, place: str) -> float:
    """A number from 0 to 100."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 100:
        raise wrong(place, "a number from 0 to 100", value)
    return float(value)


def count(value: object, place: str) -> int:
    """A whole number; 0 stands for as many as fit."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong(place, "a whole number, 0 for as many as fit", value)
    return value


def _ignores(value: object, place: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise wrong(place, 'a table such as { "tests/**" = ["CL6"] }', value)
    return tuple((str(glob), strings(codes, f"{place}.{glob!r}")) for glob, codes in value.items())


def _torch(value: object, place: str) -> dict[str, bool | int]:
    if not isinstance(value, Mapping):
        raise wrong(place, "a table such as { capture_scalar_outputs = true }", value)
    found: dict[str, bool | int] = {}
    for name, given in value.items():
        key = TORCH_BY_NAME.get(name)
        if key is None:
            raise ConfigError(
                f"{place}.{name}: no setting of torch._dynamo.config that is known here{hint(name, TORCH_BY_NAME)}"
            )
        if type(given) is not type(key.default):
            raise wrong(
                f"{place}.{name}", "true or false" if isinstance(key.default, bool) else "a whole number", given
            )
        found[name] = given
    return found
