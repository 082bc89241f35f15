"""Figures that are typed in where nothing was measured: `eager_ms=5000`, `saving=28..32%`, `detr:cold_s=60+-5`.

assumption: [TARGET ':'] NAME '=' NUMBER ['%'] [('..' | '+-') NUMBER ['%']]
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from compile_lint.bench.figures import Range
from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.decision.maths import saving_share
from compile_lint.decision.model import Evidence

RANGES = ("eager_ms", "compiled_ms", "saving", "cold_s", "warm_s")
NUMBERS = ("recompile_s", "requests_that_compile", "score", "breaks")
NAMES = (*RANGES, *NUMBERS)
_SHARES = ("saving", "requests_that_compile")
_MOST = {"requests_that_compile": 1.0, "score": 100.0}
_LARGEST = 1e15
_NUMBER = r"(-?(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?)(%?)"
_FORM = re.compile(rf"{_NUMBER}(?:(\.\.|\+-|±){_NUMBER})?", re.IGNORECASE)
_PLACE = "--assume"


@dataclass(frozen=True, slots=True)
class Assumption:
    """One figure; `target` is empty where it holds for all."""

    target: str
    name: str
    value: Range


def parse(text: str) -> Assumption:
    """One assumption as it is typed.

    Raises:
        ConfigError: it is not of the grammar, names no figure, or has a value that the figure cannot have.
    """
    left, equals, right = text.partition("=")
    target, _, name = left.strip().rpartition(":")
    name = name.strip().replace("-", "_")
    if not equals:
        raise ConfigError(f"{_PLACE}: {text!r}: expected NAME=VALUE, such as eager_ms=5000 or saving=0.3")
    if name not in NAMES:
        raise ConfigError(f"{_PLACE}: {text!r}: {name!r} is no figure that can be assumed{hint(name, NAMES)}")
    value = _range(right.strip(), text)
    _check(name, value, text)
    return Assumption(target.strip(), name, value)


def assume(evidence: Evidence, given: Sequence[Assumption]) -> tuple[Evidence, tuple[str, ...]]:
    """The evidence with what it lacks taken from the assumptions, and the names of those that measurements make idle.

    A saving that goes with one of the two times gives the other.

    Raises:
        ConfigError: both times and the saving are known, and one of them is assumed: they say the same twice.
    """
    mine = {one.name: one.value for one in given if one.target in ("", evidence.name)}
    mine.update({one.name: one.value for one in given if one.target == evidence.name})
    known = {name for name in mine if getattr(evidence, name) is not None}
    taken = {name: value for name, value in mine.items() if name not in known}
    values: dict[str, Any] = {name: _typed(name, value) for name, value in taken.items()}
    found = replace(evidence, **values, assumed=(*evidence.assumed, *taken))
    if taken.keys() & {"saving", "eager_ms", "compiled_ms"}:
        found = _whole(found, evidence)
    return found, tuple(known)


def _whole(found: Evidence, measured: Evidence) -> Evidence:
    """The third of saving, eager and compiled time from the other two."""
    eager, compiled, saving = found.eager_ms, found.compiled_ms, found.saving
    if eager is not None and compiled is not None:
        if saving is not None and measured.saving is None and "saving" in found.assumed:
            raise ConfigError(
                f"{_PLACE}: saving says the same as eager_ms and compiled_ms, which are known too; leave it out"
            )
        if saving is not None:
            return found
        return replace(found, saving=saving_share(found), assumed=_with(found.assumed, "saving"))
    if saving is None:
        return found
    if eager is not None:
        times = (eager.value * (1 - saving.value), eager.value * (1 - saving.high), eager.value * (1 - saving.low))
        return replace(found, compiled_ms=Range(*times), assumed=_with(found.assumed, "compiled_ms"))
    if compiled is not None:
        value, low, high = (compiled.value / (1 - one) for one in (saving.value, saving.low, saving.high))
        return replace(found, eager_ms=Range(value, low, high), assumed=_with(found.assumed, "eager_ms"))
    return found


def _with(assumed: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*assumed, name)))


def _typed(name: str, value: Range) -> Range | float | int:
    if name in RANGES:
        return value
    return int(value.value) if name == "breaks" else value.value


def _range(text: str, whole: str) -> Range:
    found = _FORM.fullmatch(text)
    numbers = [] if found is None else [_number(found[1], found[2] or found[5]), _number(found[4], found[5] or "")]
    if found is None or any(one is None for one in numbers[: 2 if found[3] else 1]):
        raise ConfigError(f"{_PLACE}: {whole!r}: {text!r} is no number; write 0.3, 30%, 0.28..0.32 or 0.3+-0.02")
    first, second = numbers[0] or 0.0, numbers[1] or 0.0
    if found[3] is None:
        return Range(first, first, first)
    if found[3] == "..":
        if first > second:
            raise ConfigError(f"{_PLACE}: {whole!r}: the range ends below its beginning")
        return Range((first + second) / 2, first, second)
    return Range(first, first - abs(second), first + abs(second))


def _number(text: str | None, percent: str | None) -> float | None:
    try:
        value = float(text or "") / (100 if percent else 1)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) <= _LARGEST else None


def _check(name: str, value: Range, text: str) -> None:
    if name == "saving":
        if value.high >= 1:
            raise ConfigError(f"{_PLACE}: {text!r}: a saving is a share below 1, such as 0.3 or 30%")
        return
    least_excluded = name in ("eager_ms", "compiled_ms")
    if value.low < 0 or (least_excluded and value.low <= 0):
        raise ConfigError(f"{_PLACE}: {text!r}: {name} must be {'above 0' if least_excluded else '0 or more'}")
    if value.high > _MOST.get(name, _LARGEST * 10):
        raise ConfigError(f"{_PLACE}: {text!r}: {name} is at most {_MOST[name]:g}")
    if name in NUMBERS and value.low != value.high:
        raise ConfigError(f"{_PLACE}: {text!r}: {name} is one number, not a range")
    if name == "breaks" and value.value != int(value.value):
        raise ConfigError(f"{_PLACE}: {text!r}: breaks is a whole number")
    if "%" in text and name not in _SHARES:
        raise ConfigError(f"{_PLACE}: {text!r}: {name} is no share; write it without %")
