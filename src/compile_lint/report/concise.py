"""One line a finding, as editors and other tools parse it: `path:line:column: CODE message`."""

from __future__ import annotations

from compile_lint.findings import Finding
from compile_lint.report.paint import KIND_COLORS, Paint, safe, safe_lines
from compile_lint.report.run import Run
from compile_lint.report.text import summary

_PLAIN = Paint()


def render(run: Run, color: bool = False, verbosity: int = 0) -> str:
    """The findings, and the summary unless `verbosity` is below 0."""
    paint = Paint(color)
    out = [f"{line(finding, paint)}\n" for finding in run.findings]
    if verbosity >= 0:
        out.extend(f"{words}\n" for words in summary(run, paint, verbosity))
    return "".join(out)


def line(finding: Finding, paint: Paint = _PLAIN) -> str:
    """One finding."""
    place = f"{safe(finding.path)}:{finding.line}:{finding.column}:"
    message = " ".join(safe_lines(finding.message))
    return f"{paint(place, 'bold')} {paint(finding.code, KIND_COLORS[finding.kind])} {message}"
