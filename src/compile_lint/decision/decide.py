"""From evidence and business figures to a decision."""

from __future__ import annotations

import math

from compile_lint.bench.figures import Range
from compile_lint.bench.record import TargetBench
from compile_lint.decision.conditions import conditions
from compile_lint.decision.maths import Figures, figures
from compile_lint.decision.model import Business, Decision, Evidence
from compile_lint.decision.reasons import ordered, reasons, verdict

_NEVER = (
    "reason.once",
    "reason.unearned",
    "reason.unearned-range",
    "reason.net",
    "reason.no-traffic",
    "reason.noise",
    "reason.slower",
)
"""Reasons by which the work never pays back, whatever the money."""


def decide(evidence: Evidence, business: Business, bench: TargetBench | None = None, device: str = "") -> Decision:
    """The decision on one target.

    Args:
        evidence: its figures, measured or assumed.
        business: what the user said of the service.
        bench: what was measured, for the checklist; None where all is assumed.
        device: where it was measured, as Machine.device.
    """
    known = figures(evidence, business)
    found = reasons(evidence, business, known)
    made = verdict(found)
    never = any(one.text in _NEVER for one in found)
    months = None if never else _months(known)
    return Decision(
        name=evidence.name,
        verdict=made,
        saving_per_month=known.saving_per_month,
        saving_share=known.saving,
        payback_months=None if months is None else months.value,
        break_even_requests=None if known.break_even is None else _finite(known.break_even.value),
        cold_requests_per_day=known.cold_requests_per_day,
        recompile_cost_per_month=known.recompile_cost_per_month,
        reasons=ordered(found),
        conditions=conditions(evidence, known, bench, device, made != "no-go"),
        assumed=evidence.assumed,
        evidence=evidence,
        business=business,
        payback_range=months,
        requests_per_start=known.requests_per_start,
    )


def _months(known: Figures) -> Range | None:
    """The pay-back time; None when never, or where the saving may be none."""
    if known.payback is None or known.saving_per_month is None or known.saving_per_month.low <= 0:
        return None
    return None if math.isinf(known.payback.value) else known.payback


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
