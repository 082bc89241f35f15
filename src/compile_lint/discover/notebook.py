"""Jupyter notebooks: the code cells as one module, and which line of it belongs to which cell.

The form is that of https://nbformat.readthedocs.io/en/latest/format_description.html, versions 3 and 4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from compile_lint.discover.magics import python_of
from compile_lint.findings import Cell, FileError, Source

OLDEST = 3
_INDENTED = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*[ \t]+[^\s#]")
_LAST_END = re.compile(r"[\r\n]\Z")


class _BadNotebookError(Exception):
    """What is wrong with it, and what to do."""


def from_bytes(data: bytes, path: str, root: str = "") -> Source | FileError:
    """The module that a notebook file holds; what is wrong with it if it holds none."""
    try:
        notebook = _document(data)
        language = _language(notebook)
        if not _is_python(language):
            return FileError(path, f"is a notebook in {language}: skipped, for only Python is read", fatal=False)
        return from_cells(_code_cells(notebook), path, root)
    except _BadNotebookError as error:
        return FileError(path, str(error))


def from_cells(cells: Iterable[tuple[int, str]], path: str, root: str = "") -> Source:
    """The module that code cells make.

    Args:
        cells: the number of each code cell among all cells, from 1, and its text.
        path: of the notebook, as it is shown.
        root: the folder that imports start at.
    """
    parts: list[str] = []
    made: list[Cell] = []
    line = 1
    for number, text in cells:
        # A line of its own parts the cells. IPython takes the indent off a cell that begins with one; a block around
        # the cell does the same and moves no column.
        parts.append("if True:\n" if _INDENTED.match(text) else "\n")
        made.append(Cell(number, line + 1, text))
        parts.append(python_of(text) + ("" if _LAST_END.search(text) else "\n"))
        line += 1 + made[-1].lines
    return Source(path, "".join(parts), "utf-8", root, tuple(made))


def _document(data: bytes) -> Mapping[str, Any]:
    if not data.strip():
        raise _BadNotebookError("is an empty file, no notebook; remove it, or save the notebook anew")
    try:
        document = json.loads(data)
    except json.JSONDecodeError as error:
        raise _BadNotebookError(
            f"line {error.lineno}: is no notebook, for it is not valid JSON: {error.msg}, column {error.colno}; "
            "restore it, or mend it in a text editor"
        ) from None
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise _BadNotebookError(f"is no notebook, for it is not valid JSON: {error}; restore it") from None
    if not isinstance(document, dict):
        raise _BadNotebookError("is JSON but no notebook: it is not an object with `nbformat` and `cells`")
    version = document.get("nbformat")
    if not isinstance(version, int):
        raise _BadNotebookError("is JSON but no notebook: it has no `nbformat`")
    if version < OLDEST:
        raise _BadNotebookError(
            f"is of nbformat {version}, which is too old; `jupyter nbconvert --to notebook --inplace` renews it"
        )
    return document


def _language(notebook: Mapping[str, Any]) -> str:
    """The language of the kernel, as the notebook tells it; Python if it tells none."""
    metadata = _table(notebook.get("metadata"))
    for place, key in (("kernelspec", "language"), ("language_info", "name")):
        language = _table(metadata.get(place)).get(key)
        if isinstance(language, str) and language:
            return language
    return "python"


def _is_python(language: object) -> bool:
    return isinstance(language, str) and language.lower().startswith(("python", "ipython"))


def _code_cells(notebook: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Number and text of the Python cells. In version 3 they lie in worksheets, their text under `input`."""
    sheets = notebook.get("worksheets") if notebook["nbformat"] == OLDEST else [notebook]
    key = "input" if notebook["nbformat"] == OLDEST else "source"
    if not isinstance(sheets, list):
        raise _BadNotebookError("is damaged: it has no list `worksheets`")
    cells: list[Any] = []
    for sheet in sheets:
        inside = _table(sheet).get("cells")
        if not isinstance(inside, list):
            raise _BadNotebookError("is damaged: it has no list `cells`")
        cells.extend(inside)
    return [(number, _text(cell, key, number)) for number, cell in enumerate(cells, 1) if _holds_python(cell)]


def _holds_python(cell: object) -> bool:
    table = _table(cell)
    editor = _table(_table(table.get("metadata")).get("vscode"))
    named = table.get("language", editor.get("languageId", "python"))  # nbformat 3; VS Code
    return table.get("cell_type") == "code" and _is_python(named)


def _text(cell: Mapping[str, Any], key: str, number: int) -> str:
    text = cell.get(key)
    if isinstance(text, str):
        return text
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        return "".join(text)
    raise _BadNotebookError(f"is damaged: cell {number} has no text `{key}`")


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
