"""Rules as SARIF describes them: reportingDescriptor objects, with the page of each as help."""

from __future__ import annotations

from typing import Any

from compile_lint.report.levels import LEVELS, PRECISION
from compile_lint.report.rule_page import link, page
from compile_lint.report.words import clean
from compile_lint.rulebook.model import Rule

_SEVERITY = {"error": "error", "warning": "warning", "note": "recommendation"}
"""GitHub's `problem.severity` by SARIF's level."""


def descriptor(rule: Rule) -> dict[str, Any]:
    """One rule."""
    level = LEVELS[rule.kind].sarif
    found: dict[str, Any] = {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": _sentence(rule.summary)},
        "fullDescription": {"text": _sentence(clean(rule.why) or rule.summary)},
        "help": {"text": _text(rule), "markdown": page(rule)},
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": ["torch.compile", rule.kind],
            "precision": PRECISION[rule.confidence],
            "problem.severity": _SEVERITY[level],
            "graphBreakIds": list(rule.graph_break_ids),
        },
    }
    if rule.graph_break_ids:
        found["helpUri"] = link(rule.graph_break_ids[0])
    return found


def _text(rule: Rule) -> str:
    return "\n\n".join(clean(text) for text in (rule.why, rule.instead) if text.strip()) or _sentence(rule.summary)


def _sentence(text: str) -> str:
    text = clean(text)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
