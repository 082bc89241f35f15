"""The measured score and what each break, recompilation and error costs of it.

The score is `compile_lint.score.readiness` of the graphs that ran in the first call. Recompilations that only make a
size dynamic happen once and cost nothing, nor do those of the first call: layers of one class that differ are compiled
each. Of the others those cost that have no bound to be seen: a function that more than one later call compiled again,
or the only later call there was. A flag that takes its other value is done with that.

What a break costs is what the score would be without it, less the score. TorchDynamo does not say which two graphs a
line parts, so this is an expectation. Call each graph a block, and each operation outside of graphs one too, as the
score does. A line owns a share of the borders between blocks: of those between graphs in proportion to how often it
broke, of those around operations outside of graphs likewise among the lines that gave their frame up (among all, if
none did). Without the line each border vanishes with the probability that it is the line's; the score is taken over the
expected sum of squares. So the only break of a call gets all that is lost. In the report these gains are scaled so that
they add up to what is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compile_lint.confirm.join.model import Cost, FixFirst, JoinedBreak, JoinedRecompile
from compile_lint.confirm.observation import Observation, Place
from compile_lint.score import RECOMPILE_FACTOR, readiness

_LEAST = 0.05
"""Points below which nothing is said to be gained."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The score, 0 to 100; what it lost, summing to 100 less the score; and the change that raises it most."""

    score: float
    costs: tuple[Cost, ...]
    fix_first: FixFirst | None


@dataclass(frozen=True, slots=True)
class _Change:
    """A change to make: its cost without points, and the score that it alone would give."""

    cost: Cost
    score: float
    weight: float
    """Its part of what is lost, not scaled."""


def measure(
    seen: Observation, breaks: Sequence[JoinedBreak], recompiles: Sequence[JoinedRecompile], entry: Place | None
) -> Measured:
    """The measured score of one target.

    Args:
        seen: the observation.
        breaks: its breaks, joined; those that follow from another cost nothing of their own.
        recompiles: its recompilations, joined.
        entry: the function that was compiled, as shown; what has no line of its own is charged to it.
    """
    costly = unbounded(recompiles, seen.calls)
    score = readiness(seen.graphs, seen.ops_outside_graphs, seen.error is not None, len(costly))
    lost = 100.0 - score
    if lost <= 0:
        return Measured(score, (), None)
    if seen.error is not None:
        changes = [_error(seen, breaks, entry, len(costly))]
    else:
        changes = [*_break_changes(seen, breaks, costly, entry, score), *_recompile_changes(seen, costly, score)]
    costs = _scaled(changes, lost)
    return Measured(score, costs, _first(changes, score))


def unbounded(recompiles: Sequence[JoinedRecompile], calls: int) -> list[JoinedRecompile]:
    """The recompilations that cost, one for each function and cause. What the first call compiles twice is warm-up.

    Args:
        recompiles: all of the target.
        calls: how many calls there were; two show no more than one recompilation.
    """
    found = [one for one in recompiles if not one.automatic_dynamic and one.call > 0]
    later: dict[tuple[str, str], set[int]] = {}
    for one in found:
        later.setdefault((one.path, one.function), set()).add(one.call)
    least = 2 if calls > 2 else 1
    causes = {
        (one.path, one.function, one.input or one.guard): one
        for one in found
        if len(later[one.path, one.function]) >= least
    }
    return list(causes.values())


def without(blocks: Sequence[int], share: float) -> float:
    """The expected score when each border between neighbouring blocks vanishes with the probability `share`."""
    total = sum(blocks)
    if not total:
        return 100.0
    squares, joined, before = 0.0, 0.0, 0
    for size in blocks:
        joined = share * (joined + before)  # the expected size of what this block is joined with on its left
        squares += size * size + 2 * size * joined
        before = size
    return 100.0 * squares / (total * total)


def _blocks(seen: Observation) -> list[int]:
    return [*seen.graphs, *[1] * seen.ops_outside_graphs]


def _shares(seen: Observation, breaks: Sequence[JoinedBreak]) -> list[float]:
    """The part of all borders that each break owns."""
    between = max(0, len(seen.graphs) - 1)
    around = seen.ops_outside_graphs - (0 if seen.graphs else 1)
    around = max(0, around)
    times = sum(one.times for one in breaks) or 1
    skipping = sum(one.times for one in breaks if one.frame_skipped)
    owned = []
    for one in breaks:
        outside = (one.times / skipping if one.frame_skipped else 0.0) if skipping else one.times / times
        owned.append((between * one.times / times + around * outside) / max(1, between + around))
    return owned


def _break_changes(
    seen: Observation,
    breaks: Sequence[JoinedBreak],
    costly: Sequence[JoinedRecompile],
    entry: Place | None,
    score: float,
) -> list[_Change]:
    blocks = _blocks(seen)
    factor = RECOMPILE_FACTOR if costly else 1.0
    roots = [one for one in breaks if not one.consequence_of and one.times > 0]
    if not roots:
        return _unexplained(seen, entry, score, factor)
    changes = []
    for one, share in zip(roots, _shares(seen, roots), strict=True):
        gained = without(blocks, share) * factor
        place = one.charged_to or Place(one.path, one.line)
        reason = one.reason or "the graph ends here"
        cost = Cost("break", place.path, place.line, 0.0, reason, one.codes, one.graph_break_id)
        changes.append(_Change(cost, gained, gained - score))
    return changes


def _unexplained(seen: Observation, entry: Place | None, score: float, factor: float) -> list[_Change]:
    """What is lost though nothing broke: operations that no graph holds, or several functions compiled one by one."""
    whole = 100.0 * factor
    if whole - score <= 0:
        return []
    if seen.ops_outside_graphs:
        reason = f"{seen.ops_outside_graphs} operations run in no graph, and no break says why"
    else:
        reason = "several functions are compiled, each for itself"
    place = entry or Place("", 0)
    return [_Change(Cost("outside", place.path, place.line, 0.0, reason), whole, whole - score)]


def _recompile_changes(seen: Observation, costly: Sequence[JoinedRecompile], score: float) -> list[_Change]:
    """One cause halves the score as several do: one alone is worth its removal, several share what they cost."""
    if not costly:
        return []
    gained = readiness(seen.graphs, seen.ops_outside_graphs)
    alone = gained if len(costly) == 1 else score
    changes = []
    for one in costly:
        place = one.guard_place or Place(one.path, one.line)
        cost = Cost("recompile", place.path, place.line, 0.0, one.reason or one.guard)
        changes.append(_Change(cost, alone, (gained - score) / len(costly)))
    return changes


def _error(seen: Observation, breaks: Sequence[JoinedBreak], entry: Place | None, costly: int) -> _Change:
    """An error alone makes the score 0; without it counts what was seen up to there."""
    error = seen.error
    assert error is not None
    gained = readiness(seen.graphs, seen.ops_outside_graphs, False, costly)
    place = error.place or entry or Place("", 0)
    reason = f"{error.kind}: {error.message}".partition("\n")[0]
    return _Change(Cost("error", place.path, place.line, 0.0, reason, (), error.graph_break_id), gained, 100.0)


def _scaled(changes: Sequence[_Change], lost: float) -> tuple[Cost, ...]:
    """The costs, the dearest first, adding up to what is lost."""
    total = sum(max(0.0, change.weight) for change in changes)
    costs = []
    for change in changes:
        part = max(0.0, change.weight) / total if total > 0 else 1 / len(changes)
        cost = change.cost
        costs.append(Cost(cost.kind, cost.path, cost.line, lost * part, cost.reason, cost.codes, cost.graph_break_id))
    return tuple(sorted(costs, key=lambda cost: (-cost.points, cost.path, cost.line)))


def _first(changes: Sequence[_Change], score: float) -> FixFirst | None:
    best = max(changes, key=lambda change: (change.score, change.weight), default=None)
    if best is None or (best.cost.kind != "error" and best.score - score < _LEAST):
        return None
    cost = best.cost
    return FixFirst(cost.kind, cost.path, cost.line, cost.reason, best.score - score, best.score)
