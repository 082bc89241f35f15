"""The formulas of the figures, and what they take for granted: keys of the catalogue, in the order of reading."""

from __future__ import annotations

from compile_lint.decision.model import Decision
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.numbers import number

FORMULAS = (
    "formula.saving",
    "formula.net",
    "formula.saving-per-month",
    "formula.payback",
    "formula.break-even",
    "formula.per-start",
    "formula.cold-requests",
    "formula.recompile-cost",
)
ASSUMPTIONS = (
    "assumption.bill",
    "assumption.month",
    "assumption.processes",
    "assumption.cold",
    "assumption.once",
    "assumption.range",
    "assumption.payback",
)


def formulas(catalogue: Catalogue) -> tuple[str, ...]:
    """Each formula in one line."""
    return tuple(catalogue.text(key) for key in FORMULAS)


def assumptions(decision: Decision, catalogue: Catalogue) -> tuple[str, ...]:
    """What the figures take for granted, a sentence each."""
    limit = number(decision.business.max_payback_months)
    return tuple(catalogue.text(key, limit=limit) for key in ASSUMPTIONS)
