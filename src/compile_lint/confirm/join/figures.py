"""Counting how the predictions held: of a target, of a run, and of each rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compile_lint.confirm.join.model import Confirmation, Figures, JoinedBreak, Verdict
from compile_lint.score import run_score


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """How one rule did: numbers of its findings by verdict."""

    code: str
    name: str
    confirmed: int
    refuted: int
    not_reached: int


def of_target(target: Confirmation) -> Figures:
    """Findings by verdict, and the breaks in the project that no finding names."""
    return _figures(Counter(one.verdict for one in target.findings), len(missed_breaks([target])))


def of_run(targets: Sequence[Confirmation]) -> Figures:
    """The same over all targets, each finding and each break once: what one target confirms counts as confirmed."""
    return _figures(Counter(verdicts(targets).values()), len(missed_breaks(targets)))


def run_score_of(targets: Iterable[Confirmation]) -> float | None:
    """The score of a run: the mean over the targets that were measured, each weighing its operations; None without."""
    measured = [(one.score, one.ops) for one in targets if one.score is not None]
    return run_score(measured) if measured else None


def verdicts(targets: Iterable[Confirmation]) -> dict[tuple[str, str, tuple[str, int, int, int, str]], Verdict]:
    """The verdict on each finding (by code, name and place): confirmed by any target, else refuted by any."""
    found: dict[tuple[str, str, tuple[str, int, int, int, str]], Verdict] = {}
    rank = {"confirmed": 2, "refuted": 1, "not-reached": 0}
    for target in targets:
        for one in target.findings:
            key = (one.finding.code, one.finding.name, one.finding.place)
            if key not in found or rank[one.verdict] > rank[found[key]]:
                found[key] = one.verdict
    return found


def missed_breaks(targets: Iterable[Confirmation]) -> list[JoinedBreak]:
    """Breaks in the project without a finding, each line once. A line that only follows from another is none."""
    found: dict[tuple[str, int], JoinedBreak] = {}
    for target in targets:
        for one in target.breaks:
            if one.in_project and not one.predicted and not one.consequence_of:
                found.setdefault((one.path, one.line), one)
    return list(found.values())


def by_rule(targets: Iterable[Confirmation]) -> list[RuleFigures]:
    """How each rule did that has a finding, by code."""
    counts: dict[tuple[str, str], Counter[Verdict]] = {}
    for (code, name, _), verdict in verdicts(targets).items():
        counts.setdefault((code, name), Counter())[verdict] += 1
    return [
        RuleFigures(code, name, count["confirmed"], count["refuted"], count["not-reached"])
        for (code, name), count in sorted(counts.items())
    ]


def _figures(counts: Counter[Verdict], missed: int) -> Figures:
    return Figures(counts["confirmed"], counts["refuted"], counts["not-reached"], missed)
