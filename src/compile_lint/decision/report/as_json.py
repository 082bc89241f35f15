"""The report for other tools: a contract, described by schema.json. A change of meaning needs another `version`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from compile_lint import __version__
from compile_lint.bench.figures import Range
from compile_lint.decision.formulas import assumptions, formulas
from compile_lint.decision.model import Decision
from compile_lint.report_page.catalogue import Catalogue

VERSION = 1


def json_schema() -> Path:
    """The JSON schema of `compile-lint decide --format json`."""
    return Path(__file__).with_name("schema.json")


def render(decisions: Sequence[Decision], catalogue: Catalogue) -> str:
    """The whole document. Plain ASCII, and no number that JSON does not have."""
    return json.dumps(document(decisions, catalogue), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def document(decisions: Sequence[Decision], catalogue: Catalogue) -> dict[str, Any]:
    """The document as plain values. The fields of the first decision, the best one, stand at the top too."""
    found = [one_document(decision, catalogue) for decision in decisions]
    whole = {
        "version": VERSION,
        "tool": {"name": "compile-lint", "version": __version__},
        **found[0],
        "decisions": found,
        "formulas": list(formulas(catalogue)),
        "assumptions": list(assumptions(decisions[0], catalogue)),
    }
    sound: dict[str, Any] = _sound(whole)
    return sound


def one_document(decision: Decision, catalogue: Catalogue) -> dict[str, Any]:
    """One decision as plain values."""
    saved = decision.saving_per_month
    return {
        "name": decision.name,
        "verdict": decision.verdict,
        "saving_per_month": None if saved is None else saved.value,
        "saving_per_month_range": _range(saved),
        "saving_share": _range(decision.saving_share),
        "payback_months": decision.payback_months,
        "payback_months_range": _range(decision.payback_range),
        "break_even_requests": decision.break_even_requests,
        "requests_per_start": decision.requests_per_start,
        "cold_requests_per_day": decision.cold_requests_per_day,
        "recompile_cost_per_month": decision.recompile_cost_per_month,
        "currency": decision.business.currency,
        "reasons": [
            {
                "weight": one.weight,
                "key": one.text,
                "text": catalogue.text(one.text, **one.values),
                "evidence": one.evidence,
            }
            for one in decision.reasons
        ],
        "conditions": [
            {
                "key": one.text,
                "text": catalogue.text(one.text, **one.values),
                "evidence": one.evidence,
                "code": one.code,
            }
            for one in decision.conditions
        ],
        "assumed": list(decision.assumed),
        "evidence": asdict(decision.evidence),
        "business": asdict(decision.business),
    }


def _range(found: Range | None) -> dict[str, float | None] | None:
    return None if found is None else asdict(found)


def _sound(value: Any) -> Any:
    """Texts without half surrogates; numbers without end, which JSON has not, are null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_sound(key): _sound(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sound(one) for one in value]
    return value
