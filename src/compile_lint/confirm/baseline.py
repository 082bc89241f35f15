"""Breaks that are accepted today, so that only new ones fail.

A break is known by its file, its function, the text of its line and its graph-break id, and not by its number: lines
may move. The file of a baseline is JSON, sorted, so that a diff of it can be read; paths in it are relative to its
folder. A file of an installed package is named from its package on, wherever that is installed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compile_lint.baseline.file import VERSION, document, named
from compile_lint.config.errors import ConfigError
from compile_lint.confirm.join.model import Confirmation, JoinedBreak

_FIELDS = ("path", "function", "source", "graph_break_id")

Key = tuple[str, str, str, str]
"""Path, function, text of the line, graph-break id."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The accepted breaks of one file."""

    path: Path
    accepted: frozenset[Key] = frozenset()

    def accepts(self, one: JoinedBreak) -> bool:
        """Whether a break is accepted."""
        return key_of(one, self.path) in self.accepted

    def gone(self, targets: Iterable[Confirmation]) -> list[Key]:
        """The accepted breaks that occur in none of the targets, sorted."""
        seen = {key_of(one, self.path) for target in targets for one in target.breaks}
        return sorted(self.accepted - seen)


def key_of(one: JoinedBreak, baseline: Path) -> Key:
    """What a break is known by in the baseline at that path."""
    return (named(one.path, baseline), one.function, one.source, one.graph_break_id)


def read(path: Path) -> Baseline:
    """The baseline of a file.

    Raises:
        ConfigError: it cannot be read or is no baseline.
    """
    return Baseline(path, frozenset(_keys(document(path).get("accepted"), path)))


def text(targets: Iterable[Confirmation], path: Path) -> str:
    """The baseline that accepts every break of the targets, to be written at that path."""
    counts = Counter(key_of(one, path) for target in targets for one in target.breaks if not one.consequence_of)
    accepted = [dict(zip(_FIELDS, key, strict=True)) for key in sorted(counts)]
    return json.dumps({"version": VERSION, "accepted": accepted}, indent=2) + "\n"


def _keys(accepted: Any, path: Path) -> Iterator[Key]:
    if not isinstance(accepted, list):
        raise ConfigError(f"--baseline: {path}: accepted: must be a list")
    for number, entry in enumerate(accepted, 1):
        values = [entry.get(name) if isinstance(entry, dict) else None for name in _FIELDS]
        if not all(isinstance(value, str) for value in values):
            raise ConfigError(f"--baseline: {path}: entry {number} must have {', '.join(_FIELDS)}, each a string")
        yield (values[0], values[1], values[2], values[3])  # type: ignore[misc]
