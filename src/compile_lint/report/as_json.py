"""The report for other tools: a contract, described by schema.json. A change of meaning needs another `version`."""

from __future__ import annotations

import json
from typing import Any

from compile_lint import __version__
from compile_lint.findings import EntryScore, Finding
from compile_lint.report.run import Run

VERSION = 1


def render(run: Run) -> str:
    """The whole document. Plain ASCII, so that no path and no line of code can upset a terminal or a decoder."""
    return json.dumps(document(run), indent=2, ensure_ascii=True) + "\n"


def document(run: Run) -> dict[str, Any]:
    """The document as plain values."""
    return {
        "version": VERSION,
        "tool": {"name": "compile-lint", "version": __version__},
        "target_torch": run.target_torch,
        "findings": [_finding(finding) for finding in run.findings],
        "scores": [_score(score) for score in run.scores],
        "score": _points(run.score),
        "errors": [{"path": error.path, "message": error.message} for error in run.errors],
        "files": run.files,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "kind": finding.kind,
        "confidence": finding.confidence,
        "path": finding.path,
        "cell": finding.cell,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "message": finding.message,
        "why": finding.why,
        "instead": finding.instead,
        "function": finding.function,
        "entry": finding.entry,
        "in_loop": finding.in_loop,
        "frame_skipped": finding.frame_skipped,
        "graph_break_ids": list(finding.graph_break_ids),
        "fix": finding.fix,
    }


def _score(score: EntryScore) -> dict[str, Any]:
    deductions = [
        {"code": one.code, "cell": one.cell, "line": one.line, "points": _points(one.points), "reason": one.reason}
        for one in score.deductions
    ]
    return {
        "entry": score.entry,
        "path": score.path,
        "cell": score.cell,
        "line": score.line,
        "score": _points(score.score),
        "graphs": score.graphs,
        "ops": score.ops,
        "deductions": deductions,
    }


def _points(value: float) -> float:
    return round(value, 4)
