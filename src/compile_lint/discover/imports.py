"""The files that some files import, from one to the next: what lies in them is known though nobody named them."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from compile_lint.discover.read import module_root, read
from compile_lint.discover.walk import File, shown
from compile_lint.findings import Source

SOURCE_FOLDER = "src"
"""Below the working directory: where absolute imports may start, besides that directory and the root of the file."""


Given = Mapping[str, Source | None]
"""Absolute path without links -> the source to read in place of what lies there; None for nothing."""


@dataclass(frozen=True, slots=True)
class Import:
    """A module that a file may import: the parts of its name, and how many dots stand before them."""

    name: tuple[str, ...]
    level: int = 0


def imported(files: Iterable[File], given: Given, cwd: str, left_out: Callable[[str], bool]) -> tuple[File, ...]:
    """The files that these import, and those that these import in turn; none of these themselves. Sorted by path.

    Only files below the working directory, or below the root of the file that imports them, count.

    Args:
        files: to start from.
        given: what to read in place of files; it need not be there.
        cwd: absolute.
        left_out: whether a path is excluded.
    """
    known = {os.path.realpath(file.real): file for file in files}
    found: dict[str, File] = {}
    waiting = list(known.values())
    while waiting:
        file = waiting.pop()
        real = os.path.realpath(file.real)
        source = given[real] if real in given else read(file)
        if not isinstance(source, Source):
            continue
        for path in _paths(source.text, file.real, cwd, given):
            real = os.path.realpath(path)
            if real not in known and not left_out(path):
                known[real] = found[real] = File(shown(path, cwd), path)
                waiting.append(known[real])
    return tuple(sorted(found.values(), key=lambda file: file.path))


def imports(text: str) -> tuple[Import, ...]:
    """The modules that a text may import, at any depth of its code; none if it is not valid Python."""
    if "import" not in text:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: list[Import] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.extend(Import(tuple(alias.name.split("."))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            found.append(Import(base, node.level))
            found.extend(Import((*base, alias.name), node.level) for alias in node.names if alias.name != "*")
    return tuple(dict.fromkeys(found))


def _paths(text: str, path: str, cwd: str, given: Given) -> Iterator[str]:
    """The files that a file imports, the `__init__` of each package on the way among them."""
    for one in imports(text):
        for folder in _starts(path, one.level, cwd):
            found = list(_files(folder, one.name, given))
            yield from found
            if found:
                break


def _starts(path: str, level: int, cwd: str) -> Iterator[str]:
    folder = os.path.dirname(path)
    if level:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        yield folder
        return
    inside = (path.startswith(cwd.rstrip(os.sep) + os.sep) and [cwd, os.path.join(cwd, SOURCE_FOLDER)]) or []
    yield from dict.fromkeys([module_root(path), *inside])


def _files(folder: str, name: tuple[str, ...], given: Given) -> Iterator[str]:
    """The files on the way of a dotted name from a folder down."""
    stem = folder
    if not name and _exists(path := os.path.join(stem, "__init__.py"), given):
        yield path
    for part in name:
        stem = os.path.join(stem, part)
        for path in (os.path.join(stem, "__init__.py"), f"{stem}.py"):
            if _exists(path, given):
                yield path
                break
        else:
            if not os.path.isdir(stem):
                return


def _exists(path: str, given: Given) -> bool:
    real = os.path.realpath(path)
    return given[real] is not None if real in given else os.path.isfile(real)
