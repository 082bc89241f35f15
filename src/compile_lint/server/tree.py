"""What the open files of a folder import, read from the editor's buffers where it has them and else from disk.

Nothing else of the folder is looked at: it may be large, and a result is wanted while someone types.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from compile_lint.discover import File, module_root, read
from compile_lint.findings import Source

MOST = 400
"""Files followed through imports; open ones always count."""
_SOURCE_FOLDERS = ("", "src")
"""Where below the folder the names of absolute imports may start, besides the place of the file itself."""


@dataclass(frozen=True, slots=True)
class Import:
    """A module that a file may import: its dotted name without the leading dots, and how many of those there are."""

    name: tuple[str, ...]
    level: int = 0


@dataclass(slots=True)
class Reached:
    """The open files and what they import: sources by path, and the names that imports give to paths."""

    sources: dict[str, Source] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


class Tree:
    """The files of one folder. What was read stays until it has changed on disk."""

    def __init__(self, folder: str) -> None:
        """`folder` is absolute."""
        self.folder = folder
        self._on_disk: dict[str, tuple[tuple[int, int], Source | None]] = {}
        self._imports: dict[str, tuple[str, tuple[Import, ...]]] = {}

    def reached(self, opened: Mapping[str, Source]) -> Reached:
        """The open files, by absolute path, and the files of the folder that they import, from one to the next."""
        found = Reached(dict(opened))

        def exists(path: str) -> bool:
            return path in opened or os.path.isfile(path)

        finder = _Finder(exists)
        waiting = deque(opened)
        while waiting:  # the nearest first: what lies behind many imports matters least
            path = waiting.popleft()
            for name, imported in self._imported(found.sources[path], finder):
                if name:
                    found.names.setdefault(name, imported)
                if imported in found.sources or len(found.sources) >= MOST:
                    continue
                source = self._read(imported)
                if source is not None:
                    found.sources[imported] = source
                    waiting.append(imported)
        self._forget(found)
        return found

    def root_of(self, path: str) -> str:
        """The folder that a file's dotted name starts at: above its package, or this folder for one in no package."""
        if not os.path.isfile(os.path.join(os.path.dirname(path), "__init__.py")) and inside(path, self.folder):
            return self.folder
        return module_root(path)

    def _read(self, path: str) -> Source | None:
        try:
            found = os.stat(path)
        except OSError:
            return None
        stamp = (found.st_mtime_ns, found.st_size)
        held = self._on_disk.get(path)
        if held is None or held[0] != stamp:
            source = read(File(path, path))
            plain = (
                Source(path, source.text, source.encoding, self.root_of(path)) if isinstance(source, Source) else None
            )
            held = self._on_disk[path] = (stamp, plain)
        return held[1]

    def _imported(self, source: Source, finder: _Finder) -> Iterator[tuple[str, str]]:
        """The dotted name, empty for a relative import, and the path of each file of the folder that a file imports."""
        starts: dict[int, tuple[str, ...]] = {}
        for one in self._imports_of(source):
            if one.level not in starts:
                starts[one.level] = tuple(self._starts(source.path, one.level))
            for folder in starts[one.level]:
                found = finder.files(folder, one.name)
                for length, path in found:
                    yield "" if one.level else ".".join(one.name[:length]), path
                if found:
                    break

    def _starts(self, path: str, level: int) -> Iterator[str]:
        folder = os.path.dirname(path)
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            yield folder
            return
        yield from dict.fromkeys(
            [module_root(path), folder, *(os.path.join(self.folder, name).rstrip(os.sep) for name in _SOURCE_FOLDERS)]
        )

    def _imports_of(self, source: Source) -> tuple[Import, ...]:
        """The imports of a file. While someone types it may not parse: then those that it had before."""
        held = self._imports.get(source.path)
        if held is not None and held[0] == source.text:
            return held[1]
        found = imports(source.text)
        if found is None:
            return held[1] if held is not None else ()
        self._imports[source.path] = (source.text, found)
        return found

    def _forget(self, found: Reached) -> None:
        self._on_disk = {path: held for path, held in self._on_disk.items() if path in found.sources}
        self._imports = {path: held for path, held in self._imports.items() if path in found.sources}


class _Finder:
    """Looks for files by dotted name, for each name once: most files import the same ones."""

    def __init__(self, exists: Callable[[str], bool]) -> None:
        self._exists = exists
        self._found: dict[tuple[str, tuple[str, ...]], list[tuple[int, str]]] = {}
        self._folders: dict[str, bool] = {}

    def files(self, folder: str, name: tuple[str, ...]) -> list[tuple[int, str]]:
        """The files on the way of a dotted name from a folder down, with how many parts of it lead to each."""
        if (folder, name) not in self._found:
            self._found[folder, name] = self._look(folder, name)
        return self._found[folder, name]

    def _look(self, folder: str, name: tuple[str, ...]) -> list[tuple[int, str]]:
        above = self.files(folder, name[:-1]) if name else []
        stem = os.path.join(folder, *name)
        if name and not self._is_folder(os.path.dirname(stem)):
            return above
        for path in (os.path.join(stem, "__init__.py"), *([f"{stem}.py"] if name else [])):
            if self._exists(path):
                return [*above, (len(name), path)]
        return above

    def _is_folder(self, path: str) -> bool:
        if path not in self._folders:
            self._folders[path] = os.path.isdir(path)
        return self._folders[path]


def imports(text: str) -> tuple[Import, ...] | None:
    """The modules that a text may import, at any depth of its code; None if it is not valid Python."""
    if "import" not in text:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: list[Import] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.extend(Import(tuple(alias.name.split("."))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            found.append(Import(base, node.level))
            found.extend(Import((*base, alias.name), node.level) for alias in node.names if alias.name != "*")
    return tuple(dict.fromkeys(found))


def inside(path: str, folder: str) -> bool:
    """Whether a path lies below a folder; both absolute."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)
