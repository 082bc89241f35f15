"""The inventory for people: an operator after the other, those that hurt first."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.ops.model import Inventory, Row
from compile_lint.ops.report import words
from compile_lint.report.paint import Paint, safe
from compile_lint.report.prose import WIDTH, fill
from compile_lint.report.run import plural

_SHOWN = 3
"""Places where an operator is called that are named; all of them when verbose."""


def render(inventory: Inventory, color: bool = False, verbosity: int = 0) -> str:
    """The whole report."""
    paint = Paint(color)
    rows = words.ordered(inventory) if verbosity >= 0 else []
    parts = ["\n".join(_row(row, paint, verbosity)) + "\n" for row in rows]
    parts.append(paint(words.summary(inventory), "bold"))
    return "".join(f"{part}\n" for part in parts)


def _row(row: Row, paint: Paint, verbosity: int) -> Iterator[str]:
    place = f"{safe(row.declared.path)}:{row.declared.line}: " if row.declared else ""
    label = paint(f"[{words.verdict(row)}]", words.VERDICT_COLORS[row.verdict], "bold")
    kind = "" if row.kind == "operator" else f" ({row.kind})"
    yield f"{paint(place, 'bold')}{paint(safe(row.full_name), 'bold')}{kind} {label}"
    if row.schema:
        yield from _note("schema", row.schema, paint)
    found = "; ".join(words.has(row))
    if found:
        yield from _note("has", found, paint)
    yield from _uses(row, paint, verbosity)
    yield from _note("why", row.reason, paint)


def _uses(row: Row, paint: Paint, verbosity: int) -> Iterator[str]:
    if not row.uses:
        yield from _note("called", "in no compile region in sight", paint)
        return
    places = list(dict.fromkeys(f"{use.path}:{use.line} ({use.entry})" for use in row.uses))
    shown = places if verbosity > 0 else places[:_SHOWN]
    more = len(places) - len(shown)
    rest = f" and {plural(more, 'more place')}; -v lists them" if more else ""
    yield from _note("called", ", ".join(shown) + rest, paint)


def _note(label: str, text: str, paint: Paint) -> Iterator[str]:
    head = f"= {label}: "
    first, *rest = fill(text, WIDTH, len(head))
    yield f"  {paint('=', 'blue')} {paint(label + ':', 'bold')} {first}"
    for line in rest:
        yield f"    {line}".rstrip()
