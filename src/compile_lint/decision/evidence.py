"""From what `bench` measured of a target to the figures that a decision rests on."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from compile_lint.bench.figures import Range, latency, saving
from compile_lint.bench.record import RemedyCost, Start, TargetBench
from compile_lint.confirm.report.words import first_line
from compile_lint.decision.model import Evidence

_LINE = 300
"""Characters of an error that are quoted."""


def evidence(bench: TargetBench, source: str) -> Evidence:
    """The figures of one target. `source` is the file of its record."""
    seen = bench.confirmation
    as_is = remedy(bench, "as-is")
    cold = starts(bench, "cold")
    return Evidence(
        name=bench.name,
        eager_ms=latency(bench.eager),
        compiled_ms=latency(bench.compiled),
        saving=saving(bench.eager, bench.compiled),
        cold_s=cold,
        warm_s=starts(bench, "warm") or starts(bench, "artifacts"),
        recompile_s=_recompile_s(as_is, cold),
        requests_that_compile=_requests_that_compile(bench, as_is),
        score=None if seen is None else seen.score,
        predicted_score=None if seen is None else seen.predicted_score,
        breaks=None if seen is None else sum(not one.consequence_of for one in seen.breaks),
        error=_error(bench),
        failed="" if bench.status == "ok" else first_line(f"{bench.status}: {bench.message}", _LINE),
        repeats=_repeats(bench),
        limit_hit=None if as_is is None else as_is.limit_hit,
        same_result=bench.same_result if seen is None or bench.same_result is not None else seen.same_result,
        source=source,
    )


def starts(bench: TargetBench, start: Start) -> Range | None:
    """Seconds of the first call after starts of one kind: the median, the least and the most."""
    first = [time / 1000 for one in bench.warm_ups if one.start == start for time in one.first_call]
    return Range(median(first), min(first), max(first)) if first else None


def remedy(bench: TargetBench, name: str) -> RemedyCost | None:
    """What the traffic costs under one remedy; None where that was not measured."""
    remedies: Sequence[RemedyCost] = () if bench.traffic is None else bench.traffic.remedies
    return next((one for one in remedies if one.remedy == name), None)


def _recompile_s(as_is: RemedyCost | None, cold: Range | None) -> float | None:
    """Time of all compilations but the first, which is that of a cold start."""
    if as_is is None or as_is.compile_ms is None:
        return None
    if as_is.compiles <= 1:
        return 0.0
    first = as_is.compile_ms / as_is.compiles / 1000 if cold is None else cold.value
    return max(as_is.compile_ms / 1000 - first, 0.0)


def _requests_that_compile(bench: TargetBench, as_is: RemedyCost | None) -> float | None:
    if as_is is None or bench.traffic is None or not bench.traffic.requests:
        return None
    return min(as_is.requests_that_compile / bench.traffic.requests, 1.0)


def _error(bench: TargetBench) -> str:
    raised = None if bench.confirmation is None else bench.confirmation.error
    if bench.compiled_error or raised is None:
        return first_line(bench.compiled_error, _LINE)
    return first_line(f"{raised.kind}: {raised.message}", _LINE)


def _repeats(bench: TargetBench) -> int | None:
    """Pairs of repeats."""
    return sum(bool(a and b) for a, b in zip(bench.eager.repeats, bench.compiled.repeats, strict=False)) or None
