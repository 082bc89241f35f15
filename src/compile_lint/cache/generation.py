"""What all entries of a run have in common: the tool, Python, the rules, the tables and the settings."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from compile_lint import __version__
from compile_lint._data import rules_root
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.settings import Settings

LAYOUT = 1
"""Of the entries; a new one for every change of what is in them."""
_PACKAGE = Path(__file__).resolve().parents[1]
_APART = ("__pycache__", "confirm", "cli", "report", "_rules")
"""Folders of the package that no result depends on, or that are counted by themselves."""


def generation(settings: Settings, rules: Rulebook) -> str:
    """A digest of it all. `rules` are those that hold for the target."""
    digest = blake2b(digest_size=12)
    for part in (LAYOUT, __version__, sys.version_info[:3], *_settings(settings)):
        digest.update(f"{part!r}\n".encode())
    for rule in rules.rules:
        digest.update(repr((rule.code, rule.name, rule.kind, rule.confidence, rule.message)).encode())
        digest.update(repr((rule.why, rule.instead, rule.summary, rule.graph_break_ids, rule.matches)).encode())
        digest.update(repr(rule.met_in_branch).encode())
    for folder, apart in ((_PACKAGE, _APART), (rules_root() / "facts", ())):
        for name, size, changed in _files(str(folder), apart):
            digest.update(f"{name} {size} {changed}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _settings(settings: Settings) -> tuple[object, ...]:
    """The settings that decide what is found; the others only choose from it."""
    config = sorted(settings.torch_config.items())
    return settings.target_torch, settings.entry_points, config, settings.min_confidence


def _files(folder: str, apart: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """Path, size and time of change of the files below a folder: an edited checkout is another tool."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir():
            if entry.name not in apart:
                yield from _files(entry.path, apart)
        else:
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns
