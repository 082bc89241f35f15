"""Figures and sentences of a record that reports in text and in Markdown share. Plain texts, not yet made safe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from compile_lint.bench.figures import Range, latency, percentile, saving
from compile_lint.bench.record import Latency, Machine, Phases, RemedyCost, TargetBench, WarmUp
from compile_lint.report.run import plural, points

_PERCENTILES = ((0.5, "p50"), (0.95, "p95"), (0.99, "p99"))
STARTS = {"cold": "cold", "warm": "warm cache", "artifacts": "artifacts"}
STARTS_LONG = {
    "cold": "fresh process, empty compile cache",
    "warm": "fresh process, full compile cache",
    "artifacts": "fresh process that loads portable cache artifacts",
}


def ms(value: float) -> str:
    """A time of milliseconds with three figures, in the unit that fits."""
    if value >= 999.5:
        return f"{value / 1e3:.3g} s" if value < 999_500 else f"{value / 1e3:.0f} s"
    return f"{value:.3g} ms" if value >= 0.0995 else f"{value * 1e3:.3g} us"


def spread(value: Range, words: str = "") -> str:
    """A time with what it lies between over the repeats."""
    return f"{ms(value.value)} ({ms(value.low)} to {ms(value.high)}{words})"


def percent(share: float) -> str:
    """A share in per cent."""
    return f"{share * 100:.1f} %" if abs(share) < 0.0995 else f"{share * 100:.0f} %"


def size(number: int | None) -> str:
    """Bytes in MiB or GiB."""
    if number is None:
        return "not known"
    return f"{number / (1 << 30):.2f} GiB" if number >= 1 << 30 else f"{number / (1 << 20):.1f} MiB"


def all_calls(measured: Latency) -> list[float]:
    """The calls of all repeats."""
    return [each for repeat in measured.repeats for each in repeat]


def percentiles(measured: Latency) -> str:
    """`p50 0.36 ms, p95 0.4 ms, p99 0.5 ms`."""
    calls = all_calls(measured)
    return ", ".join(f"{name} {ms(percentile(calls, share))}" for share, name in _PERCENTILES)


def throughput(measured: Latency) -> str:
    """Calls a second, one after another."""
    found = latency(measured)
    rate = 1e3 / found.value if found is not None and found.value else 0.0
    return f"{rate:.0f} calls/s" if rate >= 100 else f"{rate:.3g} calls/s"


def saving_words(target: TargetBench) -> str:
    """The share of time that compiling saves for each call, or costs, and whether that is more than noise."""
    found = saving(target.eager, target.compiled)
    if found is None:
        return ""
    if found.low <= 0 <= found.high:
        return f"no difference beyond the spread ({percent(found.low)} to {percent(found.high)} saved)"
    if found.high < 0:
        return f"slower when compiled: {percent(-found.value)} more ({percent(-found.high)} to {percent(-found.low)})"
    return f"{percent(found.value)} saved ({percent(found.low)} to {percent(found.high)})"


def first_calls(start: WarmUp) -> str:
    """What the first call takes, over the processes."""
    calls = start.first_call
    found = Range(median(calls), min(calls), max(calls))
    return spread(found, f", {len(calls)} processes") if len(calls) > 1 else f"{ms(calls[0])} (1 process)"


def phases_words(phases: Sequence[Phases]) -> str:
    """What of it each part of the compiler took: the medians."""
    parts = []
    for name, words in (("dynamo", "Dynamo"), ("aot", "AOTAutograd"), ("inductor", "Inductor")):
        known = [value for value in (getattr(each, name) for each in phases) if value is not None]
        if known:
            parts.append(f"{words} {ms(median(known))}")
    return ", ".join(parts)


def settled_words(start: WarmUp) -> str:
    """After how many calls it is as fast as it will be."""
    if start.steady_after is None:
        return f"not steady within {plural(max(map(len, start.calls), default=0), 'call')}"
    return f"steady after {plural(start.steady_after, 'call')}"


def result_words(target: TargetBench) -> str:
    """Whether the results agree; empty where that was not compared."""
    if target.same_result is None:
        return ""
    if target.same_result:
        return f"agree with eager ({target.tolerance})" if target.tolerance else "agree with eager"
    return "differ from eager"


def graph_words(target: TargetBench) -> str:
    """What `confirm` saw, in a line."""
    seen = target.confirmation
    if seen is None:
        return ""
    if seen.score is None:
        return f"{seen.status}: {seen.message}"
    breaks = sum(not one.consequence_of for one in seen.breaks)
    said = [f"score {points(seen.score)} of 100", plural(len(seen.graphs), "graph"), plural(breaks, "break")]
    if seen.recompiles:
        said.append(plural(len(seen.recompiles), "recompilation"))
    return ", ".join(said)


def break_words(target: TargetBench) -> Iterator[tuple[str, str]]:
    """The lines of the user's that end a graph, each with the reason."""
    seen = target.confirmation
    for one in seen.breaks if seen is not None else ():
        if not one.consequence_of:
            at = one.charged_to or one
            yield f"{at.path}:{at.line}", one.reason.partition("\n")[0]


def remedy_cells(cost: RemedyCost, requests: int) -> tuple[str, ...]:
    """Name, total, compiling, compilations, share of requests that meet one, padding, and what must be said of it."""
    if cost.total_ms is None or cost.compile_ms is None:
        return cost.remedy, "", "", "", "", "", cost.raised
    share = cost.requests_that_compile / requests if requests else 0.0
    said = [
        "estimated" * cost.estimated,
        "recompile limit reached: the rest runs in eager mode" * cost.limit_hit,
    ]
    return (
        cost.remedy,
        ms(cost.total_ms),
        ms(cost.compile_ms),
        str(cost.compiles),
        percent(share),
        percent(cost.padding_share),
        ", ".join(filter(None, said)),
    )


REMEDY_HEADINGS = ("remedy", "total", "compiling", "compiled", "requests that wait", "padding", "")
_MOST_EDGES = 20


def edges_words(target: TargetBench) -> Iterator[str]:
    """The proposed buckets, a sentence for each dimension."""
    traffic = target.traffic
    if traffic is not None and traffic.edges:
        for name, edges in zip(traffic.dimensions, traffic.edges, strict=True):
            more = f" and {len(edges) - _MOST_EDGES} more" if len(edges) > _MOST_EDGES else ""
            yield f"buckets for {name}: {', '.join(map(str, edges[:_MOST_EDGES]))}{more}"


def settings_words(target: TargetBench) -> str:
    """How it was called and compiled."""
    dynamic = "" if target.dynamic is None else f"dynamic={target.dynamic}"
    said = [target.backend, target.mode, dynamic, target.grad, f"seed {target.seed}", ", ".join(target.inputs)]
    return "; ".join(filter(None, said))


def machine_words(machine: Machine) -> str:
    """The machine in a line."""
    said = [
        machine.cpu,
        plural(machine.cores, "core") if machine.cores else "",
        size(machine.memory) if machine.memory else "",
        f"on {machine.device}" if machine.device else "",
        f"driver {machine.driver}" if machine.driver else "",
        f"torch {machine.torch}" if machine.torch else "",
        f"Python {machine.python}" if machine.python else "",
        plural(machine.threads, "thread") if machine.threads else "",
        machine.compiler,
    ]
    return ", ".join(filter(None, said))
