"""The traffic under each remedy: what is run, the buckets that are proposed, and which remedy is cheapest."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from compile_lint.bench import buckets, served
from compile_lint.bench.plan import SizeRun
from compile_lint.bench.record import Remedy, RemedyCost, Size, Traffic
from compile_lint.bench.served import Values
from compile_lint.bench.traffic import Requests
from compile_lint.bench.workers import Told

if TYPE_CHECKING:
    from compile_lint.bench.run import Bench

WORDS: dict[Remedy, str] = {
    "as-is": "the traffic as it is",
    "dynamic": "the traffic with dynamic=True",
    "static": "the traffic with dynamic=False",
    "mark-dynamic": "the traffic with mark_dynamic",
    "buckets": "the traffic padded to buckets",
}


def measured(bench: Bench, requests: Requests) -> Traffic:
    """The traffic with what each remedy makes of it; without remedies where not even the first could be run."""
    traffic = _Traffic(bench, requests)
    made = [
        each for each in (traffic.one(name) for name in WORDS if name in bench.options.remedies) if each is not None
    ]
    can = [each for each in made if each.total_ms is not None]
    return Traffic(
        source=requests.source,
        dimensions=requests.dimensions,
        sizes=requests.sizes,
        remedies=tuple(made),
        cheapest=min(can, key=lambda each: each.total_ms or 0.0).remedy if can else "",
        edges=traffic.edges,
        size_ms=traffic.size_ms,
    )


class _Traffic:
    """The runs of one target's traffic; later remedies rest on the times of earlier ones."""

    def __init__(self, bench: Bench, requests: Requests) -> None:
        self.bench = bench
        self.requests = requests
        self.run = served.chosen(requests.sizes, bench.options.sizes)
        self.eager: Mapping[Values, float] = {}
        self.size_ms: tuple[tuple[Values, float, float], ...] = ()
        self.static: Sequence[SizeRun] = ()
        self.limit = 8
        self.edges: tuple[tuple[int, ...], ...] = ()

    def one(self, remedy: Remedy) -> RemedyCost | None:
        """One remedy; None where nothing can be said of it."""
        if remedy != "as-is" and (not self.eager or self.bench.made.status != "ok"):
            self.bench.steps.done("sizes", 0.0)
            return None
        if remedy == "buckets":
            return self._buckets()
        told = self._told(remedy, self.run)
        if remedy == "as-is":
            self._remember(told)
        runs = told.answer.sizes
        if remedy == "static":
            self.static = runs
        return self._cost(remedy, told)

    def _told(self, remedy: Remedy, sizes: tuple[Values, ...]) -> Told:
        cache = self.bench.workers.cache(f"sizes-{remedy}")
        told = self.bench.step(
            "sizes",
            WORDS[remedy],
            "sizes",
            cache,
            remedy=remedy,
            dimensions=self.requests.dimensions,
            sizes=sizes,
        )
        shutil.rmtree(cache, ignore_errors=True)
        return told

    def _remember(self, told: Told) -> None:
        runs = [run for run in told.answer.sizes if run.eager_ms is not None]
        self.eager = {run.values: run.eager_ms or 0.0 for run in runs}
        self.size_ms = tuple((run.values, run.eager_ms or 0.0, run.steady_ms) for run in runs)
        self.limit = told.answer.recompile_limit
        if told.seen.status == "user-error":
            self.bench.say(status=told.seen.status, message=f"{WORDS['as-is']}: {told.seen.message}")
        elif told.problem:
            self.bench.note(f"{WORDS['as-is']}: {told.problem}")

    def _cost(self, remedy: Remedy, told: Told, edges: tuple[tuple[int, ...], ...] = ()) -> RemedyCost:
        raised = told.answer.error or told.problem
        if raised or not told.answer.sizes:
            return RemedyCost(remedy, raised=raised or "nothing was run")
        return served.cost(
            remedy,
            self.requests.sizes,
            told.answer.sizes,
            served.interpolated(self.eager),
            limit=self.limit,
            limit_hit=told.answer.limit_hit,
            pads_to=lambda values: _padded(values, edges),
        )

    def _buckets(self) -> RemedyCost:
        """Edges that cost least by what the static sizes took; then they are run."""
        runs = self.static or ()
        times = {run.values: run.steady_ms for run in runs} or {values: took for values, _, took in self.size_ms}
        self.edges = proposed(
            self.requests.sizes, times, served.usual_compile_ms(runs), min(self.bench.options.buckets, self.limit)
        )
        weights: dict[Values, int] = {}
        for size in self.requests.sizes:
            to = _padded(size.values, self.edges)
            weights[to] = weights.get(to, 0) + size.requests
        often = sorted(weights, key=lambda values: -weights[values])[: max(self.bench.options.sizes, 2)]
        told = self._told("buckets", tuple(values for values in weights if values in often))
        return self._cost("buckets", told, self.edges)


def proposed(
    sizes: Sequence[Size], times: Mapping[Values, float], compile_ms: float, most: int
) -> tuple[tuple[int, ...], ...]:
    """Bucket edges for each dimension, each taken by itself.

    What a unit of padding costs in one dimension is the rise of the times along it. Of several dimensions together
    there are at most `most` buckets.
    """
    found: list[tuple[int, ...]] = []
    left = most
    for dimension in range(len(sizes[0].values)):
        requests: dict[int, float] = {}
        for size in sizes:
            requests[size.values[dimension]] = requests.get(size.values[dimension], 0) + size.requests
        edges = buckets.propose(requests, served.slope(times, dimension), compile_ms, max(left, 1))
        left //= len(edges)
        found.append(edges)
    return tuple(found)


def _padded(values: Values, edges: Sequence[Sequence[int]]) -> Values:
    if not edges:
        return values
    return tuple(buckets.padded(value, each) for value, each in zip(values, edges, strict=True))


def share_that_compiles(traffic: Traffic, cost: RemedyCost) -> float:
    """Of the requests, the share that meets a compilation."""
    return cost.requests_that_compile / traffic.requests if traffic.requests else 0.0
