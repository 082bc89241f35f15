"""The files that some files import, from one to the next: what lies in them is known though nobody named them."""

from __future__ import annotations

import ast
import os
import re
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
    finder = _Finder(cwd, given)
    reals: dict[str, str] = {}
    while waiting:
        file = waiting.pop()
        real = os.path.realpath(file.real)
        source = given[real] if real in given else read(file)
        if not isinstance(source, Source):
            continue
        for path in finder.paths(source.text, file.real):
            real = reals.get(path) or reals.setdefault(path, os.path.realpath(path))
            if real not in known and not left_out(path):
                known[real] = found[real] = File(shown(path, cwd), path)
                waiting.append(known[real])
    return tuple(sorted(found.values(), key=lambda file: file.path))


def imports(text: str) -> tuple[Import, ...]:
    """The modules that a text may import, at any depth of its code; none if it is not valid Python.

    The statements are found by their first words, since parsing whole files takes ten times as long. What only looks
    like one, in a docstring, may be among them; what is written in another way makes the whole text be parsed.
    """
    if "import" not in text:
        return ()
    found = [match[1] for match in _STATEMENT.finditer(text)]
    plain = len(found) == sum(1 for _ in _BEGINS.finditer(text)) and not _INLINE.search(text)
    tree = _parsed("\n".join(found)) if plain else None
    if tree is None:
        tree = _parsed(text)
    return () if tree is None else tuple(dict.fromkeys(_imports(tree)))


_BEGINS = re.compile(r"^[ \t]*(?:from[ \t]+[\w.]|import[ \t]+[\w(\\])", re.MULTILINE)
_REST = r"(?:[^\n\r()\\;]|\\\r?\n)+"
_STATEMENT = re.compile(
    rf"^[ \t]*(from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^()]*\)|{_REST})|import[ \t]+{_REST})", re.MULTILINE
)
_INLINE = re.compile(r"[;:][ \t]*(?:from[ \t]+[\w.]+[ \t]+import\b|import[ \t]+\w)")


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(tree: ast.Module) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(tuple(alias.name.split("."))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            yield Import(base, node.level)
            yield from (Import((*base, alias.name), node.level) for alias in node.names if alias.name != "*")


class _Finder:
    """Finds the files behind imports; each question is asked of the disk once."""

    def __init__(self, cwd: str, given: Given) -> None:
        self._cwd = cwd
        self._given = given
        self._known: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        self._there: dict[str, bool] = {}
        self._starting: dict[tuple[str, int], tuple[str, ...]] = {}

    def paths(self, text: str, path: str) -> Iterator[str]:
        """The files that a file imports, the `__init__` of each package on the way among them."""
        folder = os.path.dirname(path)
        for one in imports(text):
            for start in self._starts(folder, one.level):
                found = self._files(start, one.name)
                yield from found
                if found:
                    break

    def _starts(self, folder: str, level: int) -> tuple[str, ...]:
        key = (folder, level)
        if key not in self._starting:
            self._starting[key] = tuple(_starts(folder, level, self._cwd))
        return self._starting[key]

    def _files(self, folder: str, name: tuple[str, ...]) -> tuple[str, ...]:
        key = (folder, name)
        if key not in self._known:
            self._known[key] = tuple(_files(folder, name, self._exists))
        return self._known[key]

    def _exists(self, path: str) -> bool:
        there = self._there.get(path)
        if there is None:
            real = os.path.realpath(path)
            there = self._given[real] is not None if real in self._given else os.path.isfile(real)
            self._there[path] = there
        return there


def _starts(folder: str, level: int, cwd: str) -> Iterator[str]:
    """Where the imports of the files in a folder begin."""
    if level:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        yield folder
        return
    below = (folder + os.sep).startswith(cwd.rstrip(os.sep) + os.sep)
    inside = [cwd, os.path.join(cwd, SOURCE_FOLDER)] if below else []
    yield from dict.fromkeys([module_root(os.path.join(folder, "module.py")), *inside])


def _files(folder: str, name: tuple[str, ...], exists: Callable[[str], bool]) -> Iterator[str]:
    """The files on the way of a dotted name from a folder down."""
    stem = folder
    if not name and exists(path := os.path.join(stem, "__init__.py")):
        yield path
    for part in name:
        stem = os.path.join(stem, part)
        for path in (os.path.join(stem, "__init__.py"), f"{stem}.py"):
            if exists(path):
                yield path
                break
        else:
            if not os.path.isdir(stem):
                return
