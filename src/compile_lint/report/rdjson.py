"""Reviewdog's Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf. Columns count bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from compile_lint.findings import Finding
from compile_lint.report.levels import LEVELS
from compile_lint.report.run import LinesOf, Run
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
    texts = _Lines(lines_of)
    for finding in run.findings:
        span = {
            "start": texts.position(finding.path, finding.line, finding.column),
            "end": texts.position(finding.path, finding.end_line, finding.end_column),
        }
        yield {
            "message": in_short(finding),
            "location": {"path": run.named(finding.path), "range": span},
            "severity": LEVELS[finding.kind].reviewdog,
            "code": {"value": finding.code},
            **_related(finding, run, texts),
        }


def _related(finding: Finding, run: Run, texts: _Lines) -> dict[str, Any]:
    found = [
        {
            "message": one_line(step.text),
            "location": {
                "path": run.named(step.path),
                "range": {"start": texts.position(step.path, step.line, step.column)},
            },
        }
        for step in finding.steps
    ]
    return {"related_locations": found} if found else {}


class _Lines:
    """The lines of the file that was asked for last: findings come file by file."""

    def __init__(self, lines_of: LinesOf) -> None:
        self._lines_of = lines_of
        self._path: str | None = None
        self._lines: Sequence[str] = ()

    def position(self, path: str, line: int, column: int) -> dict[str, int]:
        """A place with its column in bytes of UTF-8."""
        if path != self._path:
            self._path, self._lines = path, self._lines_of(path) or ()
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        before = text[: column - 1]
        return {"line": line, "column": column + len(before.encode(errors="surrogatepass")) - len(before)}
