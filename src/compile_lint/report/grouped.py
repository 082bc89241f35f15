"""The findings of each file below its name, a line each."""

from __future__ import annotations

from itertools import groupby

from compile_lint.report.paint import KIND_COLORS, Paint, safe
from compile_lint.report.run import Run
from compile_lint.report.text import summary
from compile_lint.report.words import one_line


def render(run: Run, color: bool = False, verbosity: int = 0) -> str:
    """The findings, and the summary unless `verbosity` is below 0."""
    paint = Paint(color)
    lines = []
    for path, group in groupby(run.findings, key=lambda finding: finding.path):
        findings = list(group)
        places = [f"{finding.line}:{finding.column}" for finding in findings]
        width = max(map(len, places))
        lines.append(paint(f"{safe(path)}:", "bold"))
        for place, finding in zip(places, findings, strict=True):
            sure = "" if finding.confidence == "certain" else f", {finding.confidence}"
            label = paint(f"{finding.code} {finding.name}", KIND_COLORS[finding.kind])
            lines.append(f"  {place:<{width}}  {label} [{finding.kind}{sure}] {one_line(finding.message)}")
        lines.append("")
    if verbosity >= 0:
        lines.extend(summary(run, paint, verbosity))
    return "".join(f"{line}\n" for line in lines)
