"""Findings in notebooks, for tools that know files and lines only.

A line of a cell is no line of the file that such a tool opens. The finding is put at the first line, a place that is
there and that misleads nobody, and its message begins with the cell and the line.
"""

from __future__ import annotations

from dataclasses import replace

from compile_lint.findings import EntryScore, Finding, Step
from compile_lint.report.run import LinesOf, Run


def flat(run: Run) -> Run:
    """The run without cells."""
    if all(finding.cell is None and not any(step.cell for step in finding.steps) for finding in run.findings):
        return run
    changed = {finding: _flat(finding) for finding in run.findings}
    known = {changed.get(finding, finding): text for finding, text in run.fingerprints.items()}
    scores = tuple(_score(score) for score in run.scores)
    return replace(run, findings=tuple(changed.values()), fingerprints=known, scores=scores)


def files_only(lines_of: LinesOf, run: Run) -> LinesOf:
    """Reads files alone: what a tool finds in a notebook is not what its cells hold."""
    steps = (step for finding in run.findings for step in finding.steps)
    cells = {finding.path for finding in run.findings if finding.cell is not None}
    cells |= {step.path for step in steps if step.cell is not None}
    return lambda path: None if path in cells else lines_of(path)


def _flat(finding: Finding) -> Finding:
    steps = tuple(map(_step, finding.steps))
    if finding.cell is None:
        return replace(finding, steps=steps)
    message = f"cell {finding.cell}, line {finding.line}: {finding.message}"
    return replace(finding, line=1, column=1, end_line=1, end_column=2, message=message, cell=None, steps=steps)


def _step(step: Step) -> Step:
    if step.cell is None:
        return step
    return replace(step, line=1, column=1, text=f"cell {step.cell}, line {step.line}: {step.text}", cell=None)


def _score(score: EntryScore) -> EntryScore:
    return score if score.cell is None else replace(score, line=1, cell=None)
