"""The predicted score of an entry: the readiness score as it is expected over the branches that Python decides.

A break in `if config.use_cache:` splits the graph of some runs and leaves the others alone. Each such place is taken to
be met in the share of runs that was measured over real models, and to lower the score by the factor that it alone
lowers it by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from compile_lint.cells import locate
from compile_lint.findings import Deduction
from compile_lint.inference.frame import Event, Site, Summary
from compile_lint.inference.graphs import events_of, graphs_of, met, sites_of
from compile_lint.rulebook.model import IN_BRANCH, Rule
from compile_lint.score import readiness

REPLACED = 0.06
"""How often a method runs that a decorator of its class puts another in place of.

Of 14 such classes of transformers 5.24.0 none ran its own; one in sixteen is what that leaves likely.
"""
MAX_PLACES = 12
"""The most places that are weighed one by one, the likeliest ones; the others are taken as never met."""

AnswerTo = Callable[[Event], "Rule | None"]
Answered = tuple[Event, Rule]
Cost = tuple[Event, Rule, float]
"""A finding and the points that it takes."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """What the analysis expects of one call of an entry. `graphs` is of a run that meets no place in a branch."""

    score: float
    graphs: int
    ops: int
    deductions: tuple[Deduction, ...] = ()


def predict(summary: Summary, answer: AnswerTo) -> Predicted:
    """The score of an analysed entry, and what each finding takes of it; `answer` gives the rule of an event."""
    ruled = {event.key: (event, rule) for event in events_of(summary) if event.sure > 1 and (rule := answer(event))}
    return _Prediction(summary, ruled).made()


class _Prediction:
    def __init__(self, summary: Summary, ruled: dict[Site, Answered]) -> None:
        self._summary = summary
        self._ruled = ruled
        sites = sites_of(summary)
        self._unmet = frozenset(sites.events | sites.calls | sites.replaced)
        shares = dict.fromkeys(sites.calls, IN_BRANCH) | dict.fromkeys(sites.replaced, REPLACED)
        shares |= {site: ruled[site][1].met_in_branch for site in sites.events if site in ruled}
        shares = {site: share for site, share in shares.items() if share}
        likely = sorted(shares, key=lambda site: (-shares[site], site))[:MAX_PLACES]
        self._shares = {site: shares[site] for site in likely}

    def made(self) -> Predicted:
        best = score = self._score(self._unmet)
        lost: dict[Site, float] = {}
        for site, share in self._shares.items():
            worse = self._score(self._unmet - {site})
            if worse < best:
                lost[site] = share * (best - worse)
                score *= 1 - share * (1 - worse / best)
        graphs = graphs_of(self._summary, self._unmet)
        ops = sum(graphs.sizes) + graphs.outside
        deductions = _deductions([*self._always(100.0 - best), *self._sometimes(lost, best - score)])
        return Predicted(round(score, 1), len(graphs.sizes), ops, deductions)

    def _score(self, unmet: frozenset[Site]) -> float:
        graphs = graphs_of(self._summary, unmet)
        kinds = [rule.kind for _, rule in self._met(unmet)]
        return readiness(graphs.sizes, graphs.outside, "error" in kinds, kinds.count("recompile"))

    def _met(self, unmet: frozenset[Site]) -> list[Answered]:
        return [self._ruled[site] for site in met(self._summary, unmet) if site in self._ruled]

    def _always(self, lost: float) -> list[Cost]:
        """What is lost in every run, shared out over the findings of the kind that costs most."""
        found = self._met(self._unmet)
        for kinds in (("error",), ("break", "recompile")):
            costly = [(event, rule) for event, rule in found if rule.kind in kinds]
            if costly and lost > 0:
                return _shared(costly, lost)
        return []

    def _sometimes(self, lost: dict[Site, float], points: float) -> list[Cost]:
        """What the places in branches take together, shared out by what each would take alone."""
        total = sum(lost.values())
        always = {event.key for event, _ in self._met(self._unmet)}
        made: list[Cost] = []
        for site, share in lost.items():
            new = [one for one in self._met(self._unmet - {site}) if one[0].key not in always]
            made += _shared(new, points * share / total)
        return made


def _shared(costly: list[Answered], points: float) -> list[Cost]:
    return [(event, rule, points / len(costly)) for event, rule in costly]


def _deductions(costs: list[Cost]) -> tuple[Deduction, ...]:
    """One for each line and rule, in order."""
    points: dict[tuple[int, int, str, str], float] = defaultdict(float)
    for event, rule, share in costs:
        cell, line = locate(event.module.cells, getattr(event.node, "lineno", 1))
        points[cell or 0, line, rule.code, rule.summary] += share
    return tuple(
        Deduction(code, line, round(share, 1), summary, cell or None)
        for (cell, line, code, summary), share in sorted(points.items())
    )
