"""Reports on decisions: pure functions from them to text."""

from __future__ import annotations

from collections.abc import Sequence

from compile_lint.decision.model import Decision

FORMATS = ("text", "json", "markdown")


def render(
    decisions: Sequence[Decision], form: str, language: str = "en", color: bool = False, brief: bool = False
) -> str:
    """The report in the form asked for.

    Args:
        decisions: one at least, the best first.
        form: one of FORMATS.
        language: one of the catalogue's; the names of JSON are the same in all.
        color: whether the text is for a terminal that shows colours.
        brief: whether only verdicts, figures and reasons are shown (text and markdown).
    """
    from compile_lint.decision.report import as_json, markdown, text
    from compile_lint.report_page.catalogue import Catalogue

    catalogue = Catalogue(language)
    if form == "json":
        return as_json.render(decisions, catalogue)
    if form == "markdown":
        return markdown.render(decisions, catalogue, brief)
    return text.render(decisions, catalogue, color, brief)
