"""Time spent since a process began, by requests served: where compiling overtakes eager, warm-up paid."""

from __future__ import annotations

from compile_lint.decision.model import Decision, Evidence
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.charts.assumed import marked
from compile_lint.report_page.drawing import Drawing, Part, Series
from compile_lint.report_page.numbers import duration, number, short, unit_of
from compile_lint.report_page.view import Chart, Table

_BEYOND = 2.0
"""The chart ends at so many times the crossing."""
_STEPS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0)
"""Rows of the table, as shares of the crossing."""

Line = tuple[str, Part, float, float]
"""Name, part, milliseconds before the first request, milliseconds a request."""


def chart(decision: Decision, catalogue: Catalogue) -> Chart | None:
    """The chart; None where a latency is not known, or no warm-up is."""
    lines = _lines(decision.evidence, catalogue)
    if len(lines) < 2:
        return None
    crossing = decision.break_even_requests
    if crossing is None or crossing <= 0:
        crossing = None
        ends = 2 * max(1.0, lines[1][2] / lines[0][3])
    else:
        ends = _BEYOND * crossing
    size, unit = unit_of(max(start + ends * each for _, _, start, each in lines))
    series = [
        Series(name, part, points=((0, start / size), (ends, (start + ends * each) / size)))
        for name, part, start, each in lines
    ]
    if crossing is not None:
        at = ((crossing, lines[0][3] * crossing / size),)
        series.append(Series(catalogue.text("part.crossing"), "mark", points=at))
    drawing = Drawing(
        "lines",
        tuple(series),
        (),
        catalogue.text("chart.break-even.x"),
        catalogue.text("chart.break-even.y", unit=unit),
        short,
        number,
    )
    title = catalogue.text("chart.break-even.title")
    words = marked(_words(crossing, lines, catalogue), "break-even", decision, catalogue)
    return Chart(title, words, drawing, _table(title, lines, ends, catalogue))


def _lines(evidence: Evidence, catalogue: Catalogue) -> list[Line]:
    each = _compiled_ms(evidence)
    if evidence.eager_ms is None or evidence.eager_ms.value <= 0 or each is None:
        return []
    found: list[Line] = [(catalogue.text("part.eager"), "eager", 0.0, evidence.eager_ms.value)]
    if evidence.cold_s is not None:
        found.append((catalogue.text("part.cold"), "compiled", evidence.cold_s.value * 1000, each))
    if evidence.warm_s is not None:
        found.append((catalogue.text("part.warm"), "warm", evidence.warm_s.value * 1000, each))
    return found


def _compiled_ms(evidence: Evidence) -> float | None:
    """A compiled call, from the saving where it is known: break-even is computed from that, too."""
    if evidence.saving is not None and evidence.eager_ms is not None:
        return evidence.eager_ms.value * (1 - evidence.saving.value)
    return None if evidence.compiled_ms is None else evidence.compiled_ms.value


def _words(crossing: float | None, lines: list[Line], catalogue: Catalogue) -> str:
    warm_up = duration(lines[1][2])
    if crossing is None:
        return catalogue.text("chart.break-even.never", warm_up=warm_up)
    at = lines[0][3] * crossing
    return catalogue.text("chart.break-even.words", warm_up=warm_up, requests=number(crossing), after=duration(at))


def _table(title: str, lines: list[Line], ends: float, catalogue: Catalogue) -> Table:
    rows = []
    for step in _STEPS:
        requests = ends * step / _STEPS[-1]
        cells = [duration(start + requests * each) for _, _, start, each in lines]
        rows.append((number(requests), *cells))
    columns = (catalogue.text("chart.break-even.x"), *(name for name, *_ in lines))
    return Table(title, columns, tuple(dict.fromkeys(rows)))
