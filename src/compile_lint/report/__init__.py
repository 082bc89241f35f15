"""Reports: pure functions from a run to text. Only the command line writes, and decides the exit code."""

from __future__ import annotations

from compile_lint.report.paint import safe, wants_color
from compile_lint.report.run import LinesOf, Run

__all__ = ["LinesOf", "Run", "render", "safe", "wants_color"]


def render(
    run: Run, form: str, lines_of: LinesOf, color: bool = False, verbosity: int = 0, statistics: bool = False
) -> str:
    """The report in the form asked for: `text`, `concise` or `json`."""
    from compile_lint.report import as_json, concise, text
    from compile_lint.report import statistics as counts

    if statistics:
        return counts.render(run, form == "json", color)
    if form == "json":
        return as_json.render(run)
    if form == "concise":
        return concise.render(run, color, verbosity)
    return text.render(run, lines_of, color, verbosity)
