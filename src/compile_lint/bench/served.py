"""What a process costs that serves the whole traffic, from the sizes that were run. Needs no torch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from math import prod
from statistics import median

from compile_lint.bench.plan import SizeRun
from compile_lint.bench.record import Remedy, RemedyCost, Size

Values = tuple[int, ...]
Time = Callable[[Values], float]
"""Milliseconds of a size."""


def chosen(sizes: Sequence[Size], most: int) -> tuple[Values, ...]:
    """The sizes to run: the smallest and the largest, the most frequent, then those that fill the widest gaps.

    In the order in which the traffic has them.
    """
    by_volume = sorted(sizes, key=lambda size: (prod(size.values), size.values))
    wanted = [by_volume[0].values, by_volume[-1].values]
    wanted += [size.values for size in sorted(sizes, key=lambda size: -size.requests)[: most // 2]]
    count = len(by_volume)
    wanted += [by_volume[n * (count - 1) // max(most - 1, 1)].values for n in range(most)]
    wanted += [size.values for size in by_volume]
    kept = set(list(dict.fromkeys(wanted))[:most])
    return tuple(size.values for size in sizes if size.values in kept)


def interpolated(times: Mapping[Values, float]) -> Time:
    """The time of any size: what was measured, else on the straight line between the two nearest by volume.

    Beyond the smallest and the largest it is what those take.
    """
    volumes: dict[int, list[float]] = {}
    for values, took in times.items():
        volumes.setdefault(prod(values), []).append(took)
    points = sorted((volume, median(each)) for volume, each in volumes.items())
    at = [volume for volume, _ in points]

    def time(values: Values) -> float:
        if values in times:
            return times[values]
        volume = prod(values)
        right = bisect_left(at, volume)
        if right == 0 or right == len(points):
            return points[min(right, len(points) - 1)][1]
        (low, before), (high, after) = points[right - 1], points[right]
        return before + (after - before) * (volume - low) / (high - low)

    return time


def slope(times: Mapping[Values, float], dimension: int) -> float:
    """Milliseconds for each unit more of one dimension, by least squares; 0 where more does not cost more."""
    points = [(values[dimension], took) for values, took in times.items()]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return max(sum((x - mean_x) * (y - mean_y) for x, y in points) / spread, 0.0) if spread else 0.0


def compile_ms(run: SizeRun) -> float:
    """What compiling for a size took in its first call."""
    return max(run.first_ms - run.steady_ms, 0.0) if run.compiles else 0.0


def usual_compile_ms(runs: Sequence[SizeRun]) -> float:
    """What one size more costs to compile: not the first, which pays for the start of the compiler too."""
    costs = [compile_ms(run) for run in runs if run.compiles]
    return median(costs[1:] or costs or [0.0])


def cost(
    remedy: Remedy,
    sizes: Sequence[Size],
    runs: Sequence[SizeRun],
    eager: Time,
    *,
    limit: int = 8,
    limit_hit: bool = False,
    pads_to: Callable[[Values], Values] = lambda values: values,
) -> RemedyCost:
    """The whole traffic served once by one process.

    Sizes that were not run take interpolated times. They are taken to compile too where the last two that were run both
    did, until the recompile limit; beyond it they run in eager mode.

    Args:
        remedy: its name.
        sizes: the traffic.
        runs: the sizes that were run, in their order, at least one.
        eager: times in eager mode.
        limit: how often torch compiles one function.
        limit_hit: whether that was reached in a run.
        pads_to: the size that a size is run as.
    """
    time = interpolated({run.values: run.steady_ms for run in runs})
    known = {run.values for run in runs}
    unknown = list(dict.fromkeys(pads_to(size.values) for size in sizes if pads_to(size.values) not in known))
    compiling = [run for run in runs if run.compiles]
    last = runs[-2:]
    more = unknown[: max(limit - len(compiling), 0)] if len(last) == 2 and all(run.compiles for run in last) else []
    beyond = set(unknown[len(more) :]) if more or (limit_hit and unknown) else set()
    compile_time = sum(map(compile_ms, runs)) + usual_compile_ms(runs) * len(more)
    running = sum(
        size.requests * (eager if pads_to(size.values) in beyond else time)(pads_to(size.values)) for size in sizes
    )
    pieces = median([run.compiles for run in compiling] or [0])
    elements = sum(size.requests * prod(pads_to(size.values)) for size in sizes)
    wanted = sum(size.requests * prod(size.values) for size in sizes)
    return RemedyCost(
        remedy=remedy,
        total_ms=compile_time + running,
        compile_ms=compile_time,
        compiles=sum(run.compiles for run in runs) + round(pieces * len(more)),
        requests_that_compile=sum(run.calls_that_compile for run in runs) + len(more),
        padding_share=1 - wanted / elements if elements else 0.0,
        estimated=bool(unknown),
        limit_hit=limit_hit or bool(beyond),
        compiled_at=tuple((run.values, run.compiles) for run in runs),
    )
