"""The report as Markdown: for a job summary or a page of a wiki."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.bench.figures import latency
from compile_lint.bench.record import BenchRecord, TargetBench, Traffic
from compile_lint.bench.report import words
from compile_lint.report.markup import code, escaped
from compile_lint.report.run import plural

_SHOWN = 30


def render(record: BenchRecord) -> str:
    """The whole report."""
    lines = ["## compile-lint bench", "", f"Measured on {escaped(words.machine_words(record.machine))}.", ""]
    lines += ["| target | eager | compiled | difference | first call, cold | results |", "|---|---:|---:|---|---:|---|"]
    lines += [f"| {' | '.join(_cells(target))} |" for target in record.targets]
    for target in record.targets:
        lines += ["", *_target(target)]
    return "\n".join(lines) + "\n"


def _cells(target: TargetBench) -> Iterator[str]:
    eager, compiled = latency(target.eager), latency(target.compiled)
    yield code(target.name)
    yield words.ms(eager.value) if eager else target.status
    yield words.ms(compiled.value) if compiled else ("raises" if target.compiled_error else "")
    yield words.saving_words(target)
    cold = [start for start in target.warm_ups if start.start == "cold"]
    yield words.first_calls(cold[0]) if cold else ""
    yield "" if target.same_result is None else "agree" if target.same_result else "**differ**"


def _target(target: TargetBench) -> Iterator[str]:
    yield f"### {escaped(target.name)}"
    yield ""
    yield f"{code(target.target)}: {escaped(words.settings_words(target))}"
    yield ""
    if target.status != "ok":
        yield f"- **{target.status}**: {escaped(target.message)}"
    if target.compiled_error:
        yield f"- **raises only when compiled**: {escaped(target.compiled_error)}"
    for name, measured, memory in (
        ("eager", target.eager, target.eager_memory),
        ("compiled", target.compiled, target.compiled_memory),
    ):
        found = latency(measured)
        if found is not None:
            yield (
                f"- {name}: {words.spread(found)}, {words.throughput(measured)}; {words.percentiles(measured)}; "
                f"peak memory {words.size(memory)}"
            )
    for start in target.warm_ups:
        said = [words.first_calls(start), words.phases_words(start.phases), words.settled_words(start)]
        yield f"- first call, {words.STARTS_LONG[start.start]}: {'; '.join(filter(None, said))}"
    yield from _results(target)
    if target.traffic is not None:
        yield from _traffic(target, target.traffic)
    yield from (f"- note: {escaped(note)}" for note in target.notes)


def _results(target: TargetBench) -> Iterator[str]:
    if results := words.result_words(target):
        yield f"- results {escaped(results)}"
        yield from (f"  - {escaped(line)}" for line in target.differences[:_SHOWN])
    if graph := words.graph_words(target):
        yield f"- graph: {escaped(graph)}"
        for place, reason in list(words.break_words(target))[:_SHOWN]:
            yield f"  - {code(place)}: {escaped(reason)}"


def _traffic(target: TargetBench, traffic: Traffic) -> Iterator[str]:
    count = plural(traffic.requests, "request")
    cheapest = f"; cheapest: **{traffic.cheapest}**" if traffic.cheapest else ""
    yield f"- traffic: {count} of {plural(len(traffic.sizes), 'size')}, {escaped(traffic.source)}{cheapest}"
    yield from (f"  - {escaped(line)}" for line in words.edges_words(target))
    if traffic.remedies:
        yield ""
        yield f"| {' | '.join(words.REMEDY_HEADINGS)} |"
        yield "|---|---:|---:|---:|---:|---:|---|"
        for each in traffic.remedies:
            yield f"| {' | '.join(escaped(cell) for cell in words.remedy_cells(each, traffic.requests))} |"
        yield ""
