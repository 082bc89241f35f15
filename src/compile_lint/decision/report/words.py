"""What the text and the Markdown report say alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from compile_lint.decision.model import Decision
from compile_lint.decision.rank import per_effort
from compile_lint.report.run import points
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.numbers import money, number, percent

_COLUMNS = ("model", "verdict", "saving-per-month", "saving", "payback", "score", "breaks", "per-effort")


def filled(key: str, values: Mapping[str, str], catalogue: Catalogue) -> str:
    """The text of a reason or a condition."""
    return catalogue.text(key, **values)


def columns(catalogue: Catalogue) -> tuple[str, ...]:
    """The heads of the overview."""
    return tuple(catalogue.text(f"overview.{name}") for name in _COLUMNS)


def row(decision: Decision, catalogue: Catalogue) -> tuple[str, ...]:
    """A target in the overview; empty cells for what is not known."""
    evidence, currency = decision.evidence, decision.business.currency
    saved, share, months, gained = (
        decision.saving_per_month,
        decision.saving_share,
        decision.payback_months,
        per_effort(decision),
    )
    return (
        decision.name,
        catalogue.text(f"verdict.{decision.verdict}"),
        "" if saved is None else money(saved.value, currency),
        "" if share is None else percent(share.value),
        "" if months is None else catalogue.text("fact.months", months=number(months)),
        "" if evidence.score is None else points(evidence.score),
        "" if evidence.breaks is None else f"{evidence.breaks:,}",
        "" if gained is None else number(gained),
    )


def cells(text: str) -> int:
    """Cells that a text takes on a terminal: Chinese signs take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int) -> str:
    """The text with blanks up to so many cells."""
    return text + " " * (width - cells(text))
