"""Reports on confirmed targets: pure functions from a run to text."""

from __future__ import annotations

from collections.abc import Sequence

from compile_lint.confirm.join.model import ConfirmRun

FORMATS = ("text", "json", "github", "markdown")


def render(
    run: ConfirmRun,
    form: str,
    color: bool = False,
    verbosity: int = 0,
    failures: Sequence[str] = (),
    rules: bool = False,
) -> str:
    """The report in the form asked for.

    Args:
        run: what was confirmed.
        form: one of FORMATS.
        color: whether the text is for a terminal that shows colours.
        verbosity: below 0 the summary alone, above 0 every finding.
        failures: why the gate fails, a sentence each.
        rules: whether to add how each rule did (text and markdown).
    """
    from compile_lint.confirm.report import as_json, github, markdown, text

    if form == "json":
        return as_json.render(run)
    if form == "github":
        return github.render(run, failures)
    if form == "markdown":
        return markdown.render(run, failures, rules)
    return text.render(run, color, verbosity, failures, rules)
