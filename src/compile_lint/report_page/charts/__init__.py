"""The charts of one target, each from plain figures: what is drawn, the same in words, and as a table."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.view import Chart, Subject


def charts(subject: Subject, catalogue: Catalogue) -> tuple[Chart, ...]:
    """All charts that the figures of the target are enough for, in the order of the page."""
    return tuple(chart for chart in _all(subject, catalogue) if chart is not None and chart.drawing.finite)


def _all(subject: Subject, catalogue: Catalogue) -> Iterator[Chart | None]:
    from compile_lint.report_page.charts import break_even, graphs, latency, sizes, traffic

    bench = subject.bench
    if bench is not None:
        yield latency.chart(bench.eager, bench.compiled, catalogue)
    yield break_even.chart(subject.decision, catalogue)
    yield traffic.chart(subject.decision, catalogue)
    if bench is not None and bench.confirmation is not None:
        yield graphs.chart(bench.confirmation, catalogue)
    if bench is not None and bench.traffic is not None:
        yield sizes.by_size(bench.traffic, catalogue)
        yield sizes.recompiles(bench.traffic, catalogue)
        yield sizes.by_remedy(bench.traffic, catalogue)
