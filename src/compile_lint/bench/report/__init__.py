"""Reports on a record: pure functions from it to text."""

from __future__ import annotations

from compile_lint.bench.record import BenchRecord

FORMATS = ("text", "json", "markdown")


def render(record: BenchRecord, form: str, color: bool = False) -> str:
    """The report in the form asked for, one of FORMATS. `color` is for a text on a terminal."""
    from compile_lint.bench import write
    from compile_lint.bench.report import markdown, text

    if form == "json":
        return write.render(record)
    return markdown.render(record) if form == "markdown" else text.render(record, color)
