"""Reports: pure functions from a run to text. Only the command line writes, and decides the exit code."""

from __future__ import annotations

from collections.abc import Callable

from compile_lint.report.paint import safe, wants_color
from compile_lint.report.run import LinesOf, Run

__all__ = ["LinesOf", "Run", "render", "safe", "wants_color"]


def render(
    run: Run, form: str, lines_of: LinesOf, color: bool = False, verbosity: int = 0, statistics: bool = False
) -> str:
    """The report in the form asked for, one of config.keys.FORMATS. `statistics`: the counts by rule in its place."""
    if statistics:
        from compile_lint.report import statistics as counts

        return counts.render(run, form == "json", color)
    if form in ("text", "concise", "grouped", "github"):
        return _for_people(run, form, lines_of, color, verbosity)
    return _for_tools(run, form, lines_of)


def _for_people(run: Run, form: str, lines_of: LinesOf, color: bool, verbosity: int) -> str:
    from compile_lint.report import concise, github, grouped, text

    if form == "concise":
        return concise.render(run, color, verbosity)
    if form == "grouped":
        return grouped.render(run, color, verbosity)
    if form == "github":
        return github.render(run, verbosity)
    return text.render(run, lines_of, color, verbosity)


def _for_tools(run: Run, form: str, lines_of: LinesOf) -> str:
    if form in ("rdjson", "rdjsonl"):
        from compile_lint.report import rdjson

        return rdjson.render(run, lines_of) if form == "rdjson" else rdjson.render_lines(run, lines_of)
    if form == "sarif":
        from compile_lint.report import sarif

        return sarif.render(run, lines_of)
    renderers: dict[str, Callable[[Run], str]] = {
        "json": _json,
        "gitlab": _gitlab,
        "junit": _junit,
        "markdown": _markdown,
    }
    return renderers[form](run)


def _json(run: Run) -> str:
    from compile_lint.report import as_json

    return as_json.render(run)


def _gitlab(run: Run) -> str:
    from compile_lint.report import gitlab

    return gitlab.render(run)


def _junit(run: Run) -> str:
    from compile_lint.report import junit

    return junit.render(run)


def _markdown(run: Run) -> str:
    from compile_lint.report import markdown

    return markdown.render(run)
