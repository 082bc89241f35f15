"""Reading a record back. Needs no torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compile_lint.bench.record import VERSION, BenchRecord
from compile_lint.config.errors import ConfigError


def read_record(path: str | Path) -> BenchRecord:
    """The record in a file that `compile-lint bench --format json` wrote.

    Raises:
        ConfigError: there is none, or it is of another version or not as it was written; the text names file and field.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        words = getattr(error, "strerror", None) or error
        raise ConfigError(f"{path}: cannot be read: {words}") from error
    return parse_record(text, str(path))


def parse_record(text: str, place: str) -> BenchRecord:
    """The same from its text. `place` names it in complaints."""
    try:
        document = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{place}: is not JSON: {error}") from error
    if not isinstance(document, dict) or "machine" not in document or "targets" not in document:
        raise ConfigError(f"{place}: is no record of `compile-lint bench`; write one by --format json or --save")
    if document.get("version") != VERSION:
        raise ConfigError(
            f"{place}: is a record of version {document.get('version')!r}; this compile-lint reads version {VERSION}"
        )
    return _converted(document, place)


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


def _converted(document: dict[str, Any], place: str) -> BenchRecord:
    try:
        import msgspec
    except ImportError:
        raise ConfigError("reading records needs msgspec: pip install 'compile-lint[confirm]'") from None
    try:
        return msgspec.convert(document, BenchRecord)
    except msgspec.ValidationError as error:
        words, _, field = str(error).partition(" - at ")
        where = field.strip("`").removeprefix("$.") or "the record"
        raise ConfigError(f"{place}: {where}: {words[:1].lower()}{words[1:]}") from error
