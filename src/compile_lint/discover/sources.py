"""The sources of a run, read one by one as they are asked for, so that no more than one need be held at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from compile_lint.discover.read import read
from compile_lint.discover.walk import File
from compile_lint.findings import FileError, Source

_LINE_END = re.compile(r"\r\n|\r|\n")


class Sources:
    """Iterates over the readable files, each time anew. What cannot be read is in `errors` once it was met."""

    def __init__(
        self, files: Sequence[File], given: Sequence[Source] = (), watch: Callable[[Source], None] | None = None
    ) -> None:
        """`given` are sources that come from elsewhere (standard input); `watch` sees each source as it passes."""
        self._files = {file.path: file for file in files}
        self._given = {source.path: source for source in given}
        self._watch = watch
        self._errors: dict[str, FileError] = {}

    def __len__(self) -> int:
        return len(self._files) + len(self._given)

    def __iter__(self) -> Iterator[Source]:
        for source in self._given.values():
            yield self._seen(source)
        for file in self._files.values():
            source_or_error = read(file)
            if isinstance(source_or_error, FileError):
                self._errors[file.path] = source_or_error
            else:
                yield self._seen(source_or_error)

    def portable(self) -> Sources:
        """The same files for another process: nobody watches there."""
        return Sources(list(self._files.values()), list(self._given.values()))

    @property
    def paths(self) -> tuple[str, ...]:
        """All files of the run, readable or not."""
        return (*self._given, *self._files)

    @property
    def errors(self) -> tuple[FileError, ...]:
        """The files that could not be read so far."""
        return tuple(self._errors.values())

    def text(self, path: str) -> str | None:
        """The text of one file of the run, read again."""
        source = self._source(path)
        return None if source is None else source.text

    def lines(self, name: str) -> list[str] | None:
        """The lines of a file of the run, or of a cell (`nb.ipynb:cell 3`) as it stands there, without their ends."""
        path, _, number = name.rpartition(":cell ")
        source = self._source(path) if path else None
        for cell in () if source is None else source.cells:
            if str(cell.number) == number:
                return split_lines(cell.text)
        text = self.text(name)
        return None if text is None else split_lines(text)

    def _source(self, path: str) -> Source | None:
        if path in self._given:
            return self._given[path]
        file = self._files.get(path)
        found = None if file is None else read(file)
        return found if isinstance(found, Source) else None

    def _seen(self, source: Source) -> Source:
        if self._watch is not None:
            self._watch(source)
        return source


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends, split where Python splits them."""
    return _LINE_END.split(text)
