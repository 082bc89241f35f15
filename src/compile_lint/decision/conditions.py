"""The checklist: what to do before and during a rollout, made from what was found."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.bench.record import TargetBench
from compile_lint.confirm.join.model import Confirmation, JoinedBreak
from compile_lint.confirm.report.words import first_line, place
from compile_lint.decision import rollout, size_code, warm_up
from compile_lint.decision.evidence import remedy
from compile_lint.decision.maths import Figures
from compile_lint.decision.model import Condition, Evidence
from compile_lint.decision.words import PRACTICE, origin
from compile_lint.report_page.numbers import duration, number, percent

MOST = 20
"""Breaks and operators that are listed one by one."""
CACHE_HELPS = 0.7
"""A start with a full cache that takes less than this share of a cold one is worth a folder that stays."""
_SIZE = ".size("
"""In what a recompilation is about, where that is a size of an input."""
_OPERATORS = "CL4"
"""Rules on custom operators."""


def conditions(
    evidence: Evidence, figures: Figures, bench: TargetBench | None, device: str = "", rollout_too: bool = True
) -> tuple[Condition, ...]:
    """All entries in the order in which they are done.

    Args:
        evidence: the figures of the target.
        figures: what follows from them and from the service.
        bench: what was measured; None where all is assumed.
        device: where it was measured, as Machine.device.
        rollout_too: whether it goes live; else only what may change a no-go is listed.
    """
    found = [*_code(evidence, bench), *_sizes(evidence, bench)]
    found += _before(evidence, bench, device) if rollout_too else ()
    found += _processes(evidence, figures)
    if bench is not None and figures.saving is not None and figures.saving.low <= 0 < figures.saving.high:
        found.append(Condition("condition.measure-again", {}, origin(evidence, "saving")))
    if bench is None or evidence.assumed or figures.saving is None:
        found.append(Condition("condition.measure", {}, origin(evidence, *evidence.assumed)))
    return (*found, *(_rollout(bench) if rollout_too else ()))


def _code(evidence: Evidence, bench: TargetBench | None) -> Iterator[Condition]:
    """Lines to change first."""
    seen = None if bench is None else bench.confirmation
    if evidence.error:
        at = None if seen is None or seen.error is None else seen.error.place
        where = evidence.name if at is None else place(at.path, at.line)
        values = {"place": where, "error": evidence.error}
        yield Condition("condition.error", values, origin(evidence, "error"))
    if evidence.same_result is False:
        what = "" if bench is None else first_line("; ".join(bench.differences))
        yield Condition("condition.differs", {"what": what or "?"}, origin(evidence, "same_result"))
    if seen is None:
        return
    operators = dict(_operators(seen))
    for where, codes in list(operators.items())[:MOST]:
        yield Condition("condition.operator", {"place": where, "codes": codes}, origin(evidence, "breaks", "error"))
    yield from _breaks(evidence, seen, operators)


def _operators(seen: Confirmation) -> Iterator[tuple[str, str]]:
    """Where custom operators lack what compiling needs, with the rules that say so."""
    for one in seen.findings:
        if one.finding.code.startswith(_OPERATORS) and one.verdict != "refuted":
            yield place(one.finding.path, one.finding.line), f"{one.finding.code} {one.finding.name}"
    for broken in seen.breaks:
        codes = [code for code in broken.codes if code.startswith(_OPERATORS)]
        if codes:
            yield _where(broken), ", ".join(codes)


def _breaks(evidence: Evidence, seen: Confirmation, operators: dict[str, str]) -> Iterator[Condition]:
    """The lines at which the graph ends, the dearest first."""
    points = {place(cost.path, cost.line): cost.points for cost in seen.deductions}
    broken = [one for one in seen.breaks if not one.consequence_of and _where(one) not in operators]
    broken.sort(key=lambda one: -points.get(_where(one), 0.0))
    origin_of = origin(evidence, "breaks")
    for one in broken[:MOST]:
        values = {"place": _where(one), "reason": first_line(one.reason)}
        yield Condition("condition.break", values, origin_of, one.source)
    if len(broken) > MOST:
        yield Condition("condition.more-breaks", {"count": f"{len(broken) - MOST:,}"}, origin_of)


def _where(one: JoinedBreak) -> str:
    """The line that the user can change."""
    at = one.charged_to
    return place(one.path, one.line) if at is None else place(at.path, at.line)


def _sizes(evidence: Evidence, bench: TargetBench | None) -> Iterator[Condition]:
    """What to do about input sizes that differ, and about other causes of recompilation."""
    traffic = None if bench is None else bench.traffic
    where = origin(evidence, "recompile_s", "requests_that_compile")
    best = None if bench is None or traffic is None else remedy(bench, traffic.cheapest)
    if traffic is not None and best is not None:
        if best.remedy == "buckets" and traffic.edges:
            edges = "; ".join(
                f"{name}: {', '.join(f'{edge:,}' for edge in of_name)}"
                for name, of_name in zip(traffic.dimensions, traffic.edges, strict=False)
            )
            values = {"edges": edges, "padding": percent(best.padding_share), "compiles": f"{best.compiles:,}"}
            yield Condition("condition.buckets", values, where, size_code.padding(traffic))
        elif best.remedy == "dynamic":
            values = {"compiles": f"{best.compiles:,}"}
            yield Condition("condition.dynamic", values, where, "compiled = torch.compile(model, dynamic=True)")
        elif best.remedy == "mark-dynamic":
            values = {"sizes": ", ".join(traffic.dimensions), "compiles": f"{best.compiles:,}"}
            yield Condition("condition.mark-dynamic", values, where, size_code.dynamic(traffic))
        elif best.remedy == "static":
            values = {"compiles": f"{best.compiles:,}"}
            yield Condition("condition.static", values, where, "compiled = torch.compile(model, dynamic=False)")
    dealt_with = best is not None and best.remedy != "as-is"
    yield from _causes(evidence, None if bench is None else bench.confirmation, dealt_with)


def _causes(evidence: Evidence, seen: Confirmation | None, sizes_too: bool) -> Iterator[Condition]:
    """Why functions are compiled again, each cause once; not for sizes, where these are dealt with already."""
    found: dict[tuple[str, str, str], Condition] = {}
    for one in () if seen is None else seen.recompiles:
        if one.automatic_dynamic or (sizes_too and _SIZE in one.input):
            continue
        at = one.guard_place
        line = place(one.path, one.line) if at is None else place(at.path, at.line)
        values = {"place": line, "function": one.function, "reason": first_line(one.reason or one.guard)}
        key = (line, one.function, one.input)
        found.setdefault(key, Condition("condition.recompile", values, origin(evidence, "breaks")))
    yield from list(found.values())[:MOST]


def _before(evidence: Evidence, bench: TargetBench | None, device: str) -> Iterator[Condition]:
    """How a process begins."""
    first = evidence.cold_s or evidence.warm_s
    where = origin(evidence, "cold_s", "warm_s")
    code = "" if bench is None else warm_up.snippet(bench.inputs, bench.grad, device, bench.traffic)
    sizes = len(warm_up.sizes(None if bench is None else bench.traffic))
    if sizes:
        yield Condition("condition.warm-up-sizes", {"sizes": f"{sizes:,}"}, where, code)
    else:
        yield Condition("condition.warm-up", {}, where, code)
    if first is not None:
        spent = first.value + (evidence.recompile_s or 0.0)
        values = {"time": duration(spent * 1000)}
        yield Condition("condition.readiness", values, where, rollout.probe(spent))


def _processes(evidence: Evidence, figures: Figures) -> Iterator[Condition]:
    """What starts cost, and how seldom they should come; nothing where calls save nothing."""
    if figures.saving is None or figures.saving.low <= 0:
        return
    where = origin(evidence, "cold_s", "warm_s")
    cold, warm = evidence.cold_s, evidence.warm_s
    if cold is not None and warm is not None and warm.high < CACHE_HELPS * cold.low:
        values = {"cold": duration(cold.value * 1000), "warm": duration(warm.value * 1000)}
        yield Condition("condition.cache", values, where, rollout.CACHE)
    needed = figures.break_even
    if needed is not None and needed.value < float("inf"):
        values = {"requests": number(needed.value)}
        yield Condition("condition.resident", values, origin(evidence, "eager_ms", "saving", "cold_s"))
    else:
        yield Condition("condition.resident-unknown", {}, where)


def _rollout(bench: TargetBench | None) -> Iterator[Condition]:
    """A part of the traffic first, and what to watch."""
    code = rollout.canary("", "", None) if bench is None else rollout.canary(bench.backend, bench.mode, bench.dynamic)
    yield Condition("condition.canary", {}, PRACTICE, code)
    yield Condition("condition.signals", {}, PRACTICE, 'TORCH_LOGS="recompiles,graph_breaks"')
