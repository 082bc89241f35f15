"""The arithmetic of a decision: ranges in, ranges out. Every formula stands in the catalogue too, under `formula.`.

A range says what a figure may lie between, so that every result is carried through at both ends. Nothing here divides
by zero: what never comes is None, what may have no end is infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from compile_lint.bench.figures import Range
from compile_lint.decision.model import Business, Evidence

DAYS = 30
"""Of a month."""
DAY = 86_400.0
"""Seconds."""
ONE_START = 1 / DAYS
"""Starts a day of a process that is not restarted within the month that is judged: it began once."""
WORST = 1.0
"""Starts are taken to cost no more than the bill once again: that much machine time can be bought beside it."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What follows from evidence and business figures; None where what it needs is not known."""

    saving: Range | None = None
    """The share of a steady call."""
    net: Range | None = None
    """The same less warm-up and recompilations."""
    saving_per_month: Range | None = None
    payback: Range | None = None
    """Months. Infinite where the saving is none, or may be none at its high end."""
    break_even: Range | None = None
    """Requests of one process. Infinite where the gain is none, or may be none at its high end."""
    requests_per_start: float | None = None
    cold_requests_per_day: float | None = None
    recompile_cost_per_month: float | None = None
    utilisation: float | None = None
    """The share of time that eager calls keep the processes busy; above 1 the figures do not fit together."""


def figures(evidence: Evidence, business: Business) -> Figures:
    """All figures of one target."""
    saving = saving_share(evidence)
    net = None if saving is None else net_share(saving, evidence, business)
    per_month = None if net is None else money(net, business.gpu_cost_per_month)
    return Figures(
        saving,
        net,
        per_month,
        None if per_month is None else payback(per_month, business.engineering_cost),
        break_even(saving, evidence),
        requests_per_start(evidence, business),
        cold_requests_per_day(evidence, business),
        recompile_cost(evidence, business),
        utilisation(evidence, business),
    )


def saving_share(evidence: Evidence) -> Range | None:
    """1 - compiled / eager: measured by pairs of repeats or typed in, else from the two times at their ends."""
    if evidence.saving is not None:
        return evidence.saving
    eager, compiled = evidence.eager_ms, evidence.compiled_ms
    if eager is None or compiled is None or eager.low <= 0:
        return None
    return Range(
        (eager.value - compiled.value) / eager.value,
        (eager.low - compiled.high) / eager.low,
        (eager.high - compiled.low) / eager.high,
    )


def net_share(saving: Range, evidence: Evidence, business: Business) -> Range:
    """The saving less the share of machine time that warm-up and recompilations take; `saving` where that is unknown.

    With requests, processes, restarts and the time of an eager call it is time spent on starts by time that eager calls
    would take; without traffic, by the time of processes that are always busy. The one start that every process has is
    counted where a month of calls does not make up for it, else left out.
    """
    restarts = business.restarts_per_day or 0.0
    if business.requests_per_day == 0:
        net = -WORST if restarts else 0.0
        return Range(net, net, net)
    spent = start_seconds(evidence)
    if spent is None:
        return saving
    begun = _less(saving, spent, _a_second(evidence, business, max(restarts, ONE_START)))
    return begun if begun.value <= 0 < saving.value else _less(saving, spent, _a_second(evidence, business, restarts))


def _a_second(evidence: Evidence, business: Business, restarts: float) -> float:
    """The share of machine time that each second of a start takes, at so many starts a day of each process."""
    load = _load(evidence, business)
    return restarts / DAY if load is None else processes(evidence, business) * restarts / load


def _less(saving: Range, spent: Range, a_second: float) -> Range:
    low, value, high = (min(one * a_second, WORST) if one else 0.0 for one in (spent.low, spent.value, spent.high))
    return Range(saving.value - value, saving.low - high, saving.high - low)


def start_seconds(evidence: Evidence) -> Range | None:
    """Seconds that one start takes before all is compiled: the first call, and recompilations while traffic comes."""
    first = evidence.cold_s or evidence.warm_s
    again = evidence.recompile_s
    if first is None:
        return None if again is None else Range(again, again, again)
    again = again or 0.0
    return Range(first.value + again, first.low + again, first.high + again)


def money(share: Range, cost: float | None) -> Range | None:
    """That share of the bill of a month."""
    if cost is None:
        return None
    return Range(share.value * cost, share.low * cost, share.high * cost)


def payback(saved: Range, cost: float | None) -> Range | None:
    """Months in which the engineering is earned back; a saving that may be none has no end."""
    if cost is None:
        return None
    value, low, high = (_over(cost, one) for one in (saved.value, saved.high, saved.low))
    return Range(value, low, high)


def break_even(saving: Range | None, evidence: Evidence) -> Range | None:
    """Requests of one process after which its warm-up is earned back: warm-up over the gain of a call."""
    first, eager = evidence.cold_s or evidence.warm_s, evidence.eager_ms
    if saving is None or first is None or eager is None:
        return None
    gains = (eager.value * one / 1000 for one in (saving.value, saving.high, saving.low))
    value, low, high = (
        _over(time, gain) for time, gain in zip((first.value, first.low, first.high), gains, strict=True)
    )
    return Range(value, low, high)


def processes(evidence: Evidence, business: Business) -> float:
    """Processes that serve; where nobody says, as many as eager calls keep busy all day, and one at least."""
    if business.replicas:
        return business.replicas
    return max(1.0, (_load(evidence, business) or 0.0) / DAY)


def requests_per_start(evidence: Evidence, business: Business) -> float | None:
    """Requests that one process serves between two starts, or within the month where it is not restarted sooner."""
    if business.requests_per_day is None:
        return None
    a_process = business.requests_per_day / processes(evidence, business)
    return a_process / max(business.restarts_per_day or 0.0, ONE_START)


def cold_requests_per_day(evidence: Evidence, business: Business) -> float | None:
    """Requests that meet a process before its first call is done: one a start, and all that come meanwhile."""
    if business.restarts_per_day is None:
        return None
    starts = _starts(evidence, business)
    if business.requests_per_day is None:
        return starts
    first = evidence.cold_s or evidence.warm_s
    meanwhile = 0.0
    if first is not None:
        meanwhile = first.value * business.requests_per_day / processes(evidence, business) / DAY
    return min(starts * max(1.0, meanwhile), business.requests_per_day)


def recompile_cost(evidence: Evidence, business: Business) -> float | None:
    """Money a month for recompilations: each process makes them after each start."""
    spent, cost, restarts = evidence.recompile_s, business.gpu_cost_per_month, business.restarts_per_day
    if spent is None or cost is None or restarts is None or business.requests_per_day == 0:
        return None
    load = _load(evidence, business)
    share = restarts * spent / DAY if load is None else _starts(evidence, business) * spent / load
    return min(share, WORST) * cost


def utilisation(evidence: Evidence, business: Business) -> float | None:
    """The share of time that eager calls keep the processes busy."""
    load = _load(evidence, business)
    if load is None or not business.replicas:
        return None
    return load / (business.replicas * DAY)


def _starts(evidence: Evidence, business: Business) -> float:
    """Starts of all processes in a day."""
    return processes(evidence, business) * (business.restarts_per_day or 0.0)


def _load(evidence: Evidence, business: Business) -> float | None:
    """Seconds of eager calls in a day; None where it is not known, or nothing."""
    if not business.requests_per_day or evidence.eager_ms is None or evidence.eager_ms.value <= 0:
        return None
    return business.requests_per_day * evidence.eager_ms.value / 1000 or None


def _over(cost: float, gain: float) -> float:
    """How much of a gain makes up for a cost; infinite where the gain is none, or too small for any number."""
    if gain <= 0:
        return math.inf
    return cost / gain
