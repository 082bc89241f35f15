"""A record as JSON: a contract, described by schema.json. A change of meaning needs another `record.VERSION`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compile_lint.bench.record import VERSION, BenchRecord

_MICROSECONDS = 6
"""Decimals of milliseconds and seconds: a nanosecond is less than any clock tells."""


def json_schema() -> Path:
    """The JSON schema of a record."""
    return Path(__file__).with_name("schema.json")


def render(record: BenchRecord) -> str:
    """The whole document. Plain ASCII, so that no path and no line of code can upset a terminal or a decoder."""
    return json.dumps(document(record), indent=1, ensure_ascii=True) + "\n"


def document(record: BenchRecord) -> dict[str, Any]:
    """The record as plain values."""
    import msgspec

    found: dict[str, Any] = _sound(msgspec.to_builtins(record))
    return found


def schema() -> dict[str, Any]:
    """The schema as the dataclasses give it; what is shipped is held against this by a test."""
    import msgspec

    made = msgspec.json.schema(BenchRecord)
    for one in made["$defs"].values():
        if "properties" in one:
            one["required"] = list(one["properties"])  # a record that is written holds every field
            for each in one["properties"].values():
                each.pop("default", None)
    made["$defs"]["BenchRecord"]["properties"]["version"] = {"const": VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A record of compile-lint bench",
        **made,
    }


def _sound(value: Any) -> Any:
    """Floats rounded; half surrogates in texts spelt out: strict readers of JSON refuse a document with one."""
    if isinstance(value, float):
        return round(value, _MICROSECONDS)
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_sound(key): _sound(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sound(one) for one in value]
    return value
