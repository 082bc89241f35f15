"""The report for people: each target, then a summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compile_lint.confirm.join.figures import by_rule
from compile_lint.confirm.join.model import Confirmation, ConfirmRun, JoinedBreak
from compile_lint.confirm.observation import OperatorSeen
from compile_lint.confirm.report import words
from compile_lint.report.paint import Paint, safe
from compile_lint.report.run import plural, points

_SHOWN = 40
"""Breaks, deductions and findings of a target that are listed; all of them when verbose."""
_VERDICT_COLORS = {"predicted": "green", "missed": "red", "unseen": "yellow", "follows": "dim"}

_OPERATOR_COLORS = {"passed": "green", "failed": "red", "crashed": "red", "timeout": "red", "not-checked": "yellow"}


def render(
    run: ConfirmRun, color: bool = False, verbosity: int = 0, failures: Sequence[str] = (), rules: bool = False
) -> str:
    """The whole report. `verbosity` below 0 leaves out the targets, above 0 adds every finding."""
    paint = Paint(color)
    blocks = [] if verbosity < 0 else ["\n".join(_target(target, paint, verbosity)) for target in run.targets]
    blocks.append("\n".join([*_summary(run, paint), *(_rules(run, paint) if rules else ())]))
    if failures:
        blocks.append("\n".join(f"{paint('fails:', 'red', 'bold')} {safe(failure)}" for failure in failures))
    return "\n\n".join(blocks) + "\n"


def one(target: Confirmation) -> str:
    """The report on one target, plain."""
    return "\n".join(_target(target, Paint(False), 0))


def _target(target: Confirmation, paint: Paint, verbosity: int) -> Iterator[str]:
    yield " ".join([paint(safe(target.name), "bold"), *_heading(target, paint)])
    if target.status != "ok":
        yield f"  {paint(target.status, 'red', 'bold')}: {safe(words.first_line(target.message, 400))}"
        yield from (f"    {safe(line.expandtabs(4))}" for line in target.traceback.rstrip().splitlines())
    if target.error is not None:
        yield from _error(target, paint)
    yield from _breaks(target, paint, verbosity)
    if target.graphs or target.ops_outside_graphs:
        yield f"  {paint('graphs', 'bold')}   [{_bar(target, paint)}] {words.graphs_words(target)}"
    yield from _recompiles(target, paint)
    results = list(words.result_words(target))
    if results:
        styles = ("bold",) if target.same_result else ("red", "bold")
        yield f"  {paint('results', *styles)}  {safe(results[0])}"
        yield from (f"    {safe(line)}" for line in results[1:])
    if target.seen_until is not None:
        until = safe(words.place(target.seen_until.path, target.seen_until.line))
        yield f"  seen up to {until}, which reads data that fake tensors do not have"
    yield from operator_lines(target.operators, paint)
    yield from _findings(target, paint, verbosity)
    yield from _score(target, paint, verbosity)


def _heading(target: Confirmation, paint: Paint) -> Iterator[str]:
    parts = []
    if target.entry is not None:
        parts.append(f"{target.entry.function} {words.place(target.entry.path, target.entry.line)}")
    if target.device:
        parts.append(target.device)
    if target.calls:
        parts.append(plural(target.calls, "call"))
    if "total" in target.seconds:
        parts.append(f"{target.seconds['total']:.1f} s")
    if parts:
        yield paint(safe(f"({', '.join(parts)})"), "dim")


def _error(target: Confirmation, paint: Paint) -> Iterator[str]:
    error = target.error
    assert error is not None
    where = f" at {words.place(error.place.path, error.place.line)}" if error.place is not None else ""
    text = words.first_line(f"{error.kind}: {error.message}", 300)
    yield f"  {paint('raises only when compiled', 'red', 'bold')}, in call {error.call + 1}{safe(where)}: {safe(text)}"


def _breaks(target: Confirmation, paint: Paint, verbosity: int) -> Iterator[str]:
    mine = [one for one in target.breaks if one.in_project]
    theirs = [one for one in target.breaks if not one.in_project]
    if not target.breaks and target.status == "ok" and target.error is None:
        yield f"  {paint('no breaks', 'green')}"
    for title, breaks in (("breaks", mine), ("breaks in libraries", theirs)):
        if breaks:
            yield f"  {paint(title, 'bold')}"
            yield from _table(breaks, paint, verbosity)


def _table(breaks: Sequence[JoinedBreak], paint: Paint, verbosity: int) -> Iterator[str]:
    shown = breaks if verbosity > 0 else breaks[:_SHOWN]
    rows = [
        (safe(words.place(one.path, one.line)), words.verdict_words(one), safe(one.graph_break_id), f"x{one.times}")
        for one in shown
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for one, row in zip(shown, rows, strict=True):
        where, verdict, number, times = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        color = _VERDICT_COLORS[words.verdict_of(one)]
        whole = "; the whole frame falls back to eager" if one.frame_skipped else ""
        reason = safe(words.first_line(one.reason, 100) + whole)
        yield f"    {paint(where, 'bold')}  {paint(verdict, color)}  {number}  {times}  {reason}"
        yield from _below(one, paint)
    if len(shown) < len(breaks):
        yield paint(f"    and {len(breaks) - len(shown)} more; -v lists them", "dim")


def _below(one: JoinedBreak, paint: Paint) -> Iterator[str]:
    if one.source:
        name = f"{one.function}: " if one.function else ""
        yield paint(f"      {safe(name + one.source[:140])}", "dim")
    if not one.in_project:
        charged = one.charged_to
        where = f"from {words.place(charged.path, charged.line)}" if charged else "from no line of the project"
        yield f"      {safe(where)}"
    if one.consequence_of:
        yield f"      follows from {safe(one.consequence_of)}"


def _bar(target: Confirmation, paint: Paint) -> str:
    drawn = words.bar(target.graphs, target.ops_outside_graphs)
    inside = drawn.rstrip(".")
    return paint(inside, "green") + paint(drawn[len(inside) :], "red")


def _recompiles(target: Confirmation, paint: Paint) -> Iterator[str]:
    if not target.recompiles:
        return
    yield f"  {paint('recompilations', 'bold')}"
    for one in target.recompiles:
        at = one.guard_place
        where = words.place(at.path, at.line) if at else words.place(one.path, one.line)
        yield f"    {paint(safe(where), 'bold')}  {safe(words.recompile_words(one))}"
    if target.recompile_limit_hit:
        yield f"    {paint('the recompile limit was reached: what follows runs eagerly', 'red')}"


def operator_lines(operators: Sequence[OperatorSeen], paint: Paint) -> Iterator[str]:
    """The custom operators, each with what stands against it."""
    if operators:
        yield f"  {paint('operators', 'bold')}"
    for one in operators:
        name = one.name if one.overload == "default" else one.qualified
        state = paint(safe(words.operator_words(one)), _OPERATOR_COLORS[one.status])
        yield f"    {paint(safe(name), 'bold')}  {state}"
        yield from (f"      {safe(line)}" for line in words.operator_problems(one))


def _findings(target: Confirmation, paint: Paint, verbosity: int) -> Iterator[str]:
    if not target.findings and not target.figures.missed:
        return
    yield f"  {paint('findings', 'bold')} {words.figures_words(target)}"
    shown = [one for one in target.findings if verbosity > 0 or one.verdict == "refuted"]
    for one in shown if verbosity > 0 else shown[:_SHOWN]:
        where = safe(words.place(one.finding.path, one.finding.line))
        label = paint(f"{one.verdict} {one.finding.code}", "yellow" if one.verdict == "refuted" else "dim")
        yield f"    {where}  {label}  {safe(one.because)}"


def _score(target: Confirmation, paint: Paint, verbosity: int) -> Iterator[str]:
    if target.score is None:
        return
    yield f"  {paint('score', 'bold')}    {paint(words.score_words(target), _grade(target.score))}"
    shown = target.deductions if verbosity > 0 else target.deductions[:_SHOWN]
    for cost in shown:
        yield f"    {-cost.points:>6.1f}  {safe(words.cost_words(cost))}"
    if len(shown) < len(target.deductions):
        yield paint(f"    and {len(target.deductions) - len(shown)} more; -v lists them", "dim")
    fix = words.fix_words(target)
    if fix:
        yield f"  {paint('fix first', 'bold')} {safe(fix)}"


def _grade(score: float) -> str:
    return "green" if score >= 99.95 else "yellow" if score >= 50 else "red"


def _summary(run: ConfirmRun, paint: Paint) -> Iterator[str]:
    if len(run.targets) > 1:
        width = max(len(safe(target.name)) for target in run.targets)
        for target in run.targets:
            yield f"{safe(target.name):<{width}}  {_row(target, paint)}"
    failed = sum(target.status != "ok" for target in run.targets)
    not_ok = f", {paint(plural(failed, 'target') + ' could not be confirmed', 'red')}" if failed else ""
    shard = f" of shard {run.shard}" if run.shard else ""
    yield f"{plural(len(run.targets), 'target')}{shard} under torch {safe(run.torch) or 'unknown'}{not_ok}."
    yield f"Findings: {words.figures_words(run)}."
    yield paint(f"Measured readiness: {words.run_score_words(run)}", "bold")


def _row(target: Confirmation, paint: Paint) -> str:
    if target.score is None:
        return f"{paint(target.status, 'red')}  {safe(words.first_line(target.message, 100))}"
    breaks = sum(not one.consequence_of for one in target.breaks)
    recompiles = plural(len(target.recompiles), "recompilation")
    score = paint(f"{points(target.score):>5}", _grade(target.score))
    error = "  raises only when compiled" if target.error is not None else ""
    differs = "  results differ" if target.same_result is False else ""
    return f"{score}  {plural(breaks, 'break')}, {recompiles}, {words.graphs_words(target)}{error}{differs}"


def _rules(run: ConfirmRun, paint: Paint) -> Iterator[str]:
    """How each rule did here, for those who set its confidence. Nothing is written."""
    yield ""
    yield paint("Rules that were wrong here (confirmed, refuted):", "bold")
    wrong = [rule for rule in by_rule(run.targets) if rule.refuted]
    for rule in wrong:
        yield f"  {rule.code} {rule.name}: {rule.confirmed} confirmed, {rule.refuted} refuted"
    if not wrong:
        yield "  none"
    missed = missed_by_id(run)
    if missed:
        yield paint("Breaks that no rule named:", "bold")
        yield from (f"  {safe(number) or 'without an id'}: {count} missed" for number, count in missed)


def missed_by_id(run: ConfirmRun) -> list[tuple[str, int]]:
    """How many breaks were missed of each graph-break id, the most first."""
    from collections import Counter

    from compile_lint.confirm.join.figures import missed_breaks

    counts = Counter(one.graph_break_id for one in missed_breaks(run.targets))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
