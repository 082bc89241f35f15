""".gitignore files: those in the walked folders, and those above them up to the root of the repository."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = ".gitignore"


class Ignores:
    """The ignore files that hold in one folder, outermost first. Paths are absolute, with slashes."""

    def __init__(self, specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()) -> None:
        self._specs = specs

    @classmethod
    def above(cls, folder: str) -> Ignores:
        """What the repository around `folder` says, without the folder's own file.

        Nothing if the folder itself is ignored: who names it wants it looked at.
        """
        chain = _up_to_repository(folder)
        ignores = cls()
        for above in chain:
            if above == chain[0]:
                ignores = ignores.with_file(above, os.path.join(above, ".git", "info", "exclude"))
            if above != folder:
                ignores = ignores.with_file(above, os.path.join(above, NAME))
        return cls() if any(ignores.ignored(part, True) for part in chain[1:]) else ignores

    def inside(self, folder: str) -> Ignores:
        """What holds in a folder that has an ignore file of its own."""
        return self.with_file(folder, os.path.join(folder, NAME))

    def with_file(self, folder: str, path: str) -> Ignores:
        """One more file, whose patterns start at `folder`. A file that is missing or cannot be read says nothing."""
        try:
            with open(path, encoding="utf-8", errors="replace") as stream:
                lines = stream.read().splitlines()
        except OSError:
            return self
        spec = _spec(lines)
        return self if spec is None else Ignores((*self._specs, (folder.rstrip("/") + "/", spec)))

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Whether the path is left out: the innermost file that speaks of it decides."""
        for folder, spec in reversed(self._specs):
            if path.startswith(folder):
                include = spec.check_file(path[len(folder) :] + ("/" if is_folder else "")).include
                if include is not None:
                    return include
        return False


def _spec(lines: list[str]) -> GitIgnoreSpec | None:
    patterns = [line for line in lines if line.strip() and not line.startswith("#")]
    if not patterns:
        return None
    from pathspec import GitIgnoreSpec  # costs as much to import as the rest of the walk

    good = []
    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:  # a pattern that git would pass over too
            continue
        good.append(pattern)
    return GitIgnoreSpec.from_lines(good)


def _up_to_repository(folder: str) -> list[str]:
    """The folders from the root of the repository down to `folder`; only `folder` when it lies in none."""
    chain = [folder]
    while not os.path.lexists(os.path.join(chain[-1], ".git")):
        parent = os.path.dirname(chain[-1])
        if parent == chain[-1]:
            return [folder]
        chain.append(parent)
    return chain[::-1]
