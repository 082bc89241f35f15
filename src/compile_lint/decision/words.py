"""Figures as reasons and conditions say them, and where they come from."""

from __future__ import annotations

from collections.abc import Iterable

from compile_lint.decision.model import Evidence

NOTHING = "nothing measured or assumed"
PRACTICE = "practice"
"""The evidence of what holds for every rollout."""
_PARTS = {
    "eager_ms": "latency",
    "compiled_ms": "latency",
    "saving": "latency",
    "cold_s": "warm-up",
    "warm_s": "warm-up",
    "recompile_s": "traffic",
    "requests_that_compile": "traffic",
    "score": "confirmation",
    "breaks": "confirmation",
    "error": "compiled call",
    "failed": "status",
    "same_result": "agreement",
    "limit_hit": "traffic",
}
"""Of a record, the part that each figure comes from."""


def origin(evidence: Evidence, *names: str) -> str:
    """Where figures come from: `bench.json: detr: latency`, `assumed: eager_ms`, `business: replicas`.

    `names` are fields of Evidence or of Business.
    """
    assumed = [name for name in names if name in evidence.assumed]
    measured = [_PARTS[name] for name in names if name in _PARTS and name not in assumed and _known(evidence, name)]
    business = [name.replace("_", "-") for name in names if name not in _PARTS]
    place = ": ".join(filter(None, (evidence.source, evidence.name)))
    parts = [f"{place}: {', '.join(_once(measured))}"] * bool(measured)
    parts += [f"assumed: {', '.join(_once(assumed))}"] * bool(assumed)
    parts += [f"business: {', '.join(_once(business))}"] * bool(business)
    return "; ".join(parts) or NOTHING


def _known(evidence: Evidence, name: str) -> bool:
    return getattr(evidence, name) not in (None, "")


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
