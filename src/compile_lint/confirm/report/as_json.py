"""The report for other tools: a contract, described by schema.json. A change of meaning needs another `version`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from compile_lint import __version__
from compile_lint.confirm.join.figures import by_rule
from compile_lint.confirm.join.model import Confirmation, ConfirmRun

VERSION = 1
_POINTS = 4
"""Decimals of scores and points."""
_SECONDS = 3


def json_schema() -> Path:
    """The JSON schema of `compile-lint confirm --format json`."""
    return Path(__file__).with_name("schema.json")


def render(run: ConfirmRun) -> str:
    """The whole document. Plain ASCII, so that no path and no line of code can upset a terminal or a decoder."""
    return json.dumps(document(run), indent=2, ensure_ascii=True) + "\n"


def document(run: ConfirmRun) -> dict[str, Any]:
    """The document as plain values."""
    return {
        "version": VERSION,
        "tool": {"name": "compile-lint", "version": __version__},
        "torch": sound(run.torch),
        "device": sound(run.device),
        "shard": run.shard,
        "targets": [target_document(target) for target in run.targets],
        "rules": [asdict(one) for one in by_rule(run.targets)],
        "score": None if run.score is None else round(run.score, _POINTS),
        "figures": asdict(run.figures),
    }


def target_document(target: Confirmation) -> dict[str, Any]:
    """One target as plain values."""
    values = asdict(target)
    values["findings"] = [
        {**one["finding"], "verdict": one["verdict"], "because": one["because"]} for one in values["findings"]
    ]
    for place in (values, values["fix_first"] or {}, *values["deductions"]):
        for key in ("score", "predicted_score", "points", "gain"):
            if place.get(key) is not None:
                place[key] = round(place[key], _POINTS)
    values["score"] = target.score  # whole, so that merged reports give the score of one run
    values["seconds"] = {phase: round(spent, _SECONDS) for phase, spent in values["seconds"].items()}
    return {key: sound(value) for key, value in values.items()}


def sound(value: Any) -> Any:
    """The value with half surrogates in its texts spelt out: strict readers of JSON refuse a document with one."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {sound(key): sound(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [sound(one) for one in value]
    return value
