"""How the operations of one call split into graphs, in the order that they run."""

from __future__ import annotations

from compile_lint.confirm.join.model import Confirmation
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.drawing import Drawing, Series
from compile_lint.report_page.numbers import whole
from compile_lint.report_page.view import Chart, Table

_SHOWN = 30
"""Graphs that have a bar of their own; the rest share one."""


def chart(seen: Confirmation, catalogue: Catalogue) -> Chart | None:
    """The chart; None where no operation ran."""
    if not seen.ops:
        return None
    inside = list(seen.graphs[:_SHOWN])
    labels = [f"{place}" for place in range(1, len(inside) + 1)]
    if len(seen.graphs) > _SHOWN:
        inside.append(sum(seen.graphs[_SHOWN:]))
        labels.append(f"{_SHOWN + 1}-{len(seen.graphs)}")
    names = (catalogue.text("part.in-graphs"), catalogue.text("part.outside"))
    outside = [seen.ops_outside_graphs] if seen.ops_outside_graphs else []
    rows = [(label, f"{count:,}") for label, count in zip(labels, inside, strict=True)]
    rows += [(names[1], f"{count:,}") for count in outside]
    drawing = Drawing(
        "stacked",
        (
            Series(names[0], "compiled", (*inside, *(None for _ in outside))),
            Series(names[1], "eager", (*(None for _ in inside), *outside)),
        )[: 1 + len(outside)],
        (*labels, *("-" for _ in outside)),
        catalogue.text("chart.graphs.x"),
        catalogue.text("chart.graphs.y"),
        y_shown=whole,
        counts=True,
    )
    title = catalogue.text("chart.graphs.title")
    columns = (catalogue.text("chart.graphs.x"), catalogue.text("chart.graphs.y"))
    return Chart(title, _words(seen, catalogue), drawing, Table(title, columns, tuple(rows)))


def _words(seen: Confirmation, catalogue: Catalogue) -> str:
    graphs = catalogue.count("graphs", len(seen.graphs))
    if not seen.graphs:
        return catalogue.text("chart.graphs.none", operations=f"{seen.ops:,}")
    return catalogue.text(
        "chart.graphs.words",
        inside=f"{sum(seen.graphs):,}",
        operations=f"{seen.ops:,}",
        graphs=graphs,
        largest=f"{max(seen.graphs):,}",
    )
