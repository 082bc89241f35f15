"""The report for people: findings with their code, then a summary."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.findings import Deduction, EntryScore, Finding
from compile_lint.report.frame import frame
from compile_lint.report.paint import KIND_COLORS, Paint, safe, safe_lines
from compile_lint.report.prose import WIDTH, fill, first_sentence
from compile_lint.report.run import LinesOf, Run, plural, points
from compile_lint.report.words import reach

_ENTRIES = 20
"""Entries that the summary lists, the lowest scores first; all of them when verbose."""
_DEDUCTIONS = 3


def render(run: Run, lines_of: LinesOf, color: bool = False, verbosity: int = 0) -> str:
    """The whole report. `verbosity` below 0 leaves out the summary, above 0 adds every entry and all advice."""
    paint = Paint(color)
    parts = [*_findings(run, lines_of, paint, verbosity)]
    if verbosity >= 0:
        parts.append("\n".join(summary(run, paint, verbosity)))
    return "".join(f"{part}\n" for part in parts)


def summary(run: Run, paint: Paint, verbosity: int = 0) -> Iterator[str]:
    """Counts by kind, and the scores."""
    yield _counts(run, paint)
    if run.hidden:
        yield paint(f"{plural(run.hidden, 'finding')} less sure than min-confidence not shown.", "dim")
    if run.silenced:
        yield paint(f"{plural(run.silenced, 'finding')} silenced by comments.", "dim")
    if run.known:
        yield paint(f"{plural(run.known, 'finding')} not new, and not shown.", "dim")
    if not run.scores:
        if run.files:
            yield "No entry found: nothing here is compiled or an nn.Module; --entry names what you compile."
        return
    entries = plural(len(run.scores), "entry", "entries")
    yield paint(f"Readiness for torch {run.target_torch}: {points(run.score)} of 100 over {entries}", "bold")
    yield from _entries(run, paint, verbosity)


def _findings(run: Run, lines_of: LinesOf, paint: Paint, verbosity: int) -> Iterator[str]:
    where, lines = "", None
    told: set[str] = set()
    for finding in run.findings:
        if finding.where != where:
            where, lines = finding.where, lines_of(finding.where)
        color = KIND_COLORS[finding.kind]
        out = [_head(finding, paint, color)]
        out.extend(frame(finding, lines or (), paint, color))
        out.extend(_notes(finding, paint, set() if verbosity > 0 else told))
        yield "\n".join(out) + "\n"


def _head(finding: Finding, paint: Paint, color: str) -> str:
    place = f"{safe(finding.where)}:{finding.line}:{finding.column}:"
    sure = "" if finding.confidence == "certain" else f", {finding.confidence}"
    label = paint(f"{finding.code} {finding.name}", color, "bold")
    return f"{paint(place, 'bold')} {label} [{finding.kind}{sure}] {' '.join(safe_lines(finding.message))}"


def _notes(finding: Finding, paint: Paint, told: set[str]) -> Iterator[str]:
    """Why, where from, and what to write instead. Of what was told before only the first sentence is."""
    cut = False
    for label, text in (("why", finding.why), ("in", reach(finding)), ("instead", finding.instead)):
        again = text in told
        told.add(text)
        short = first_sentence(text) if again else text.strip()
        cut = cut or len(short) < len(text.strip())
        if short:
            yield from _note(label, short, paint)
    if cut:
        yield f"  {paint('=', 'blue')} {paint('more:', 'bold')} compile-lint rule {safe(finding.code)}"


def _note(label: str, text: str, paint: Paint) -> Iterator[str]:
    head = f"= {label}: "
    first, *rest = fill(text, WIDTH, len(head))
    yield f"  {paint('=', 'blue')} {paint(label + ':', 'bold')} {first}"
    for line in rest:
        yield f"    {line}".rstrip()


def _counts(run: Run, paint: Paint) -> str:
    files = plural(run.files, "file")
    if not run.findings:
        return paint(f"No findings in {files}.", "green") if run.files else f"No Python files found{_errors(run)}."
    kinds = ", ".join(paint(f"{number} {kind}", KIND_COLORS[kind]) for kind, number in run.kinds())
    places = len({finding.path for finding in run.findings})
    return f"Found {plural(len(run.findings), 'finding')} in {places} of {files}: {kinds}."


def _errors(run: Run) -> str:
    return f" ({plural(len(run.errors), 'error')})" if run.errors else ""


def _entries(run: Run, paint: Paint, verbosity: int) -> Iterator[str]:
    ordered = sorted(run.scores, key=lambda entry: (entry.score, entry.path, entry.cell or 0, entry.line, entry.entry))
    worth = ordered if verbosity > 0 else [entry for entry in ordered if entry.score < 100][:_ENTRIES]
    for entry in worth:
        yield _entry(entry, paint)
    left = ordered[len(worth) :]
    if left and worth:
        low, high = points(left[0].score), points(left[-1].score)
        span = low if low == high else f"{low} to {high}"
        yield paint(f"        and {plural(len(left), 'more entry', 'more entries')} at {span}; -v lists them", "dim")


def _entry(entry: EntryScore, paint: Paint) -> str:
    color = "green" if entry.score >= 99.95 else "yellow" if entry.score >= 50 else "red"
    place = f"{safe(entry.where)}:{entry.line}"
    size = f"{plural(entry.ops, 'operation')} in {plural(entry.graphs, 'graph')}"
    worst = sorted(entry.deductions, key=lambda deduction: (-deduction.points, deduction.line))[:_DEDUCTIONS]
    costs = ", ".join(f"{one.code} {_line(one)} -{points(one.points)}" for one in worst)
    more = len(entry.deductions) - len(worst)
    costs += f" and {more} more" if more > 0 else ""
    score = paint(f"{points(entry.score):>5}", color)
    return f"  {score}  {safe(entry.entry)}  {place}  {size}{'; ' + costs if costs else ''}"


def _line(one: Deduction) -> str:
    return f"line {one.line}" if one.cell is None else f"cell {one.cell} line {one.line}"
