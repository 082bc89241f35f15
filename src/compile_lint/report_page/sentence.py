"""The verdict in one sentence, for people who read no further."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.decision.model import Decision
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.numbers import money_range, number, share_range


def sentence(decision: Decision, catalogue: Catalogue) -> str:
    """The verdict, then what it brings; of a no-go the weightiest reason."""
    verdict = catalogue.text(f"verdict.{decision.verdict}")
    clauses = list(_against(decision, catalogue) if decision.verdict == "no-go" else _gains(decision, catalogue))
    if not clauses:
        return catalogue.text("sentence.alone", verdict=verdict)
    joined = catalogue.text("sentence.and").join(clauses)
    return catalogue.text("sentence.whole", verdict=verdict, clauses=joined)


def _against(decision: Decision, catalogue: Catalogue) -> Iterator[str]:
    for reason in decision.reasons[:1]:
        yield catalogue.text(reason.text, **reason.values).rstrip(".。")


def _gains(decision: Decision, catalogue: Catalogue) -> Iterator[str]:
    if decision.saving_share is not None:
        yield catalogue.text("sentence.share", share=share_range(decision.saving_share, catalogue))
    if decision.saving_per_month is not None:
        saved = money_range(decision.saving_per_month, decision.business.currency, catalogue)
        yield catalogue.text("sentence.money", money=saved)
    if decision.payback_months is not None:
        yield catalogue.text("sentence.payback", months=number(decision.payback_months))
    if {"saving", "saving-per-month"} & {*decision.resting_on_assumed}:
        yield catalogue.text("sentence.assumed")
    if decision.verdict == "conditions" and decision.conditions:
        yield catalogue.count("sentence.conditions", len(decision.conditions))
