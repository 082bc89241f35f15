"""Checks of money and traffic, whether the `business` table of the configuration or an option gave them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from compile_lint.config.business_keys import BUSINESS_BY_NAME, TARGETS, BusinessKey
from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.config.plain import wrong
from compile_lint.config.target_values import seconds

LARGEST = 1e15
"""No service costs or serves more; larger numbers would lose their last digits."""
_CURRENCY = 8
_GROUPED = re.compile(r"\d{1,3}([,_]\d{3})+(\.\d+)?")


def table(value: object, place: str) -> dict[str, Any]:
    """The values of the table, and under `target` those of single targets by name.

    Raises:
        ConfigError: an unknown key, a value that is not valid, or the cost of the work given twice.
    """
    if not isinstance(value, Mapping):
        raise wrong(place, "a table such as { gpu-cost-per-month = 10000 }", value)
    found = _values({name: given for name, given in value.items() if name != TARGETS}, place, (TARGETS,))
    targets = value.get(TARGETS, {})
    if not isinstance(targets, Mapping):
        raise wrong(f"{place}.{TARGETS}", "tables by the name of a target", targets)
    below = {}
    for name, given in targets.items():
        if not isinstance(given, Mapping):
            raise wrong(f"{place}.{TARGETS}.{name}", "a table such as { requests-per-day = 1000 }", given)
        below[str(name)] = _values(given, f"{place}.{TARGETS}.{name}")
    return {**found, TARGETS: below} if below else found


def check(key: BusinessKey, value: object, place: str) -> float | str:
    """The value of one key. Numbers may be texts, as options give them, with thousands set apart (`10,000`).

    Raises:
        ConfigError: it is of another type, negative, endless or too large. `place` says where it stands.
    """
    if key.shape == "currency":
        if not isinstance(value, str) or not value.strip() or len(value) > _CURRENCY or not value.isprintable():
            raise wrong(place, f"a currency of at most {_CURRENCY} letters, such as USD", value)
        return value.strip()
    if key.shape == "seconds":
        return seconds(value, place)
    found = _number(value, place)
    if key.shape == "positive" and not found:
        raise wrong(place, "above 0", value)
    return found


def both_costs(values: Mapping[str, Any], place: str) -> None:
    """ConfigError where the cost of the work is given as a whole and in weeks."""
    if "engineering-cost" in values and "engineering-weeks" in values:
        raise ConfigError(f"{place}: has engineering-cost and engineering-weeks; one of them says what the work costs")


def _values(given: Mapping[str, Any], place: str, known: tuple[str, ...] = ()) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in given.items():
        key = BUSINESS_BY_NAME.get(name)
        if key is None:
            raise ConfigError(f"{place}.{name}: unknown key{hint(name, (*BUSINESS_BY_NAME, *known))}")
        values[name] = check(key, value, f"{place}.{name}")
    both_costs(values, place)
    return values


def _number(value: object, place: str) -> float:
    number = value
    if isinstance(value, str):
        text = value.strip()
        try:
            number = float(re.sub("[,_]", "", text) if _GROUPED.fullmatch(text) else text)
        except ValueError:
            raise wrong(place, "a number such as 10000 or 10,000", value) from None
    if isinstance(number, bool) or not isinstance(number, (int, float)) or math.isnan(number):
        raise wrong(place, "a number", value)
    if number < 0:
        raise wrong(place, "0 or more", value)
    if number > LARGEST:
        raise wrong(place, f"a number up to {LARGEST:g}", value)
    return float(number)
