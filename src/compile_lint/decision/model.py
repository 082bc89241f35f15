"""What is decided and from what: plain frozen values. Money is in the user's currency, a month has 30 days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compile_lint.bench.figures import Range

Verdict = Literal["go", "conditions", "no-go"]
Weight = Literal["blocks", "against", "condition", "for"]


@dataclass(frozen=True, slots=True)
class Business:
    """What the user said of the service; None where nothing was said, and then what depends on it is left out."""

    gpu_cost_per_month: float | None = None
    """Of all processes together."""
    requests_per_day: float | None = None
    replicas: float | None = None
    """Processes that serve, on average."""
    restarts_per_day: float | None = None
    """Of each replica."""
    engineering_cost: float | None = None
    first_request_slo: float | None = None
    """Seconds that a first request may take."""
    currency: str = "USD"
    max_payback_months: float = 24.0
    """Work that takes longer to pay back is not begun."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Figures of one target; each with its range, None where it is neither measured nor assumed."""

    name: str
    eager_ms: Range | None = None
    compiled_ms: Range | None = None
    saving: Range | None = None
    """The share of time saved per call."""
    cold_s: Range | None = None
    """The first call of a fresh process with an empty cache."""
    warm_s: Range | None = None
    """The same with a full cache."""
    recompile_s: float | None = None
    """Time that a process spends on recompilations while it serves the traffic once."""
    requests_that_compile: float | None = None
    """Of the traffic, the share (0 to 1)."""
    score: float | None = None
    predicted_score: float | None = None
    breaks: int | None = None
    error: str = ""
    """A hard error of the compiled call, in one line."""
    failed: str = ""
    """Why the target could not be measured at all, in one line."""
    repeats: int | None = None
    """How many pairs of repeats the saving is measured by; None where it was not measured."""
    limit_hit: bool | None = None
    """Whether the traffic reaches the recompile limit, after which calls run in eager mode."""
    same_result: bool | None = None
    assumed: tuple[str, ...] = ()
    """The names of the fields above that were typed in, or follow from what was."""
    source: str = ""
    """The record's file."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason of the verdict. `text` is its key in the catalogue, `values` fill it in."""

    weight: Weight
    text: str
    values: dict[str, str]
    evidence: str
    """Where it comes from: `bench.json: detr: latency`, `assumed: eager_ms`, `business: requests-per-day`."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One entry of the checklist. `text` is its key in the catalogue; `code` is a snippet to paste, or empty."""

    text: str
    values: dict[str, str]
    evidence: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one target and what it rests on."""

    name: str
    verdict: Verdict
    saving_per_month: Range | None
    """None where the cost or the saving is not known."""
    saving_share: Range | None
    payback_months: float | None
    """None when never, or when what it needs is not known."""
    break_even_requests: float | None
    """Requests of one process after which warm-up is earned back; None when never or not known."""
    cold_requests_per_day: float | None
    recompile_cost_per_month: float | None
    reasons: tuple[Reason, ...]
    """In order of weight."""
    conditions: tuple[Condition, ...]
    assumed: tuple[str, ...]
    evidence: Evidence
    business: Business
    payback_range: Range | None = None
    """The least and the most months; endless where the saving may be none. None where `payback_months` is."""
    requests_per_start: float | None = None
    """Requests that a process serves from one start to the next, within a month; None where not known."""

    @property
    def resting_on_assumed(self) -> tuple[str, ...]:
        """The figures that were typed in and those that follow from them, by the names of the catalogue's `fact`."""
        derived = (name for name, needed in _NEEDED.items() if any(one in self.assumed for one in needed))
        return (*self.assumed, *derived)


_NEEDED = {
    "saving-per-month": ("saving", "cold_s", "warm_s", "recompile_s"),
    "payback": ("saving", "cold_s", "warm_s", "recompile_s"),
    "break-even": ("saving", "eager_ms", "cold_s", "warm_s"),
    "cold-requests": ("cold_s", "warm_s"),
    "recompile-cost": ("recompile_s", "eager_ms"),
}
