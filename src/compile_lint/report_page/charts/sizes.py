"""The sizes of inputs in the traffic, and what each remedy against recompilation makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from compile_lint.bench.record import RemedyCost, Size, Traffic
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.drawing import Drawing, Part, Series
from compile_lint.report_page.numbers import duration, number, percent, unit_of, whole
from compile_lint.report_page.view import Chart, Table

_SHOWN = 24
"""Bars of sizes; with more sizes neighbours share one."""


def by_size(traffic: Traffic, catalogue: Catalogue) -> Chart | None:
    """Requests by input size; None where the traffic holds none."""
    if not traffic.requests:
        return None
    groups = _groups(sorted(traffic.sizes, key=lambda size: size.values))
    labels = [_label(group) for group in groups]
    counts = [sum(size.requests for size in group) for group in groups]
    dimensions = ", ".join(traffic.dimensions)
    drawing = Drawing(
        "bars",
        (Series(catalogue.text("chart.sizes.y"), "neutral", tuple(map(float, counts))),),
        tuple(labels),
        dimensions,
        catalogue.text("chart.sizes.y"),
        y_shown=whole,
        counts=True,
    )
    title = catalogue.text("chart.sizes.title")
    rows = [
        (label, f"{count:,}", percent(count / traffic.requests)) for label, count in zip(labels, counts, strict=True)
    ]
    columns = (dimensions, catalogue.text("chart.sizes.y"), catalogue.text("chart.sizes.share"))
    words = catalogue.text(
        "chart.sizes.words",
        requests=f"{traffic.requests:,}",
        sizes=catalogue.count("sizes", len(traffic.sizes)),
        common=_label([max(traffic.sizes, key=lambda size: size.requests)]),
        share=percent(max(size.requests for size in traffic.sizes) / traffic.requests),
    )
    return Chart(title, words, drawing, Table(title, columns, tuple(rows)))


def recompiles(traffic: Traffic, catalogue: Catalogue) -> Chart | None:
    """Compilations by input size, as it is and under the cheapest remedy; None where the sizes are not told."""
    known = [one for one in traffic.remedies if one.compiled_at]
    as_is = next((one for one in known if one.remedy == "as-is"), None)
    if as_is is None:
        return None
    best = [one for one in known if one.remedy == traffic.cheapest and one is not as_is]
    sizes = sorted({values for one in known for values, _ in one.compiled_at})
    counts = {one.remedy: dict(one.compiled_at) for one in known}
    labels = tuple("x".join(map(str, values)) for values in sizes)
    parts: tuple[Part, Part] = ("eager", "compiled")
    series = [
        Series(_remedy(one, catalogue), part, tuple(counts[one.remedy].get(values) for values in sizes))
        for one, part in zip((as_is, *best), parts, strict=False)
    ]
    dimensions, y = ", ".join(traffic.dimensions), catalogue.text("chart.recompiles.y")
    drawing = Drawing("bars", tuple(series), labels, dimensions, y, y_shown=whole, counts=True)
    rows = [
        (label, *(_count(counts[one.remedy].get(values)) for one in known))
        for label, values in zip(labels, sizes, strict=True)
    ]
    title = catalogue.text("chart.recompiles.title")
    table = Table(title, (dimensions, *(_remedy(one, catalogue) for one in known)), tuple(rows))
    return Chart(title, _recompile_words(as_is, best, catalogue), drawing, table)


def by_remedy(traffic: Traffic, catalogue: Catalogue) -> Chart | None:
    """The time that the whole traffic takes under each remedy, compiling apart; None where none was measured."""
    known = [one for one in traffic.remedies if one.total_ms is not None]
    if not known:
        return None
    names = [_remedy(one, catalogue) for one in known]
    size, unit = unit_of(max(one.total_ms or 0.0 for one in known))
    compiling = [(one.compile_ms or 0.0) / size for one in known]
    running = [(one.total_ms or 0.0) / size - spent for one, spent in zip(known, compiling, strict=True)]
    drawing = Drawing(
        "stacked",
        (
            Series(catalogue.text("part.running"), "compiled", tuple(running)),
            Series(catalogue.text("part.compiling"), "warm", tuple(compiling)),
        ),
        tuple(names),
        "",
        catalogue.text("chart.remedies.y", unit=unit),
        y_shown=number,
    )
    title = catalogue.text("chart.remedies.title")
    table = Table(title, _columns(catalogue), tuple(_row(one, catalogue) for one in traffic.remedies))
    return Chart(title, _words(traffic, known, catalogue), drawing, table)


def _recompile_words(as_is: RemedyCost, best: Sequence[RemedyCost], catalogue: Catalogue) -> str:
    met = sum(count > 0 for _, count in as_is.compiled_at)
    words = catalogue.text(
        "chart.recompiles.words",
        met=f"{met:,}",
        sizes=catalogue.count("sizes", len(as_is.compiled_at)),
        compiles=catalogue.count("compiles", sum(count for _, count in as_is.compiled_at)),
    )
    for one in best:
        compiles = catalogue.count("compiles", sum(count for _, count in one.compiled_at))
        second = catalogue.text("chart.recompiles.best", remedy=_remedy(one, catalogue), compiles=compiles)
        words = catalogue.text("chart.then", first=words, second=second)
    return words


def _count(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _groups(sizes: Sequence[Size]) -> list[list[Size]]:
    each = -(-len(sizes) // _SHOWN)
    left = iter(sizes)
    return [group for _ in range(_SHOWN) if (group := list(islice(left, each)))]


def _label(group: Sequence[Size]) -> str:
    ends = ["x".join(map(str, size.values)) for size in (group[0], group[-1])]
    return ends[0] if len(group) == 1 else f"{ends[0]}-{ends[1]}"


def _remedy(one: RemedyCost, catalogue: Catalogue) -> str:
    return catalogue.text(f"remedy.{one.remedy}")


def _columns(catalogue: Catalogue) -> tuple[str, ...]:
    names = ("remedy", "total", "compile", "compiles", "requests", "padding")
    return tuple(catalogue.text(f"chart.remedies.column.{name}") for name in names)


def _row(one: RemedyCost, catalogue: Catalogue) -> tuple[str, ...]:
    name = _remedy(one, catalogue)
    if one.raised:
        name = catalogue.text("chart.remedies.raised", remedy=name, why=one.raised)
    elif one.estimated:
        name = catalogue.text("chart.remedies.estimated", remedy=name)
    if one.limit_hit:
        name = catalogue.text("chart.remedies.limit", remedy=name)
    times = ["" if spent is None else duration(spent) for spent in (one.total_ms, one.compile_ms)]
    return (name, *times, f"{one.compiles:,}", f"{one.requests_that_compile:,}", percent(one.padding_share))


def _words(traffic: Traffic, known: Sequence[RemedyCost], catalogue: Catalogue) -> str:
    best = next((one for one in known if one.remedy == traffic.cheapest), None)
    if best is None:
        best = min(known, key=lambda one: one.total_ms or 0.0)
    words = catalogue.text(
        "chart.remedies.words",
        remedy=_remedy(best, catalogue),
        total=duration(best.total_ms or 0.0),
        compiles=catalogue.count("compiles", best.compiles),
    )
    edges = _edges(traffic) if best.remedy == "buckets" else ""
    if not edges:
        return words
    return catalogue.text("chart.then", first=words, second=catalogue.text("chart.remedies.edges", edges=edges))


def _edges(traffic: Traffic) -> str:
    return "; ".join(
        f"{dimension}: {', '.join(map(str, edges))}"
        for dimension, edges in zip(traffic.dimensions, traffic.edges, strict=False)
    )
