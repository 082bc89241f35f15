"""What is open in the editor: files, and notebooks with their cells."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from lsprotocol import types
from pygls.uris import to_fs_path

from compile_lint.discover.magics import python_of
from compile_lint.discover.notebook import from_cells
from compile_lint.findings import Source

PYTHON = "python"


@dataclass(frozen=True, slots=True)
class Part:
    """A text that the client knows by a URI: a file, or one cell."""

    uri: str
    text: str
    version: int | None = None
    is_cell: bool = False

    @property
    def python(self) -> str:
        """The text, of a cell with magics taken out; lines stay where they are."""
        return python_of(self.text) if self.is_cell else self.text


@dataclass(frozen=True, slots=True)
class Opened:
    """One open file or notebook."""

    uri: str
    path: str
    parts: dict[int | None, Part] = field(default_factory=dict)
    """By the number of the cell; None for a file."""

    @property
    def source(self) -> Source:
        """What is linted."""
        if None in self.parts:
            return Source(self.path, self.parts[None].text)
        return from_cells([(number or 0, part.text) for number, part in self.parts.items()], self.path)


class Documents:
    """Everything that is open. Files of another language and stubs are not kept."""

    def __init__(self) -> None:
        self._opened: dict[str, Opened] = {}
        self._of_cell: dict[str, str] = {}

    def __iter__(self) -> Iterator[Opened]:
        return iter(list(self._opened.values()))

    def of(self, uri: str) -> Opened | None:
        """The open file of a URI, or the notebook that has this cell."""
        return self._opened.get(self._of_cell.get(uri, uri))

    def put(self, uri: str, text: str, version: int | None, language: str = PYTHON) -> Opened | None:
        """Take in a file, or a new text of it; None for what is not linted."""
        path = path_of(uri)
        if language != PYTHON or path.endswith((".pyi", ".ipynb")):
            return None
        opened = self._opened[uri] = Opened(uri, path, {None: Part(uri, text, version)})
        return opened

    def put_notebook(self, notebook: types.NotebookDocument, cells: dict[str, tuple[str, int | None, str]]) -> Opened:
        """Take in a notebook.

        Args:
            notebook: with its cells in order.
            cells: text, version and language by the URI of the cell.
        """
        parts: dict[int | None, Part] = {}
        for number, cell in enumerate(notebook.cells, 1):
            text, version, language = cells[cell.document]
            if cell.kind == types.NotebookCellKind.Code and language == PYTHON:
                parts[number] = Part(cell.document, text, version, True)
        self._of_cell = {cell: owner for cell, owner in self._of_cell.items() if owner != notebook.uri}
        self._of_cell.update({part.uri: notebook.uri for part in parts.values()})
        opened = self._opened[notebook.uri] = Opened(notebook.uri, path_of(notebook.uri), parts)
        return opened

    def drop(self, uri: str) -> Opened | None:
        """Forget a file or notebook that was closed."""
        self._of_cell = {cell: owner for cell, owner in self._of_cell.items() if owner != uri}
        return self._opened.pop(uri, None)


def path_of(uri: str) -> str:
    """The path of a file; of a buffer that has none yet, a path that no file has."""
    path = to_fs_path(uri)
    return os.path.normpath(path) if path else f"{os.sep}<{uri}>"
