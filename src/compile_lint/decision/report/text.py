"""The report for people: each target with its figures, reasons and checklist, then what all rests on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from compile_lint.decision.formulas import assumptions, formulas
from compile_lint.decision.model import Decision, Verdict, Weight
from compile_lint.decision.report import words
from compile_lint.report.paint import Paint, safe, safe_lines
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.facts import facts

WIDTH = 110
_VERDICTS: dict[Verdict, str] = {"go": "green", "conditions": "yellow", "no-go": "red"}
_WEIGHTS: dict[Weight, str] = {"blocks": "red", "against": "magenta", "condition": "yellow", "for": "green"}


def render(decisions: Sequence[Decision], catalogue: Catalogue, color: bool = False, brief: bool = False) -> str:
    """The whole report. `brief` leaves out the checklists and the formulas."""
    paint = Paint(color)
    blocks = ["\n".join(_overview(decisions, catalogue, paint))] if len(decisions) > 1 else []
    blocks += ["\n".join(_target(one, catalogue, paint, brief)) for one in decisions]
    if not brief:
        blocks.append("\n".join(_basis(decisions[0], catalogue, paint)))
    return "\n\n".join(blocks) + "\n"


def _target(decision: Decision, catalogue: Catalogue, paint: Paint, brief: bool) -> Iterator[str]:
    verdict = paint(catalogue.text(f"verdict.{decision.verdict}"), _VERDICTS[decision.verdict], "bold")
    source = paint(f" ({safe(decision.evidence.source)})", "dim") if decision.evidence.source else ""
    yield f"{paint(safe(decision.name), 'bold')}: {verdict}{source}"
    known = list(facts(decision, catalogue))
    width = max((words.cells(fact.name) for fact in known), default=0)
    for fact in known:
        mark = f"  [{catalogue.text('page.assumed')}]" if fact.assumed else ""
        yield f"  {words.padded(fact.name, width)}  {safe(fact.value)}{paint(mark, 'yellow')}"
    yield f"  {paint(catalogue.text('page.why'), 'bold')}"
    for reason in decision.reasons:
        weight = paint(catalogue.text(f"weight.{reason.weight}"), _WEIGHTS[reason.weight])
        yield from _wrapped(f"    {weight}: ", words.filled(reason.text, reason.values, catalogue), 6)
        yield paint(f"      {safe(reason.evidence)}", "dim")
    if brief or not decision.conditions:
        return
    yield f"  {paint(catalogue.text('page.checklist'), 'bold')}"
    for one in decision.conditions:
        yield from _wrapped("    [ ] ", words.filled(one.text, one.values, catalogue), 8)
        yield from (paint(f"          {line}".rstrip(), "cyan") for line in safe_lines(one.code) if one.code)


def _basis(decision: Decision, catalogue: Catalogue, paint: Paint) -> Iterator[str]:
    """What is taken for granted, and the formulas."""
    yield paint(catalogue.text("decide.assumptions"), "bold")
    for line in assumptions(decision, catalogue):
        yield from _wrapped("  - ", line, 4)
    yield paint(catalogue.text("page.formulas"), "bold")
    for line in formulas(catalogue):
        yield from _wrapped("  ", line, 4)


def _overview(decisions: Sequence[Decision], catalogue: Catalogue, paint: Paint) -> Iterator[str]:
    yield paint(catalogue.text("overview.caption"), "bold")
    rows = [words.columns(catalogue), *(words.row(one, catalogue) for one in decisions)]
    rows = [tuple(safe(cell) for cell in row) for row in rows]
    widths = [max(words.cells(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (words.padded(cell, width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()


def _wrapped(head: str, text: str, indent: int) -> Iterator[str]:
    """The text in lines below each other. `head` stands before the first; colours in it take no room."""
    lines = textwrap.wrap(" ".join(safe(text).split()), WIDTH - indent, break_on_hyphens=False) or [""]
    yield head + lines[0]
    yield from (" " * indent + line for line in lines[1:])
