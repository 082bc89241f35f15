"""Several targets in order: those first that save most for the work that they need."""

from __future__ import annotations

import math
from collections.abc import Sequence

from compile_lint.decision.model import Decision, Verdict

_RANK: dict[Verdict, int] = {"go": 0, "conditions": 0, "no-go": 1}


def per_effort(decision: Decision) -> float | None:
    """Money a month, or share of time where no bill is known, for each unit of engineering; None where unknown.

    Without a cost of engineering it is the saving alone; where the work is free, a saving is worth endlessly much.
    """
    saved = decision.saving_share if decision.saving_per_month is None else decision.saving_per_month
    if saved is None:
        return None
    cost = decision.business.engineering_cost
    if cost is None or saved.value == 0:
        return saved.value
    return saved.value / cost if cost > 0 else math.copysign(math.inf, saved.value)


def order(decision: Decision) -> tuple[int, float, str]:
    """A key to sort by: what is no-go after all others; names settle what is equal."""
    gained = per_effort(decision)
    return _RANK[decision.verdict], math.inf if gained is None else -gained, decision.name


def ranked(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions, best first."""
    return sorted(decisions, key=order)
