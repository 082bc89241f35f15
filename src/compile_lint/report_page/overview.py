"""Several targets side by side, those first that bring most for the work that they need."""

from __future__ import annotations

from collections.abc import Sequence

from compile_lint.decision.rank import order
from compile_lint.decision.report.words import columns, row
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.view import ModelView, Subject, Table


def ranked(subjects: Sequence[Subject]) -> list[Subject]:
    """The targets by what they save for the effort."""
    return sorted(subjects, key=lambda one: order(one.decision))


def overview(subjects: Sequence[Subject], models: Sequence[ModelView], catalogue: Catalogue) -> Table:
    """A row a target, in the order that they come; a verdict that rests on what was assumed says so."""
    rows = tuple(_row(one, catalogue) for one in subjects)
    links = tuple(f"#{model.anchor}" for model in models)
    return Table(catalogue.text("overview.caption"), columns(catalogue), rows, numbers=2, links=links)


def _row(one: Subject, catalogue: Catalogue) -> tuple[str, ...]:
    name, verdict, *figures = row(one.decision, catalogue)
    if one.decision.assumed:
        verdict = catalogue.text("overview.assumed", verdict=verdict)
    return (name, verdict, *figures)
