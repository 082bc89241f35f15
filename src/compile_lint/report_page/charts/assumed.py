"""Saying of a chart that it rests on what was typed in."""

from __future__ import annotations

from compile_lint.decision.model import Decision
from compile_lint.report_page.catalogue import Catalogue


def marked(words: str, figure: str, decision: Decision, catalogue: Catalogue) -> str:
    """The words of a chart, with a sentence more where its figure follows from assumptions."""
    if figure not in decision.resting_on_assumed:
        return words
    return catalogue.text("chart.then", first=words, second=catalogue.text("chart.assumed"))
