"""Annotations of GitHub Actions, as many as GitHub shows of one step, and a line each for the rest.

GitHub shows ten errors, ten warnings and ten notices of a step and drops what comes after them without a word, so the
ones that hurt most come first. The job summary, which is the Markdown report, holds all of them.
"""

from __future__ import annotations

from collections import defaultdict

from compile_lint.findings import CONFIDENCES, KINDS, Finding
from compile_lint.report import concise
from compile_lint.report.levels import LEVELS
from compile_lint.report.paint import Paint
from compile_lint.report.run import Run, plural
from compile_lint.report.text import summary
from compile_lint.report.words import in_short, title
from compile_lint.report.workflow import command, plain

MOST = 10
"""Annotations of a level that GitHub shows of one step."""


def render(run: Run, verbosity: int = 0) -> str:
    """The annotations, then the findings that have none and the summary as plain lines."""
    shown: dict[str, list[str]] = defaultdict(list)
    for error in run.errors:
        if error.fatal:
            message = f"{error.path}: {error.message}"
            shown["error"].append(command("error", message, run.named(error.path), title="compile-lint"))
    rest = []
    for finding in sorted(run.findings, key=_weight):
        level = LEVELS[finding.kind].github
        if len(shown[level]) < MOST:
            shown[level].append(_annotation(finding, run, level))
        else:
            rest.append(finding)
    lines = [line for level in ("error", "warning", "notice") for line in shown[level][:MOST]]
    return "".join(f"{line}\n" for line in lines) + plain(_rest(rest, run, verbosity))


def _annotation(finding: Finding, run: Run, level: str) -> str:
    columns = (finding.column, finding.end_column)
    return command(
        level,
        in_short(finding),
        run.named(finding.path),
        finding.line,
        title(finding),
        end_line=finding.end_line,
        columns=columns,
    )


def _rest(rest: list[Finding], run: Run, verbosity: int) -> str:
    lines = []
    if rest:
        lines.append(
            f"GitHub shows {MOST} annotations of a level and step; {plural(len(rest), 'finding')} without one:"
        )
        lines.extend(concise.line(finding) for finding in sorted(rest, key=lambda finding: finding.place))
    if verbosity >= 0:
        lines.extend(summary(run, Paint(), verbosity))
    return "".join(f"{line}\n" for line in lines)


def _weight(finding: Finding) -> tuple[int, int, tuple[str, int, int, str]]:
    return (KINDS.index(finding.kind), -CONFIDENCES.index(finding.confidence), finding.place)
