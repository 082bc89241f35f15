"""Numbers as they are read: three digits that count, a unit, thousands set apart. The same in every language."""

from __future__ import annotations

import math

from compile_lint.bench.figures import Range
from compile_lint.report_page.catalogue import Catalogue

_DIGITS = 3
_MINUTE, _HOUR = 60_000.0, 3_600_000.0
_SMALLEST, _LARGEST = 1e-6, 1e15
"""What is beyond is written with an exponent."""
_FROM_MS = 0.1
"""What is shorter is told in microseconds."""
_FROM = 120
"""So many seconds are told as minutes, so many minutes as hours."""


def number(value: float) -> str:
    """A number with three digits that count: 0.0123, 1.23, 12.3, 1,230; `∞` where there is no end."""
    if math.isnan(value):
        return "?"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == 0:
        return "0"
    if not _SMALLEST <= abs(value) < _LARGEST:
        return f"{value:.{_DIGITS}g}"
    places = _DIGITS - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    if places <= 0:
        return f"{rounded:,.0f}"
    return f"{rounded:,.{places}f}".rstrip("0").rstrip(".")


def round_width(width: float) -> float:
    """The next of 1, 2 and 5 times a power of ten that is no smaller."""
    base: float = 10.0 ** math.floor(math.log10(width))
    return next(factor * base for factor in (1, 2, 5, 10) if factor * base >= width * (1 - 1e-9))


def whole(value: float) -> str:
    """A count."""
    return f"{value:,.0f}"


def short(value: float) -> str:
    """A number for a narrow place: 1.5k, 20M."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{number(value / size)}{sign}"
    return number(value)


def duration(milliseconds: float) -> str:
    """A time in the unit that suits it, from µs to h."""
    size, unit = unit_of(milliseconds)
    return f"{number(milliseconds / size)} {unit}"


def unit_of(milliseconds: float) -> tuple[float, str]:
    """The unit that suits a time: its milliseconds, and its sign."""
    size = abs(milliseconds)
    if 0 < size < _FROM_MS:
        return 0.001, "µs"
    if size < 1000:
        return 1.0, "ms"
    if size < _FROM * 1000:
        return 1000.0, "s"
    return (_MINUTE, "min") if size < _FROM * _MINUTE else (_HOUR, "h")


def memory(size: float) -> str:
    """Bytes in the unit that suits them, by 1024."""
    value = float(size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(value) < 1024:
            return f"{number(value)} {unit}"
        value /= 1024
    return f"{number(value)} TiB"


def percent(share: float) -> str:
    """A share of 1, with one decimal below 10 %."""
    value = share * 100
    if not abs(value) < _LARGEST:
        return f"{number(value)}%"
    rounded = round(value, 1 if abs(value) < 10 else 0) or 0.0  # no -0
    return f"{rounded:g}%"


def money(value: float, currency: str) -> str:
    """An amount, without the small coins from 100 on."""
    if not abs(value) < _LARGEST:
        return f"{number(value)} {currency}"
    rounded = round(value, 0 if abs(value) >= 100 else 2) or 0.0  # no -0
    return f"{rounded:,.0f} {currency}" if rounded == int(rounded) else f"{rounded:,.2f} {currency}"


def plain_range(found: Range, low: str, value: str, high: str, catalogue: Catalogue) -> str:
    """A figure with what it may lie between, already written; the figure alone where there is nothing between."""
    if found.low == found.high or low == high:
        return value
    return catalogue.text("range", value=value, low=low, high=high)


def duration_range(found: Range, catalogue: Catalogue) -> str:
    """A time in ms with its range."""
    return plain_range(found, duration(found.low), duration(found.value), duration(found.high), catalogue)


def share_range(found: Range, catalogue: Catalogue) -> str:
    """A share with its range."""
    return plain_range(found, percent(found.low), percent(found.value), percent(found.high), catalogue)


def money_range(found: Range, currency: str, catalogue: Catalogue) -> str:
    """An amount with its range."""
    low, value, high = (money(one, currency) for one in (found.low, found.value, found.high))
    return plain_range(found, low, value, high, catalogue)
