"""Reports on operators alone: what `ops --check` found on samples."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from compile_lint.confirm.observation import Observation
from compile_lint.confirm.report.as_json import sound
from compile_lint.confirm.report.markdown import operator_lines as markdown_lines
from compile_lint.confirm.report.text import operator_lines as text_lines
from compile_lint.report.paint import Paint, safe
from compile_lint.report.run import plural

FORMATS = ("text", "json", "markdown")


def render(seen: Observation, form: str = "text", color: bool = False, verbosity: int = 0) -> str:
    """The report in the form asked for; below a verbosity of 0 text is the summary alone."""
    if form == "json":
        return json.dumps(document(seen), indent=2, ensure_ascii=True) + "\n"
    if form == "markdown":
        return "\n".join(["## compile-lint ops --check", "", *markdown_lines(seen.operators), _summary(seen)]) + "\n"
    lines = list(text_lines(seen.operators, Paint(color)))[1:] if verbosity >= 0 else []
    return "".join(f"{line.removeprefix('    ')}\n" for line in lines) + Paint(color)(_summary(seen), "bold") + "\n"


def document(seen: Observation) -> dict[str, Any]:
    """As plain values; an operator is as in the report of `confirm`."""
    return {"torch": seen.torch, "operators": [sound(asdict(one)) for one in seen.operators]}


def _summary(seen: Observation) -> str:
    counts = {status: sum(one.status == status for one in seen.operators) for status in _STATUSES}
    parts = ", ".join(f"{count} {words}" for status, words in _STATUSES.items() if (count := counts[status]))
    return f"{plural(len(seen.operators), 'operator')} under torch {safe(seen.torch)}: {parts}"


_STATUSES = {
    "passed": "passed",
    "failed": "failed",
    "crashed": "crashed",
    "timeout": "timed out",
    "not-checked": "not checked",
}
