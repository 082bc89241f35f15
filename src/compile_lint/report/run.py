"""What one run has to tell."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from compile_lint.findings import KINDS, EntryScore, FileError, Finding
from compile_lint.report.paths import named
from compile_lint.rulebook.model import Rule

LinesOf = Callable[[str], Sequence[str] | None]
"""The lines of a file by its path, or of a cell (`nb.ipynb:cell 3`), without their ends; None if it cannot be read."""


@dataclass(frozen=True, slots=True)
class Run:
    """The shown findings, the scores and the errors of a run, each sorted by place."""

    findings: tuple[Finding, ...] = ()
    scores: tuple[EntryScore, ...] = ()
    score: float = 100.0
    errors: tuple[FileError, ...] = ()
    files: int = 0
    target_torch: str = ""
    silenced: int = 0
    """Findings that comments silence."""
    hidden: int = 0
    """Findings that are less sure than `min-confidence`."""
    known: int = 0
    """Findings that are in the baseline, or that no change brought in."""
    rules: tuple[Rule, ...] = ()
    """The rules that the run looked for, by code."""
    fingerprints: Mapping[Finding, str] = field(default_factory=dict)
    """What each finding is known by in another run, where a report needs it; see fingerprints.py."""
    cwd: str = ""
    """The folder that paths are relative to, absolute; empty: the current one."""
    root: str = ""
    """The folder that reports for other tools name files from, absolute; empty: `cwd`."""

    def named(self, path: str) -> str:
        """A path as reports for other tools give it."""
        return named(path, self.cwd or os.getcwd(), self.base)

    @property
    def base(self) -> str:
        """The folder that `named` starts at, absolute."""
        return self.root or self.cwd or os.getcwd()

    def kinds(self) -> list[tuple[str, int]]:
        """How many findings of each kind, the worst kind first, kinds without any left out."""
        counts = Counter(finding.kind for finding in self.findings)
        return [(kind, counts[kind]) for kind in KINDS if counts[kind]]


class LastLines:
    """The lines of the files that were asked for last: findings come file by file, with steps in a few others."""

    _MOST = 4

    def __init__(self, lines_of: LinesOf) -> None:
        self._lines_of = lines_of
        self._known: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        """The lines of a file; none if it cannot be read any more."""
        lines = self._known.pop(path, None)
        if lines is None:
            lines = list(self._lines_of(path) or ())
        self._known[path] = lines
        if len(self._known) > self._MOST:
            del self._known[next(iter(self._known))]
        return lines


def plural(number: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def points(score: float) -> str:
    """A score with at most one decimal; only a perfect one is shown as 100, and only nothing as 0."""
    rounded = round(score, 1)
    if score < 100 <= rounded:
        rounded = 99.9
    if rounded <= 0 < score:
        rounded = 0.1
    return f"{rounded:g}"
