"""Figures from raw samples: medians, percentiles, the spread over repeats, a saving with its range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from compile_lint.bench.record import Latency


@dataclass(frozen=True, slots=True)
class Range:
    """A figure with what it may lie between."""

    value: float
    low: float
    high: float


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie, linear between neighbours.

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("no samples")
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low, high = ordered[math.floor(at)], ordered[math.ceil(at)]
    return low + (high - low) * (at - math.floor(at))


def latency(measured: Latency) -> Range | None:
    """The median of the repeats' medians in ms, with the smallest and the largest; None where nothing was measured."""
    medians = [median(one) for one in measured.repeats if one]
    if not medians:
        return None
    return Range(median(medians), min(medians), max(medians))


def saving(eager: Latency, compiled: Latency) -> Range | None:
    """The share of time saved per call, 1 - compiled / eager, paired by repeat; negative where compiled is slower."""
    pairs = [
        1 - median(after) / median(before)
        for before, after in zip(eager.repeats, compiled.repeats, strict=False)
        if before and after and median(before) > 0
    ]
    if not pairs:
        return None
    return Range(median(pairs), min(pairs), max(pairs))


_SETTLED = 1.5
"""A call is steady if it takes no longer than so many times the median of the later half."""


def settled_after(calls: Sequence[float]) -> int | None:
    """How many calls come before the first two in a row that take what later ones take; None if there are none such.

    `calls` are the latencies of the first calls of a process in order.
    """
    if len(calls) < 3:
        return None
    usual = median(calls[len(calls) // 2 :]) * _SETTLED
    return next((n for n in range(len(calls) - 1) if calls[n] <= usual and calls[n + 1] <= usual), None)
