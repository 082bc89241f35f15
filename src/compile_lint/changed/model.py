"""A change as plain values. Lines are numbered from 1, as git counts them: only a line feed ends one."""

from __future__ import annotations

import bisect
import os
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Removed:
    """A line that is gone: it stood after line `after` of the new file, 0 for its top. `text` is without its end."""

    after: int
    text: bytes


@dataclass(frozen=True, slots=True)
class FileChange:
    """What became of one file. Paths are absolute and hold no links."""

    path: str
    """Empty for a file that was deleted."""
    old_path: str
    """Empty for a file that is new."""
    added: tuple[int, ...] = ()
    """Lines that are new or altered, ascending."""
    removed: tuple[Removed, ...] = ()
    """In the order in which they stood."""

    @property
    def is_new(self) -> bool:
        """Whether every line of it is."""
        return not self.old_path

    def touches(self, first: int, last: int) -> bool:
        """Whether one of these lines, both ends included, is new or altered."""
        return self.is_new or bisect.bisect_left(self.added, first) < bisect.bisect_right(self.added, last)

    def old_line(self, line: int) -> int:
        """The number that an unaltered line had."""
        before = sum(one.after < line for one in self.removed)
        return line - bisect.bisect_left(self.added, line) + before

    def old_text(self, text: str, encoding: str = "utf-8") -> str:
        """The file as it was, from what it is now."""
        lines = text.split("\n")
        added = set(self.added)
        old: list[str] = []
        waiting = list(reversed(self.removed))
        for number in range(len(lines) + 1):
            if number and number not in added:
                old.append(lines[number - 1])
            while waiting and waiting[-1].after <= number:
                old.append(waiting.pop().text.decode(encoding, "replace"))
        return "\n".join(old)


@dataclass(frozen=True, slots=True)
class Changes:
    """All files of a change."""

    files: tuple[FileChange, ...] = ()
    _by_path: dict[str, FileChange] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_path", {file.path: file for file in self.files if file.path})

    def of(self, path: str) -> FileChange | None:
        """What became of the file that now has this path, relative to the working directory or absolute."""
        return self._by_path.get(os.path.realpath(path))

    def deleted(self) -> Iterable[FileChange]:
        """The files that are gone."""
        return (file for file in self.files if not file.path)
