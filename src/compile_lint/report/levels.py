"""What the kinds of findings are called by the tools that read reports."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lint.findings import Confidence, Kind


@dataclass(frozen=True, slots=True)
class Level:
    """One kind's name in each form."""

    github: str
    """A workflow command: error, warning or notice."""
    sarif: str
    """`level` of SARIF 2.1.0: error, warning or note."""
    gitlab: str
    """`severity` of GitLab's Code Quality: info, minor, major, critical or blocker."""
    reviewdog: str
    """`severity` of Reviewdog's Diagnostic Format: ERROR, WARNING or INFO."""
    category: str
    """`categories` of Code Climate."""


LEVELS: dict[Kind, Level] = {
    "error": Level("error", "error", "critical", "ERROR", "Bug Risk"),
    "wrong": Level("error", "error", "critical", "ERROR", "Bug Risk"),
    "break": Level("warning", "warning", "major", "WARNING", "Performance"),
    "recompile": Level("warning", "warning", "minor", "WARNING", "Performance"),
    "hazard": Level("notice", "note", "info", "INFO", "Compatibility"),
}

PRECISION: dict[Confidence, str] = {"certain": "very-high", "likely": "high", "possible": "low"}
"""GitHub's word for how sure a rule is; it hides those of low precision."""

RANK: dict[Confidence, float] = {"certain": 95.0, "likely": 70.0, "possible": 30.0}
"""SARIF's priority of a result, 0 to 100."""
