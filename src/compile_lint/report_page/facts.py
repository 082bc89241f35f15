"""The figures that matter, each with its range, and whether it was measured or assumed."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.bench.figures import Range, percentile
from compile_lint.bench.figures import latency as bench_latency
from compile_lint.bench.record import Latency, TargetBench, WarmUp
from compile_lint.decision.model import Decision
from compile_lint.report.run import points
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.charts.latency import samples
from compile_lint.report_page.numbers import (
    duration,
    duration_range,
    memory,
    money,
    money_range,
    number,
    percent,
    plain_range,
    share_range,
)
from compile_lint.report_page.view import Fact, Table

_SHARES = (0.5, 0.95, 0.99)


def facts(decision: Decision, catalogue: Catalogue) -> Iterator[Fact]:
    """What the verdict rests on, the money first; what is not known is left out."""
    evidence, business = decision.evidence, decision.business
    given = [
        ("saving-per-month", decision.saving_per_month and _money(decision, catalogue)),
        ("payback", _payback(decision, catalogue)),
        ("saving", decision.saving_share and share_range(decision.saving_share, catalogue)),
        ("score", None if evidence.score is None else points(evidence.score)),
        ("predicted_score", None if evidence.predicted_score is None else points(evidence.predicted_score)),
        ("eager_ms", evidence.eager_ms and duration_range(evidence.eager_ms, catalogue)),
        ("compiled_ms", evidence.compiled_ms and duration_range(evidence.compiled_ms, catalogue)),
        ("cold_s", evidence.cold_s and duration(evidence.cold_s.value * 1000)),
        ("warm_s", evidence.warm_s and duration(evidence.warm_s.value * 1000)),
        ("break-even", _break_even(decision, catalogue)),
        ("cold-requests", _number(decision.cold_requests_per_day)),
        ("requests_that_compile", _percent(evidence.requests_that_compile)),
        ("recompile-cost", _amount(decision.recompile_cost_per_month, business.currency)),
    ]
    for name, value in given:
        if value:
            yield Fact(catalogue.text(f"fact.{name}"), value, name in decision.resting_on_assumed)


def tables(bench: TargetBench, catalogue: Catalogue) -> Iterator[Table]:
    """Latencies and warm-up in numbers; none that was not measured."""
    if samples(bench.eager) or samples(bench.compiled):
        yield _latencies(bench, catalogue)
    starts = [one for one in bench.warm_ups if one.first_call]
    if starts:
        yield _warm_ups(starts, bench.eager_first_call, catalogue)


def _money(decision: Decision, catalogue: Catalogue) -> str | None:
    saved = decision.saving_per_month
    return None if saved is None else money_range(saved, decision.business.currency, catalogue)


def _payback(decision: Decision, catalogue: Catalogue) -> str | None:
    """The months; in words where it never pays back; None where nobody knows."""
    if decision.payback_months is not None:
        return catalogue.text("fact.months", months=_months(decision, decision.payback_months, catalogue))
    known = decision.saving_per_month is not None and decision.business.engineering_cost is not None
    return catalogue.text("fact.never") if known else None


def _months(decision: Decision, months: float, catalogue: Catalogue) -> str:
    found = decision.payback_range or Range(months, months, months)
    return plain_range(found, number(found.low), number(months), number(found.high), catalogue)


def _break_even(decision: Decision, catalogue: Catalogue) -> str | None:
    if decision.break_even_requests is not None:
        return number(decision.break_even_requests)
    known = decision.saving_share is not None and decision.evidence.cold_s is not None
    return catalogue.text("fact.never") if known else None


def _number(value: float | None) -> str | None:
    return None if value is None else number(value)


def _percent(value: float | None) -> str | None:
    return None if value is None else percent(value)


def _amount(value: float | None, currency: str) -> str | None:
    return None if value is None else money(value, currency)


def _latencies(bench: TargetBench, catalogue: Catalogue) -> Table:
    measured = (bench.eager, bench.compiled)
    rows = [(f"p{round(share * 100)}", *(_percentile(one, share) for one in measured)) for share in _SHARES]
    rows.append((catalogue.text("table.throughput"), *(_throughput(one) for one in measured)))
    peaks = [bench.eager_memory, bench.compiled_memory]
    if any(peaks):
        rows.append((catalogue.text("table.memory"), *("" if peak is None else memory(peak) for peak in peaks)))
    columns = ("", catalogue.text("part.eager"), catalogue.text("part.compiled"))
    return Table(catalogue.text("table.latency"), columns, tuple(rows))


def _percentile(latency: Latency, share: float) -> str:
    values = samples(latency)
    return duration(percentile(values, share)) if values else ""


def _throughput(latency: Latency) -> str:
    """Calls one after the other, by the median."""
    middle = bench_latency(latency)
    return number(1000 / middle.value) if middle is not None and middle.value > 0 else ""


def _warm_ups(starts: list[WarmUp], eager: tuple[float, ...], catalogue: Catalogue) -> Table:
    rows: list[tuple[str, ...]] = (
        [(catalogue.text("start.eager"), _middle(list(eager)), "", "", "", "")] if eager else []
    )
    for one in starts:
        parts = [[getattr(phase, part) for phase in one.phases] for part in ("dynamo", "aot", "inductor")]
        cells = [_middle(list(one.first_call)), *(_middle(part) for part in parts)]
        steady = "" if one.steady_after is None else f"{one.steady_after:,}"
        rows.append((catalogue.text(f"start.{one.start}"), *cells, steady))
    names = ("start", "first-call", "dynamo", "aot", "inductor", "steady")
    columns = tuple(catalogue.text(f"table.warm-up.{name}") for name in names)
    return Table(catalogue.text("table.warm-up.caption"), columns, tuple(rows))


def _middle(values: list[float | None]) -> str:
    known = [one for one in values if one is not None]
    return duration(percentile(known, 0.5)) if known else ""
