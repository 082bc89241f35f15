"""What one run has to tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compile_lint.findings import KINDS, EntryScore, FileError, Finding

LinesOf = Callable[[str], Sequence[str] | None]
"""The lines of a file by its path, without their ends; None if it cannot be read any more."""


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

    def kinds(self) -> list[tuple[str, int]]:
        """How many findings of each kind, the worst kind first, kinds without any left out."""
        counts = Counter(finding.kind for finding in self.findings)
        return [(kind, counts[kind]) for kind in KINDS if counts[kind]]


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
