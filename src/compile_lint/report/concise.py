"""One line a finding, as editors and other tools parse it: `path:line:column: CODE message`."""

from __future__ import annotations

from compile_lint.report.paint import KIND_COLORS, Paint, safe, safe_lines
from compile_lint.report.run import Run
from compile_lint.report.text import summary


def render(run: Run, color: bool = False, verbosity: int = 0) -> str:
    """The findings, and the summary unless `verbosity` is below 0."""
    paint = Paint(color)
    out = []
    for finding in run.findings:
        place = f"{safe(finding.where)}:{finding.line}:{finding.column}:"
        message = " ".join(safe_lines(finding.message))
        out.append(f"{paint(place, 'bold')} {paint(finding.code, KIND_COLORS[finding.kind])} {message}\n")
    if verbosity >= 0:
        out.extend(f"{line}\n" for line in summary(run, paint, verbosity))
    return "".join(out)
