"""Reviewdog's Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf. Columns count bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from compile_lint.findings import Finding
from compile_lint.report.levels import LEVELS
from compile_lint.report.run import LastLines, LinesOf, Run
from compile_lint.report.words import in_short, one_line

_SOURCE = {"name": "compile-lint"}


def render(run: Run, lines_of: LinesOf) -> str:
    """One JSON document with all findings (`rdjson`)."""
    document = {"source": _SOURCE, "diagnostics": list(_diagnostics(run, lines_of))}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def render_lines(run: Run, lines_of: LinesOf) -> str:
    """A JSON document a finding, a line each (`rdjsonl`)."""
    lines = (json.dumps({**one, "source": _SOURCE}, ensure_ascii=True) for one in _diagnostics(run, lines_of))
    return "".join(f"{line}\n" for line in lines)


def _diagnostics(run: Run, lines_of: LinesOf) -> Iterator[dict[str, Any]]:
    source = LastLines(lines_of)
    for finding in run.findings:
        span = {
            "start": _position(source, finding.path, finding.line, finding.column),
            "end": _position(source, finding.path, finding.end_line, finding.end_column),
        }
        yield {
            "message": in_short(finding),
            "location": {"path": run.named(finding.path), "range": span},
            "severity": LEVELS[finding.kind].reviewdog,
            "code": {"value": finding.code},
            **_related(finding, run, source),
        }


def _related(finding: Finding, run: Run, source: LastLines) -> dict[str, Any]:
    found = [
        {
            "message": one_line(step.text),
            "location": {
                "path": run.named(step.path),
                "range": {"start": _position(source, step.path, step.line, step.column)},
            },
        }
        for step in finding.steps
    ]
    return {"related_locations": found} if found else {}


def _position(source: LastLines, path: str, line: int, column: int) -> dict[str, int]:
    """A place with its column in bytes of UTF-8."""
    lines = source.lines(path)
    before = lines[line - 1][: column - 1] if 0 < line <= len(lines) else ""
    return {"line": line, "column": column + len(before.encode(errors="surrogatepass")) - len(before)}
