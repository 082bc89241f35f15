"""The baseline of `check`: findings by rule, file, function, statement and ordinal, see fingerprints.py.

The file is JSON, one finding after the other in the order of their files, so that a diff of it can be read and two
branches that each add one merge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compile_lint.baseline.file import PLACE, VERSION, document, named
from compile_lint.config.errors import ConfigError
from compile_lint.findings import Finding
from compile_lint.fingerprints import Identity, identities

_FIELDS = {"code": str, "path": str, "function": str, "source": str, "ordinal": int}


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings of one file."""

    path: Path
    known: frozenset[Identity] = frozenset()


def read(path: Path) -> Baseline:
    """The baseline of a file.

    Raises:
        ConfigError: it cannot be read or is no baseline.
    """
    entries = document(path).get("findings")
    if not isinstance(entries, list):
        raise ConfigError(f"{PLACE}: {path}: findings: must be a list, as --write-baseline of `check` writes it")
    return Baseline(path, frozenset(_identities(entries, path)))


def text(known: Iterable[Identity]) -> str:
    """The file that holds these findings, the same for any order."""
    ordered = sorted(set(known), key=lambda one: (one.path, one.function, one.code, one.source, one.ordinal))
    entries = [{name: getattr(one, name) for name in _FIELDS} for one in ordered]
    return json.dumps({"version": VERSION, "findings": entries}, indent=2, ensure_ascii=False) + "\n"


def named_identities(
    findings: Iterable[Finding], text_of: Callable[[str], str | None], baseline: Path
) -> dict[Finding, Identity]:
    """What findings are called in the baseline at that path. Ordinals are right if none of a file is left out."""
    given = list(findings)
    names = {path: named(path, baseline) for path in {finding.path for finding in given}}
    return dict(zip(given, identities(given, text_of, names.__getitem__), strict=True))


def _identities(entries: list[Any], path: Path) -> Iterator[Identity]:
    for number, entry in enumerate(entries, 1):
        values = {name: entry.get(name) if isinstance(entry, dict) else None for name in _FIELDS}
        for name, kind in _FIELDS.items():
            if type(values[name]) is not kind:
                what = "a whole number" if kind is int else "a string"
                raise ConfigError(f"{PLACE}: {path}: findings: entry {number}: {name}: must be {what}")
        yield Identity(**values)  # type: ignore[arg-type]
