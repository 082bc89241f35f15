"""The inventory for other tools: a contract, described by schema.json. Fields may be added."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compile_lint.ops.model import Inventory, Place, Row


def schema_path() -> Path:
    """The JSON schema of `compile-lint ops --format json`."""
    return Path(__file__).with_name("schema.json")


def render(inventory: Inventory) -> str:
    """The whole document. Plain ASCII, so that no path can upset a terminal or a decoder."""
    return json.dumps(document(inventory), indent=2, ensure_ascii=True) + "\n"


def document(inventory: Inventory) -> dict[str, Any]:
    """The document as plain values."""
    return {
        "operators": [_row(row) for row in inventory.rows],
        "errors": [{"path": _sound(error.path), "message": _sound(error.message)} for error in inventory.errors],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "kind": row.kind,
        "overload": row.overload,
        "schema": row.schema,
        "declared": _place(row.declared),
        "kernels": list(row.kernels),
        "fake": row.fake,
        "autograd": row.autograd,
        "vmap": row.vmap,
        "mutates": list(row.mutates),
        "aliases": list(row.aliases),
        "uses": [{"path": _sound(use.path), "line": use.line, "entry": use.entry} for use in row.uses],
        "verdict": row.verdict,
        "reason": row.reason,
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"path": _sound(place.path), "line": place.line}


def _sound(text: str) -> str:
    """With half surrogates spelt out: strict readers of JSON refuse a document with one."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
