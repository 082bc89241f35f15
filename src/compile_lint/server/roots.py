"""The folders of the workspace, and what the editor sets for each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from compile_lint.discover import module_root
from compile_lint.server.folder import Folder
from compile_lint.server.tree import inside
from compile_lint.server.worker import Worker

DEBOUNCE = 300
"""Milliseconds after the last change until it is linted; the setting `debounce` changes it."""
_LONGEST = 60_000


class Roots:
    """Knows the folder that a file belongs to. Folders outside of the workspace come with the files that lie there."""

    def __init__(self, worker: Worker) -> None:
        self.settings: Mapping[str, Any] = {}
        """What the editor says for every folder."""
        self._worker = worker
        self._named: tuple[str, ...] = ()
        self._folders: dict[str, Folder] = {}

    def name(self, paths: Iterable[str]) -> None:
        """Begin anew with these folders of the workspace; what runs in the others is cancelled."""
        for folder in self._folders.values():
            folder.cancel()
        self._folders.clear()
        self._named = tuple(sorted(dict.fromkeys(paths), key=len, reverse=True))

    @property
    def named(self) -> list[Folder]:
        """The folders of the workspace."""
        return [self.of(os.path.join(path, "file")) for path in sorted(self._named)]

    def of(self, path: str) -> Folder:
        """The innermost folder of the workspace around a file, else the one that its package lies in."""
        around = next((folder for folder in self._named if inside(path, folder)), None) or module_root(path)
        if around not in self._folders:
            self._folders[around] = Folder(around, self._worker)
        return self._folders[around]

    def editor(self, folder: Folder) -> dict[str, Any]:
        """The editor's settings that hold in a folder."""
        return {**self.settings, **folder.settings}

    def delay(self, folder: Folder) -> float:
        """Seconds from the last change until it is linted."""
        chosen = self.editor(folder).get("debounce", DEBOUNCE)
        good = isinstance(chosen, (int, float)) and not isinstance(chosen, bool) and 0 <= chosen <= _LONGEST
        return (chosen if good else DEBOUNCE) / 1000

    def stop(self) -> None:
        """Want no more results."""
        for folder in self._folders.values():
            folder.cancel()


def table(value: Any) -> dict[str, Any]:
    """Settings as the client sent them, plain; the protocol's library makes an object of some."""
    found = _plain(value)
    return found if isinstance(found, dict) else {}


def _plain(value: Any) -> Any:
    as_dict = getattr(value, "_asdict", None)
    if callable(as_dict):
        value = as_dict()
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value
