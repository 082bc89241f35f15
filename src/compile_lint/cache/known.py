"""Which results of earlier runs still hold for the files of this one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from compile_lint.cache.basis import Basis
from compile_lint.cache.folder import Folder
from compile_lint.cache.generation import generation
from compile_lint.plain import NotPlainError, dump, load
from compile_lint.project.project import Project
from compile_lint.results import FileResult
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.settings import Settings


class Known:
    """The cache as one run sees it."""

    def __init__(self, folder: Folder, project: Project, settings: Settings, rules: Rulebook) -> None:
        self._folder = folder
        self._project = project
        self._generation = generation(settings, rules)
        folder.use(self._generation)

    def all(self, paths: Iterable[str]) -> Iterator[tuple[str, FileResult]]:
        """The results of these files that still hold, by path."""
        for path in paths:
            found = self._find(path)
            if found is not None:
                yield path, found

    def keep(self, result: FileResult, basis: Basis) -> None:
        """Write a result down, unless something went wrong in it."""
        if not result.errors and self._folder.writable:
            content = json.dumps([dump(basis), dump(result)], separators=(",", ":"))
            self._folder.write(self._generation, _name(result.path), content.encode())

    def _find(self, path: str) -> FileResult | None:
        content = self._folder.read(self._generation, _name(path))
        if content is None:
            return None
        try:
            basis, result = json.loads(content)
            return load(FileResult, result) if load(Basis, basis).holds(self._project, path) else None
        except (ValueError, TypeError, RecursionError, NotPlainError):
            return None


def _name(path: str) -> str:
    return blake2b(path.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
