"""Findings counted by rule."""

from __future__ import annotations

import json
from collections import Counter

from compile_lint.report.paint import KIND_COLORS, Paint
from compile_lint.report.run import Run


def render(run: Run, as_json: bool = False, color: bool = False) -> str:
    """A line a rule, the most frequent first; or a JSON array of the same."""
    counts = Counter((finding.code, finding.name, finding.kind) for finding in run.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    if as_json:
        values = [{"code": code, "name": name, "kind": kind, "count": count} for (code, name, kind), count in rows]
        return json.dumps(values, indent=2) + "\n"
    paint = Paint(color)
    width = len(str(rows[0][1])) if rows else 0
    longest = max((len(kind) for (_, _, kind), _ in rows), default=0)
    lines = [
        f"{count:>{width}}  {paint(code, 'bold')}  {paint(f'{kind:<{longest}}', KIND_COLORS[kind])}  {name}\n"
        for (code, name, kind), count in rows
    ]
    return "".join(lines)
