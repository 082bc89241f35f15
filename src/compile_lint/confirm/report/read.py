"""Reading a JSON report back."""

from __future__ import annotations

import json
from typing import Any

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.join.model import Confirmation, ConfirmRun, Figures
from compile_lint.confirm.report.as_json import VERSION
from compile_lint.findings import Finding


def read(text: str, place: str) -> tuple[ConfirmRun, str]:
    """The run that a report tells of, and the version of the tool that wrote it.

    Raises:
        ConfigError: it is no report of `confirm --format json`, or one of another version. `place` names the file.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{place}: is not JSON: {error}") from error
    if not isinstance(document, dict) or "targets" not in document or "figures" not in document:
        raise ConfigError(f"{place}: is no report of `compile-lint confirm --format json`")
    if document.get("version") != VERSION:
        raise ConfigError(
            f"{place}: is a report of version {document.get('version')!r}; this compile-lint reads version {VERSION}"
        )
    return _run(document, place), str(_tool(document).get("version", ""))


def _tool(document: dict[str, Any]) -> dict[str, Any]:
    tool = document.get("tool")
    return tool if isinstance(tool, dict) else {}


def _run(document: dict[str, Any], place: str) -> ConfirmRun:
    try:
        import msgspec
    except ImportError:
        raise ConfigError("reading reports needs msgspec: pip install 'compile-lint[confirm]'") from None
    try:
        targets = [msgspec.convert(_nested(target), Confirmation) for target in document["targets"]]
        figures = msgspec.convert(document["figures"], Figures)
        score = msgspec.convert(document["score"], float | None)
        shard = msgspec.convert(document.get("shard", ""), str)
    except (msgspec.ValidationError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{place}: is no report that this compile-lint can read: {error}") from error
    return ConfirmRun(tuple(targets), score, figures, shard)


def _nested(target: dict[str, Any]) -> dict[str, Any]:
    """A target as its dataclass holds it: the fields of each finding apart from its verdict."""
    fields = Finding.__dataclass_fields__
    findings = [
        {
            "finding": {name: value for name, value in one.items() if name in fields},
            "verdict": one["verdict"],
            "because": one.get("because", ""),
        }
        for one in target["findings"]
    ]
    return {**target, "findings": findings}
