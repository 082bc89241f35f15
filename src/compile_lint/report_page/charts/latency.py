"""How long calls take, eager against compiled: shares of calls by latency."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

from compile_lint.bench.figures import percentile
from compile_lint.bench.record import Latency
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.drawing import Drawing, Series
from compile_lint.report_page.numbers import duration, number, percent, round_width, unit_of
from compile_lint.report_page.view import Chart, Table

_BINS = 14
_TAIL = 0.95
"""Of the calls, so many lie in bins of their own; the rest share the last one."""


def chart(eager: Latency, compiled: Latency, catalogue: Catalogue) -> Chart | None:
    """The chart; None where either was not measured."""
    before, after = samples(eager), samples(compiled)
    if not before or not after:
        return None
    size, unit = unit_of(max(percentile(before, 0.5), percentile(after, 0.5)))
    edges = bins([one / size for one in before], [one / size for one in after])
    labels = [number(edge) for edge in edges]
    labels[-1] = f"≥ {labels[-1]}"
    shares = [_shares([value / size for value in one], edges) for one in (before, after)]
    names = (catalogue.text("part.eager"), catalogue.text("part.compiled"))
    drawing = Drawing(
        "bars",
        (Series(names[0], "eager", shares[0]), Series(names[1], "compiled", shares[1])),
        tuple(labels),
        unit,
        catalogue.text("chart.latency.y"),
        y_shown=percent,
    )
    rows = [(label, percent(a), percent(b)) for label, a, b in zip(labels, *shares, strict=True)]
    title = catalogue.text("chart.latency.title")
    columns = (catalogue.text("chart.latency.from", unit=unit), *names)
    return Chart(title, _words(before, after, catalogue), drawing, Table(title, columns, tuple(rows)))


def samples(latency: Latency) -> list[float]:
    """All calls of all repeats, without those that are no number."""
    return [one for repeat in latency.repeats for one in repeat if math.isfinite(one)]


def bins(*many: Sequence[float]) -> list[float]:
    """The lower edges of bins of one round width that hold all the values, the last one the tail of the slowest."""
    low = min(min(values) for values in many)
    high = max(percentile(values, _TAIL) for values in many)
    width = round_width((high - low) / (_BINS - 1) or abs(low) / _BINS or 1.0)
    first = math.floor(low / width)
    count = max(1, math.floor(high / width) - first + 1)
    return [round((first + step) * width, 12) for step in range(count)]


def _shares(values: Sequence[float], edges: Sequence[float]) -> tuple[float, ...]:
    counts = [0] * len(edges)
    for value in values:
        counts[max(0, bisect_right(edges, value) - 1)] += 1
    return tuple(count / len(values) for count in counts)


def _words(before: Sequence[float], after: Sequence[float], catalogue: Catalogue) -> str:
    shown = {
        f"{name}_{share}": duration(percentile(values, share / 100))
        for name, values in (("eager", before), ("compiled", after))
        for share in (50, 95)
    }
    return catalogue.text("chart.latency.words", **shown)
