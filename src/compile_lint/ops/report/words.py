"""What the reports say of an operator, in words that are the same in all of them."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.ops.model import VERDICTS, Inventory, Row
from compile_lint.report.run import plural

VERDICT_COLORS = {"raises": "red", "risk": "magenta", "splits": "yellow", "unknown": "cyan", "ready": "green"}
_VERDICTS = {"raises": "raises", "risk": "risk", "splits": "splits the graph", "unknown": "unknown", "ready": "ready"}


def verdict(row: Row) -> str:
    """The verdict as a short phrase."""
    return _VERDICTS[row.verdict]


def ordered(inventory: Inventory) -> list[Row]:
    """From the verdict that hurts most to the one that hurts least, those that are called first."""
    rank = {name: at for at, name in enumerate(VERDICTS)}
    return sorted(inventory.rows, key=lambda row: (rank[row.verdict], not row.uses, row.full_name))


def summary(inventory: Inventory) -> str:
    """`7 operators: 1 raises, 2 split the graph, 4 ready`."""
    counts = [(one, inventory.count(one)) for one in VERDICTS]
    parts = ", ".join(f"{number} {_counted(one, number)}" for one, number in counts if number)
    return f"{plural(len(inventory.rows), 'operator')}: {parts}" if inventory.rows else "No custom operators."


def _counted(name: str, number: int) -> str:
    if number != 1 and name in ("raises", "splits"):
        return {"raises": "raise", "splits": "split the graph"}[name]
    return {"risk": "at risk"}.get(name, _VERDICTS[name])


def has(row: Row) -> Iterator[str]:
    """What is registered for it, in phrases."""
    if row.kind == "operator" and row.declared is not None:
        yield f"kernels {', '.join(row.kernels)}" if row.kernels else "no kernel in sight"
        yield "fake kernel" if row.fake else "no fake kernel"
        yield "autograd formula" if row.autograd else "no autograd formula"
        if row.vmap:
            yield "vmap rule"
    elif row.kind == "autograd-function" and row.vmap:
        yield "vmap rule"
    if row.mutates:
        yield f"writes to {', '.join(row.mutates)}"
    if row.aliases:
        yield f"returns memory of {', '.join(row.aliases)}"
