"""Checks of the values that describe a target, whether a table of the configuration or an option gave them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.config.plain import plain, wrong
from compile_lint.config.target_keys import TARGET_BY_NAME, TargetKey

_UNITS = {
    "": 1, "b": 1,
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
    "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}  # fmt: skip
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")
_SPANS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_SEED_BITS = 64
"""torch.manual_seed takes so many."""


def tables(value: object, place: str) -> tuple[dict[str, Any], ...]:
    """The `[[target]]` tables, their values checked; a table without `name` gets the text of its target.

    Raises:
        ConfigError: an unknown key, a value that is not valid, no `target`, or a name that is taken.
    """
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, Mapping) for item in value):
        raise ConfigError(f"{place}: must be tables, each under [[{place.rpartition(' ')[2]}]]")
    found: list[dict[str, Any]] = []
    for number, item in enumerate(value, 1):
        table = _table(item, f"{place} {_called(item, number)}")
        taken = next((n for n, other in enumerate(found, 1) if other["name"] == table["name"]), 0)
        if taken:
            raise ConfigError(
                f"{place} {number}: name: {table['name']!r} is the name of {place.rpartition(' ')[2]} {taken} too; "
                "give each a name of its own"
            )
        found.append(table)
    return tuple(found)


def _called(item: Mapping[str, Any], number: int) -> str:
    name = item.get("name")
    return repr(name) if isinstance(name, str) and name else str(number)


def _table(item: Mapping[str, Any], place: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, given in item.items():
        key = TARGET_BY_NAME.get(name)
        if key is None:
            raise ConfigError(f"{place}: {name}: unknown key{hint(name, TARGET_BY_NAME)}")
        values[name] = check(key, given, f"{place}: {name}")
    if not values.get("target"):
        raise ConfigError(f'{place}: has no target; write target = "path/file.py:name"')
    if values.get("input") and values.get("inputs"):
        raise ConfigError(f"{place}: has input and inputs; one of them says what it is called with")
    values["name"] = values.get("name") or values["target"]
    return values


def check(key: TargetKey, value: object, place: str) -> Any:
    """The value of one key, of the type that `Target` holds. `place` says where it stands.

    Numbers and sizes may be texts, as options give them.

    Raises:
        ConfigError: it is of another type, or no valid choice.
    """
    if key.shape == "strings":
        return _strings(value, place)
    if key.shape == "literals":
        return _literals(value, place)
    if key.shape == "settings":
        return settings(value, place)
    if key.shape == "seconds":
        return seconds(value, place)
    if key.shape == "bytes":
        return size(value, place)
    if key.shape == "int":
        return _seed(value, place)
    return plain(key.shape, key.choices, value, place)


def seconds(value: object, place: str) -> float:
    """A time: a number of seconds above 0, or a text such as 90, 90s, 5m."""
    number = value
    if isinstance(value, str):
        found = _SIZE.fullmatch(value.strip())
        if found and found[2].lower() in _SPANS:
            number = float(found[1]) * _SPANS[found[2].lower()]
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not 0 < number < math.inf:
        raise wrong(place, "a number of seconds above 0, such as 300 or '5m'", value)
    return float(number)


def size(value: object, place: str) -> int:
    """Bytes: a whole number, or a text with a unit such as 4GiB, 512MB; 0 for no limit."""
    number = value
    if isinstance(value, str):
        found = _SIZE.fullmatch(value.strip())
        if found and found[2].lower() in _UNITS:
            number = int(float(found[1]) * _UNITS[found[2].lower()])
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise wrong(place, "a size such as '4GiB' or '512MiB'", value)
    return number


def settings(value: object, place: str) -> dict[str, str | int | float | bool]:
    """Settings of torch._dynamo.config by name; whether they exist only the worker's torch can say."""
    if not isinstance(value, Mapping):
        raise wrong(place, "a table such as { capture_scalar_outputs = true }", value)
    for name, given in value.items():
        if not isinstance(given, (str, int, float, bool)):
            raise wrong(f"{place}.{name}", "true or false, a number or a string", given)
    return {str(name): given for name, given in value.items()}


def _strings(value: object, place: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise wrong(place, "a string or a list of strings", value)


def _literals(value: object, place: str) -> tuple[str, ...]:
    """`dim=64` texts; a table of TOML values stands for the same."""
    if isinstance(value, Mapping):
        return tuple(f"{name}={given!r}" for name, given in value.items())
    return _strings(value, place)


def _seed(value: object, place: str) -> int:
    number = value
    if isinstance(value, str) and re.fullmatch(r"[0-9]+", value.strip()):
        number = int(value)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << _SEED_BITS:
        raise wrong(place, f"a whole number from 0 to 2**{_SEED_BITS}-1", value)
    return number
