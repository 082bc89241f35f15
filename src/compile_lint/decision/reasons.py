"""What speaks for a decision and what against: each reason with its weight, its figures and its evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from compile_lint.decision.maths import Figures, processes
from compile_lint.decision.model import Business, Evidence, Reason, Verdict, Weight
from compile_lint.decision.words import origin
from compile_lint.report.run import points
from compile_lint.report_page.numbers import duration, money, number, percent

SMALL = 0.05
"""A share below which the saving is called small: upkeep of compiled code costs something too."""
IDLE = 0.2
"""Processes that calls keep busy for a smaller share of the time are there for other reasons than the load."""
MANY = 0.01
"""The share of requests that meet a compilation from which input sizes must be dealt with first."""
READY = 95.0
"""The score from which nothing needs to be done first, where breaks were not counted."""
_ORDER: dict[Verdict, tuple[Weight, ...]] = {
    "no-go": ("blocks", "against", "condition", "for"),
    "conditions": ("condition", "for", "against"),
    "go": ("for", "against"),
}


def verdict(found: list[Reason]) -> Verdict:
    """no-go where anything rules it out, conditions where something must come first, else go."""
    weights = {one.weight for one in found}
    return "no-go" if "blocks" in weights else "conditions" if "condition" in weights else "go"


def ordered(found: list[Reason]) -> tuple[Reason, ...]:
    """The reasons by weight: those first that the verdict rests on."""
    order = _ORDER[verdict(found)]
    return tuple(sorted(found, key=lambda one: order.index(one.weight)))


def reasons(evidence: Evidence, business: Business, figures: Figures) -> list[Reason]:
    """All reasons, of equal weight the more important first."""
    return [
        *_trouble(evidence),
        *_gain(evidence, figures),
        *_traffic(evidence, business, figures),
        *_money(evidence, business, figures),
        *_first(evidence, business, figures),
        *_doubts(evidence, business, figures),
    ]


def _key(plain: str, with_range: str, shown: Mapping[str, str]) -> str:
    """The text that names the range, where there is one to see."""
    return plain if shown["low"] == shown["high"] else with_range


def _trouble(evidence: Evidence) -> Iterator[Reason]:
    if evidence.error:
        yield Reason("blocks", "reason.error", {"error": evidence.error}, origin(evidence, "error"))
    if evidence.failed and evidence.saving is None:
        yield Reason("blocks", "reason.failed", {"why": evidence.failed}, origin(evidence, "failed"))


def _gain(evidence: Evidence, figures: Figures) -> Iterator[Reason]:
    """Whether a steady call takes less time, beyond the noise."""
    saving, place = figures.saving, origin(evidence, "eager_ms", "compiled_ms", "saving")
    if saving is None:
        if not evidence.error and not evidence.failed:
            yield Reason("blocks", "reason.unknown", {}, place)
        return
    shown = {"low": percent(saving.low), "high": percent(saving.high)}
    if saving.value <= 0 and saving.high <= 0:
        yield Reason("blocks", "reason.slower", {"share": percent(-saving.value)}, place)
    elif saving.low <= 0:
        yield Reason("blocks", "reason.noise", {"share": percent(saving.value), **shown}, place)
    elif evidence.eager_ms is not None and evidence.compiled_ms is not None:
        times = {"eager": duration(evidence.eager_ms.value), "compiled": duration(evidence.compiled_ms.value)}
        key = _key("reason.saving-times", "reason.saving-times-range", shown)
        yield Reason("for", key, {"share": percent(saving.value), **shown, **times}, place)
    else:
        yield Reason(
            "for", _key("reason.saving", "reason.saving-range", shown), {"share": percent(saving.value), **shown}, place
        )
    if 0 < saving.value < SMALL:
        yield Reason("against", "reason.small", {"share": percent(saving.value)}, place)


def _traffic(evidence: Evidence, business: Business, figures: Figures) -> Iterator[Reason]:
    """Whether a process lives long enough to earn back its warm-up."""
    if figures.saving is None or figures.saving.low <= 0:
        return
    served, needed, net = figures.requests_per_start, figures.break_even, figures.net
    known = [name for name in ("requests_per_day", "replicas", "restarts_per_day") if getattr(business, name)]
    place = origin(evidence, "eager_ms", "saving", "cold_s", "warm_s", *known)
    if business.requests_per_day == 0:
        yield Reason("blocks", "reason.no-traffic", {}, origin(evidence, "requests_per_day"))
    elif served is not None and served <= 1:
        yield Reason("blocks", "reason.once", {"requests": number(served)}, origin(evidence, *known))
    elif served is not None and needed is not None and served <= needed.high:
        values = {"requests": number(served), "needed": number(needed.low), "high": number(needed.high)}
        key = _key("reason.unearned", "reason.unearned-range", {"low": values["needed"], "high": values["high"]})
        yield Reason("blocks", key, values, place)
    elif net is not None and net.low <= 0:
        yield Reason("blocks", "reason.net", {"low": percent(net.low), "high": percent(net.high)}, place)
    elif served is not None and needed is not None:
        values = {"requests": number(served), "needed": number(needed.value)}
        yield Reason("for", "reason.earned", values, place)


def _money(evidence: Evidence, business: Business, figures: Figures) -> Iterator[Reason]:
    saved, months, net = figures.saving_per_month, figures.payback, figures.net
    if saved is None or net is None or net.low <= 0:
        return
    place = origin(evidence, "saving", "cold_s", "gpu_cost_per_month")
    shown = {name: money(getattr(saved, name), business.currency) for name in ("value", "low", "high")}
    if saved.low > 0:
        yield Reason("for", _key("reason.money", "reason.money-range", shown), shown, place)
    if months is None or business.engineering_cost is None:
        return
    place = origin(evidence, "saving", "gpu_cost_per_month", "engineering_cost")
    limit = business.max_payback_months
    values = {"cost": money(business.engineering_cost, business.currency)}
    if math.isinf(months.value):
        yield Reason("blocks", "reason.payback-never", values, place)
        return
    values |= {"months": number(months.value), "limit": number(limit)}
    if months.value > limit:
        yield Reason("blocks", "reason.payback-long", values, place)
        return
    yield Reason("for", "reason.payback", values, place)
    if months.high > limit:
        yield Reason("against", "reason.payback-unsure", {**values, "months": number(months.high)}, place)


def _first(evidence: Evidence, business: Business, figures: Figures) -> Iterator[Reason]:
    """What must come before rollout."""
    if evidence.same_result is False:
        yield Reason("condition", "reason.differs", {}, origin(evidence, "same_result"))
    if evidence.breaks:
        values, place = {"breaks": f"{evidence.breaks:,}"}, origin(evidence, "breaks", "score")
        if evidence.score is None:
            yield Reason("condition", "reason.breaks-alone", values, place)
        else:
            yield Reason("condition", "reason.breaks", {**values, "score": points(evidence.score)}, place)
    elif evidence.breaks is None and evidence.score is not None and evidence.score < READY:
        yield Reason("condition", "reason.score", {"score": points(evidence.score)}, origin(evidence, "score"))
    if evidence.limit_hit:
        yield Reason("condition", "reason.limit", {}, origin(evidence, "limit_hit"))
    elif evidence.recompile_s:
        yield _recompiles(evidence.recompile_s, evidence, business)
    first, slo = evidence.cold_s or evidence.warm_s, business.first_request_slo
    if first is None and figures.saving is not None:
        yield Reason("condition", "reason.cold-unknown", {}, origin(evidence))
    elif first is not None and slo is not None and first.high > slo:
        values = {"time": duration(first.value * 1000), "slo": duration(slo * 1000)}
        yield Reason("condition", "reason.slo", values, origin(evidence, "cold_s", "warm_s", "first_request_slo"))


def _recompiles(spent: float, evidence: Evidence, business: Business) -> Reason:
    """Few recompilations are told; many, or longer ones than a request may take, must go first."""
    share, slo = evidence.requests_that_compile, business.first_request_slo
    many = share is None or share >= MANY or (slo is not None and spent > slo)
    values = {"time": duration(spent * 1000), "share": "?" if share is None else percent(share)}
    place = origin(evidence, "recompile_s", "requests_that_compile")
    return Reason("condition" if many else "against", "reason.recompiles", values, place)


def _doubts(evidence: Evidence, business: Business, figures: Figures) -> Iterator[Reason]:
    """What those who decide should know, and what shows that all is well."""
    if evidence.breaks == 0 and not evidence.error:
        yield Reason("for", "reason.whole", {}, origin(evidence, "breaks"))
    if evidence.same_result:
        yield Reason("for", "reason.agrees", {}, origin(evidence, "same_result"))
    busy, saving = figures.utilisation, figures.saving
    if busy is not None and busy > 1:
        needed = number(busy * processes(evidence, business))
        values = {"needed": needed, "replicas": number(processes(evidence, business))}
        yield Reason("against", "reason.too-busy", values, origin(evidence, "eager_ms", "requests_per_day", "replicas"))
    elif busy is not None and busy < IDLE:
        place = origin(evidence, "eager_ms", "requests_per_day", "replicas")
        yield Reason("against", "reason.idle", {"share": f"{number(busy * 100)}%"}, place)
    elif saving is not None and business.replicas is not None and 0 < business.replicas * saving.value < 1:
        values = {"saved": number(business.replicas * saving.value), "replicas": number(business.replicas)}
        yield Reason("against", "reason.part", values, origin(evidence, "saving", "replicas"))
    if evidence.repeats == 1:
        yield Reason("against", "reason.one-repeat", {}, origin(evidence, "saving"))
    if evidence.assumed:
        values = {"names": ", ".join(evidence.assumed)}
        yield Reason("against", "reason.assumed", values, origin(evidence, *evidence.assumed))
