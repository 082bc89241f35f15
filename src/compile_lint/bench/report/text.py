"""The report for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compile_lint.bench.figures import latency
from compile_lint.bench.record import BenchRecord, TargetBench, Traffic
from compile_lint.bench.report import words
from compile_lint.report.paint import Paint, safe
from compile_lint.report.run import plural

_WIDTH = 11
_SHOWN = 20


def render(record: BenchRecord, color: bool = False) -> str:
    """The whole report."""
    paint = Paint(color)
    blocks = ["\n".join(_target(target, paint)) for target in record.targets]
    blocks.append(paint(safe(f"measured on {words.machine_words(record.machine)}"), "dim"))
    return "\n\n".join(blocks) + "\n"


def _target(target: TargetBench, paint: Paint) -> Iterator[str]:
    total = f"; {target.seconds['total']:.0f} s" if "total" in target.seconds else ""
    yield f"{paint(safe(target.name), 'bold')} {paint(safe(f'({words.settings_words(target)}{total})'), 'dim')}"
    if target.status != "ok":
        yield _row(paint(target.status, "red", "bold"), target.message)
    if target.compiled_error:
        yield _row("raises", target.compiled_error, paint, "red")
    yield from _latency(target, paint)
    yield from _warm_up(target, paint)
    yield from _results(target, paint)
    if target.traffic is not None:
        yield from _traffic(target, target.traffic, paint)
    for note in target.notes:
        yield _row("note", note, paint, "yellow")


def _row(name: str, text: str, paint: Paint | None = None, style: str = "bold") -> str:
    padding = " " * max(_WIDTH - len(name), 1)
    return f"  {paint(name, style) if paint and name else name}{padding} {safe(text)}"


def _latency(target: TargetBench, paint: Paint) -> Iterator[str]:
    eager, compiled = latency(target.eager), latency(target.compiled)
    if eager is not None:
        yield _row("eager", f"{words.spread(eager)}, {words.throughput(target.eager)}", paint)
        yield _row("", f"{words.percentiles(target.eager)}; peak memory {words.size(target.eager_memory)}")
    if compiled is not None:
        yield _row("compiled", f"{words.spread(compiled)}, {words.throughput(target.compiled)}", paint)
        yield _row("", f"{words.percentiles(target.compiled)}; peak memory {words.size(target.compiled_memory)}")
        yield _row("saving", words.saving_words(target), paint)


def _warm_up(target: TargetBench, paint: Paint) -> Iterator[str]:
    for number, start in enumerate(target.warm_ups):
        name = f"{words.STARTS[start.start]}: "
        yield _row("" if number else "first call", f"{name}{words.first_calls(start)}", paint)
        said = [words.phases_words(start.phases), words.settled_words(start)]
        yield _row("", f"  {'; '.join(filter(None, said))}")
    if target.warm_ups and target.eager_first_call:
        yield _row("", f"eager: {words.ms(target.eager_first_call[0])}")


def _results(target: TargetBench, paint: Paint) -> Iterator[str]:
    if results := words.result_words(target):
        yield _row("results", results, paint, "bold" if target.same_result else "red")
        yield from (_row("", line) for line in target.differences[:_SHOWN])
    if graph := words.graph_words(target):
        yield _row("graph", graph, paint)
        yield from (_row("", f"{place}: {reason}") for place, reason in list(words.break_words(target))[:_SHOWN])


def _traffic(target: TargetBench, traffic: Traffic, paint: Paint) -> Iterator[str]:
    count = plural(traffic.requests, "request")
    yield _row("traffic", f"{count} of {plural(len(traffic.sizes), 'size')}, {traffic.source}", paint)
    rows = [words.REMEDY_HEADINGS, *(words.remedy_cells(each, traffic.requests) for each in traffic.remedies)]
    if traffic.remedies:
        yield from (_row("", line) for line in _columns(rows))
        yield _row("cheapest", traffic.cheapest or "none could be run", paint)
    yield from (_row("", line) for line in words.edges_words(target))


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as columns of equal width, the last as long as it is."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:], strict=True)),
        ]
        yield "  ".join([*cells, row[-1]]).rstrip()
