"""From what a function runs to the graphs that it is split into: the sizes that the score is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compile_lint.inference.frame import Alone, Call, Called, Event, Met, Site, Summary
from compile_lint.project.modules import FunctionInfo

MAX_REPEATS = 12
"""How often the graphs of a repeated call are listed; a stack of layers is seldom told apart beyond that."""
MAX_GRAPHS = 2000
NOWHERE: frozenset[Site] = frozenset()


@dataclass(slots=True)
class Graphs:
    """Operations in each graph of one call, and operations outside any graph."""

    sizes: list[int] = field(default_factory=list)
    outside: int = 0
    ended: bool = False
    """Whether a graph ends in it."""

    def add(self, other: Graphs, times: int) -> None:
        """What a called function leaves behind, as often as it runs."""
        repeats = min(times, MAX_REPEATS)
        self.sizes.extend(other.sizes * repeats)
        self.outside += other.outside * repeats

    @property
    def whole(self) -> bool:
        """Whether the call adds to its caller's graph without ending it."""
        return len(self.sizes) <= 1 and not self.outside and not self.ended


def graphs_of(summary: Summary, unmet: frozenset[Site] = NOWHERE) -> Graphs:
    """The graphs of an entry in a run that does not come to the sites `unmet`."""
    return _Expansion(unmet).expand(summary, 0)


def events_of(summary: Summary) -> list[Event]:
    """Every event of an entry and of all it calls, each once."""
    found = {}
    for current in _summaries(summary):
        for event in current.events:
            found[event.key] = event
    return list(found.values())


def called_by(summary: Summary) -> list[Called]:
    """Every call of an operator or of native code by an entry and all it calls."""
    return [one for current in _summaries(summary) for one in current.called]


def functions_of(summary: Summary) -> list[FunctionInfo]:
    """The functions that an entry runs, itself among them, each once."""
    found = {id(one.info): one.info for one in _summaries(summary) if one.info is not None}
    return list(found.values())


@dataclass(slots=True)
class Sites:
    """The places of an entry that a run may meet or not: events in branches, calls there, calls of what is replaced."""

    events: set[Site] = field(default_factory=set)
    calls: set[Site] = field(default_factory=set)
    replaced: set[Site] = field(default_factory=set)


def sites_of(summary: Summary) -> Sites:
    """The places where something undecided decides; one that is met outside of any branch too is none of them."""
    found = Sites()
    always: set[Site] = set()
    for current in _summaries(summary):
        for step in current.steps:
            if isinstance(step, Met):
                (found.events if step.branch else always).add(step.site)
            elif isinstance(step, Call) and (step.branch or step.replaced):
                if _meets(step.summary):
                    (found.replaced if step.replaced else found.calls).add(step.site)
            elif isinstance(step, Call):
                always.add(step.site)
    return Sites(found.events - always, found.calls - always, found.replaced - always)


def met(summary: Summary, unmet: frozenset[Site]) -> dict[Site, None]:
    """The events of a run that does not come to the sites `unmet`."""
    steps = (step for current in _summaries(summary, unmet) for step in current.steps)
    return {step.site: None for step in steps if isinstance(step, Met) and step.site not in unmet}


class _Expansion:
    def __init__(self, unmet: frozenset[Site]) -> None:
        self._unmet = unmet
        self._known: dict[int, Graphs] = {}
        self._counts: dict[int, int] = {}

    def expand(self, summary: Summary, depth: int) -> Graphs:
        found = self._known.get(id(summary))
        if found is not None:
            return found
        result = self._known[id(summary)] = Graphs()
        if depth > 200:
            return result
        called = {id(step): self._called(step, depth) for step in summary.steps if isinstance(step, Call)}
        made = self._skipped(summary, called) if self._gives_up(summary, called) else self._traced(summary, called)
        result.sizes, result.outside, result.ended = made.sizes[:MAX_GRAPHS], made.outside, made.ended
        return result

    def _called(self, step: Call, depth: int) -> Graphs:
        """What the call leaves; where the run does not come to it, its operations alone, as if nothing broke."""
        if step.site not in self._unmet:
            return self.expand(step.summary, depth + 1)
        return Graphs([self._operations(step.summary)])

    def _operations(self, summary: Summary) -> int:
        """All operations of a function and of what it calls; what calls itself is followed once."""
        found = self._counts.get(id(summary))
        if found is None:
            self._counts[id(summary)] = 0
            found = 0
            for step in summary.steps:
                if isinstance(step, int):
                    found += step
                elif isinstance(step, Alone):
                    found += step.count
                elif isinstance(step, Call):
                    found += self._operations(step.summary) * step.times
            self._counts[id(summary)] = found
        return found

    def _gives_up(self, summary: Summary, called: dict[int, Graphs]) -> bool:
        """Whether the whole frame falls back to eager."""
        for step in summary.steps:
            if isinstance(step, Met):
                if step.skips and step.event.splits and step.site not in self._unmet:
                    return True
            elif isinstance(step, Call) and step.skips and called[id(step)].ended:
                return True
        return False

    def _skipped(self, summary: Summary, called: dict[int, Graphs]) -> Graphs:
        """The frame's own operations are in no graph, what it calls is compiled by itself."""
        result = Graphs(ended=True)
        for step in summary.steps:
            if isinstance(step, int):
                result.outside += step
            elif isinstance(step, Alone):
                result.outside += step.count
            elif isinstance(step, Call):
                result.add(called[id(step)], step.times)
        return result

    def _traced(self, summary: Summary, called: dict[int, Graphs]) -> Graphs:
        result = Graphs()
        current = 0
        for step in summary.steps:
            if isinstance(step, int):
                current += step
                continue
            if isinstance(step, Alone):
                if step.site in self._unmet:
                    current += step.count
                    continue
                result.outside += step.count
            elif isinstance(step, Call):
                inner = called[id(step)]
                if inner.whole:
                    current += sum(inner.sizes) * step.times
                    continue
                result.add(inner, step.times)
            elif not step.event.splits or step.site in self._unmet:
                continue
            result.ended = True
            if current:
                result.sizes.append(current)
                current = 0
        if current or not (result.sizes or result.ended):
            result.sizes.append(current)
        return result


def _meets(summary: Summary) -> bool:
    return any(isinstance(step, Met) for current in _summaries(summary) for step in current.steps)


def _summaries(summary: Summary, unmet: frozenset[Site] = NOWHERE) -> Iterator[Summary]:
    """The entry and all that it calls, each once, without calls at sites that are left out."""
    stack, seen = [summary], {id(summary)}
    while stack:
        current = stack.pop()
        yield current
        for step in current.steps:
            if isinstance(step, Call) and step.site not in unmet and id(step.summary) not in seen:
                seen.add(id(step.summary))
                stack.append(step.summary)
