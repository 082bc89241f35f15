"""The keys of the `[tool.compile-lint.business]` table: what `compile-lint decide` and `report` reckon with.

The options of these commands have the same names and shapes, so that both are checked by one function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BusinessShape = Literal["money", "number", "positive", "seconds", "currency"]


@dataclass(frozen=True, slots=True)
class BusinessKey:
    """One key. `example` is what TOML would hold, for the file that `init` writes; None where the default says it."""

    name: str
    shape: BusinessShape
    help: str
    default: object = None
    example: object = None
    metavar: str = "NUMBER"


BUSINESS_KEYS: tuple[BusinessKey, ...] = (
    BusinessKey("gpu-cost-per-month", "money", "The bill for the machines of all processes.", None, 10_000, "MONEY"),
    BusinessKey("requests-per-day", "number", "Requests of all processes together.", None, 100_000),
    BusinessKey("replicas", "positive", "Processes that serve, on average.", None, 4),
    BusinessKey("restarts-per-day", "number", "Starts of each process a day: deploys, scaling, crashes.", None, 2),
    BusinessKey("engineering-cost", "money", "What the work costs, once.", None, 18_000, "MONEY"),
    BusinessKey("engineering-weeks", "number", "The work in weeks, in place of its cost.", None, 3, "WEEKS"),
    BusinessKey("cost-per-week", "money", "What a week of work costs.", None, 6_000, "MONEY"),
    BusinessKey("first-request-slo", "seconds", "How long a first request may take.", None, 5, "SECONDS"),
    BusinessKey("max-payback-months", "number", "Work that takes longer to pay back is not begun.", 24, None, "MONTHS"),
    BusinessKey("currency", "currency", "The sign or code that stands behind money.", "USD", None, "CODE"),
)

BUSINESS_BY_NAME: dict[str, BusinessKey] = {key.name: key for key in BUSINESS_KEYS}

TARGETS = "target"
"""A table of tables below it: figures of single targets by name, which win over those for all."""
