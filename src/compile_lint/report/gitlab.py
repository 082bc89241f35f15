"""GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format."""

from __future__ import annotations

import json
from typing import Any

from compile_lint.findings import Finding
from compile_lint.report.levels import LEVELS
from compile_lint.report.run import Run
from compile_lint.report.words import clean, one_line


def render(run: Run) -> str:
    """A JSON array of issues. What Code Climate asks for besides (`type`, `categories`) is there, too."""
    return json.dumps([_issue(finding, run) for finding in run.findings], indent=2, ensure_ascii=True) + "\n"


def _issue(finding: Finding, run: Run) -> dict[str, Any]:
    level = LEVELS[finding.kind]
    body = "\n\n".join(clean(text) for text in (finding.why, finding.instead) if text.strip())
    return {
        "type": "issue",
        "check_name": f"{finding.code} {finding.name}",
        "description": f"{finding.code}: {one_line(finding.message)}",
        "content": {"body": body},
        "categories": [level.category],
        "severity": level.gitlab,
        "fingerprint": run.fingerprints.get(finding, ""),
        "location": {
            "path": run.named(finding.path),
            "lines": {"begin": finding.line, "end": max(finding.line, finding.end_line)},
        },
    }
