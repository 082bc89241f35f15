"""Words that several reports share."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.confirm.join.model import Confirmation, ConfirmRun, Cost, JoinedBreak, JoinedRecompile
from compile_lint.confirm.observation import OperatorSeen
from compile_lint.report.run import plural, points

BAR = 40
"""Cells of the bar of graphs."""


def place(path: str, line: int) -> str:
    """`path:line`, or the path alone."""
    return f"{path}:{line}" if line else path


def verdict_of(one: JoinedBreak) -> str:
    """Whether the linter had said it."""
    if one.consequence_of:
        return "follows"
    if one.predicted:
        return "predicted"
    return "missed" if one.in_project else "unseen"


def verdict_words(one: JoinedBreak) -> str:
    """The same with the rules that said it."""
    return f"{verdict_of(one)} {','.join(one.codes)}".strip()


def first_line(text: str, most: int = 160) -> str:
    """The first line of a text, cut."""
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= most else line[: most - 3] + "..."


def graphs_words(target: Confirmation) -> str:
    """How the operations of the first call are split."""
    words = f"{plural(sum(target.graphs), 'operation')} in {plural(len(target.graphs), 'graph')}"
    if target.ops_outside_graphs:
        words += f", {target.ops_outside_graphs} outside"
    return words


def bar(graphs: tuple[int, ...], outside: int, width: int = BAR) -> str:
    """The first call as a bar: a run of `#` a graph, `.` what runs in no graph, `|` between graphs.

    Each graph takes cells in proportion to its operations, at least one. Where there are more graphs than cells, the
    largest are shown and `+` stands for the rest.
    """
    total = sum(graphs) + outside
    if not total:
        return ""
    most = width // 2
    kept = graphs
    if len(graphs) > most:
        least = sorted(graphs, reverse=True)[most - 1]
        kept = tuple(size for size in graphs if size >= least)[:most]
    parts = ["#" * max(1, round(width * size / total)) for size in kept]
    drawn = "|".join(parts) + ("+" if len(kept) < len(graphs) else "")
    return drawn + "." * (max(1, round(width * outside / total)) if outside else 0)


def recompile_words(one: JoinedRecompile) -> str:
    """Which call compiled what again, and why."""
    cause = f"{one.input}: " if one.input and one.input not in one.reason else ""
    free = "; happens once, costs nothing" if one.automatic_dynamic else ""
    return f"call {one.call + 1} compiled `{one.function}` again: {cause}{first_line(one.reason or one.guard)}{free}"


def score_words(target: Confirmation) -> str:
    """Measured and predicted score side by side."""
    measured = "not measured" if target.score is None else f"{points(target.score)} measured"
    predicted = "no prediction" if target.predicted_score is None else f"{points(target.predicted_score)} predicted"
    return f"{measured}, {predicted}"


def run_score_words(run: ConfirmRun) -> str:
    """The score of a run, or that there is none."""
    return "none, as no target was measured" if run.score is None else f"{points(run.score)} of 100"


def cost_words(cost: Cost) -> str:
    """What a deduction is for."""
    labels = ",".join(filter(None, (cost.graph_break_id, *cost.codes)))
    return " ".join(filter(None, (place(cost.path, cost.line), cost.kind, labels, first_line(cost.reason, 90))))


def result_words(target: Confirmation) -> Iterator[str]:
    """Whether the results agree."""
    if target.same_result is None:
        return
    tolerance = f" ({target.tolerance})" if target.tolerance else ""
    yield f"{'agree with eager' if target.same_result else 'DIFFER from eager'}{tolerance}"
    yield from (first_line(difference) for difference in target.differences)


def operator_words(one: OperatorSeen) -> str:
    """How an operator did: its status, its calls and where it is called and declared."""
    words = [f"called {plural(one.times, 'time')}"] if one.times else []
    if one.place is not None:
        words.append(f"first at {place(one.place.path, one.place.line)}")
    if one.declared is not None:
        words.append(f"declared at {place(one.declared.path, one.declared.line)}")
    return f"{one.status.replace('-', ' ')}{': ' if words else ''}{', '.join(words)}"


def operator_problems(one: OperatorSeen) -> Iterator[str]:
    """What stands against an operator, or kept it from being checked, a line each."""
    if one.message:
        yield first_line(one.message, 200)
    told: set[str] = set()
    for check in one.checks:
        if check.result != "failed" or check.name == "metadata" or check.message in told:
            continue
        told.add(check.message)
        yield f"{check.name}: {first_line(check.message, 300)}"
    yield from one.differences
    for check in one.checks:
        if check.result == "skipped" and one.status == "passed":
            yield f"{check.name} was not checked: {first_line(check.message, 200)}"


def fix_words(target: Confirmation) -> str:
    """The one change that raises the score most; empty if there is none."""
    fix = target.fix_first
    if fix is None:
        return ""
    gain = f"the score rises from {points(target.score or 0.0)} to about {points(fix.score)}"
    return f"{place(fix.path, fix.line)} ({fix.kind}): {first_line(fix.reason, 100)}; {gain}"


def figures_words(one: Confirmation | ConfirmRun) -> str:
    """Findings confirmed, refuted and not reached, breaks missed."""
    figures = one.figures
    return (
        f"{figures.confirmed} confirmed, {figures.refuted} refuted, {figures.not_reached} not reached; "
        f"{plural(figures.missed, 'break')} missed"
    )
