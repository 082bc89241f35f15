"""From what a function runs to the graphs that it is split into: the sizes that the score is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

from compile_lint.inference.frame import Alone, Event, Summary

MAX_REPEATS = 12
"""How often the graphs of a repeated call are listed; a stack of layers is seldom told apart beyond that."""
MAX_GRAPHS = 2000


@dataclass(slots=True)
class Graphs:
    """Operations in each graph of one call, and operations outside any graph."""

    sizes: list[int] = field(default_factory=list)
    outside: int = 0

    @property
    def whole(self) -> bool:
        """Whether the call adds to its caller's graph without ending it."""
        return len(self.sizes) <= 1 and not self.outside


def graphs_of(summary: Summary) -> Graphs:
    """The graphs of an entry."""
    return _expand(summary, {}, 0)


def _expand(summary: Summary, known: dict[int, Graphs], depth: int) -> Graphs:
    found = known.get(id(summary))
    if found is not None:
        return found
    result = known[id(summary)] = Graphs()
    if depth > 200:
        return result
    made = _skipped(summary, known, depth) if summary.skipped else _traced(summary, known, depth)
    result.sizes, result.outside = made.sizes[:MAX_GRAPHS], made.outside
    return result


def _skipped(summary: Summary, known: dict[int, Graphs], depth: int) -> Graphs:
    """The whole frame runs eagerly: its own operations are in no graph, what it calls is compiled by itself."""
    result = Graphs()
    for step in summary.steps:
        if isinstance(step, int):
            result.outside += step
        elif isinstance(step, Alone):
            result.outside += step.count
        elif step is not None:
            child, times = step
            inner = _expand(child, known, depth + 1)
            repeats = min(times, MAX_REPEATS)
            result.sizes.extend(inner.sizes * repeats)
            result.outside += inner.outside * repeats
    return result


def _traced(summary: Summary, known: dict[int, Graphs], depth: int) -> Graphs:
    result = Graphs()
    current = 0
    ended = False
    for step in summary.steps:
        if isinstance(step, int):
            current += step
            continue
        if isinstance(step, Alone):
            result.outside += step.count
        elif step is not None:
            child, times = step
            inner = _expand(child, known, depth + 1)
            if inner.whole and None not in child.steps:
                current += sum(inner.sizes) * times
                continue
            repeats = min(times, MAX_REPEATS)
            result.sizes.extend(inner.sizes * repeats)
            result.outside += inner.outside * repeats
        ended = True
        if current:
            result.sizes.append(current)
            current = 0
    if current or not (result.sizes or ended):
        result.sizes.append(current)
    return result


def events_of(summary: Summary) -> list[Event]:
    """Every event of an entry and of all it calls, each once."""
    stack, seen, found = [summary], {id(summary)}, {}
    while stack:
        current = stack.pop()
        for event in current.events:
            found[event.key] = event
        for child in current.children:
            if id(child) not in seen:
                seen.add(id(child))
                stack.append(child)
    return list(found.values())
