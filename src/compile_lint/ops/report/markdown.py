"""The inventory as Markdown: for a job summary or a page of a project's documentation."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lint.ops.model import Inventory, Row
from compile_lint.ops.report import words
from compile_lint.report.markup import code, escaped, prose


def render(inventory: Inventory) -> str:
    """The whole report."""
    lines = ["## compile-lint ops", "", f"{escaped(words.summary(inventory))}.".replace("..", "."), ""]
    if inventory.rows:
        lines += ["| operator | verdict | has | called | why |", "|---|---|---|---|---|"]
        lines += [f"| {' | '.join(_cells(row))} |" for row in words.ordered(inventory)]
    if inventory.errors:
        lines += ["", "Not read:", ""]
        lines += [f"- {code(error.path)}: {escaped(error.message)}" for error in inventory.errors]
    return "\n".join(lines).rstrip("\n") + "\n"


def _cells(row: Row) -> Iterator[str]:
    place = f"<br>{code(f'{row.declared.path}:{row.declared.line}')}" if row.declared else ""
    kind = "" if row.kind == "operator" else f" ({row.kind})"
    yield f"{code(row.schema or row.full_name)}{kind}{place}"
    yield words.verdict(row)
    yield escaped("; ".join(words.has(row)))
    yield "<br>".join(dict.fromkeys(code(f"{use.path}:{use.line}") for use in row.uses))
    yield prose(row.reason)
