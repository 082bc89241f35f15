"""Where a reason comes from, in words of one language, and the part of the page that shows it.

`decide` writes it as `bench.json: detr: latency, warm-up; business: replicas` or `assumed: eager_ms`; names of files,
targets, figures and options stay as they are.
"""

from __future__ import annotations

from compile_lint.decision.words import NOTHING, PRACTICE
from compile_lint.report_page.catalogue import Catalogue

_PARTS = {
    "latency": "figures",
    "warm-up": "figures",
    "traffic": "figures",
    "confirmation": "engineers",
    "compiled call": "engineers",
    "agreement": "engineers",
    "status": "engineers",
}
"""Where the page shows what a part of a record says."""
_ALONE = {NOTHING: "evidence.nothing", PRACTICE: "evidence.practice"}
_LED = ("assumed", "business")


def words(evidence: str, catalogue: Catalogue) -> str:
    """The evidence as the page shows it."""
    return "; ".join(_part(part, catalogue) for part in evidence.split("; "))


def link(evidence: str, anchor: str) -> str:
    """The part of the page on what the evidence names first."""
    first = evidence.partition("; ")[0].rpartition(": ")[2].partition(", ")[0]
    return f"#{anchor}-{_PARTS.get(first, 'method')}"


def _part(part: str, catalogue: Catalogue) -> str:
    if part in _ALONE:
        return catalogue.text(_ALONE[part])
    lead, colon, names = part.partition(": ")
    return catalogue.text(f"evidence.{lead}", names=names) if colon and lead in _LED else part
