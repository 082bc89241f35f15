"""From the paths that a user names to the files that are linted."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compile_lint.discover.gitignore import NAME, Ignores
from compile_lint.discover.globs import Globs
from compile_lint.findings import FileError

NOTEBOOK = ".ipynb"
SUFFIXES = (".py", NOTEBOOK)
"""What is looked for in folders."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to lint: `path` as it is shown, relative to the working directory, and `real` to open it by."""

    path: str
    real: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a walk came to, in an order that depends on names alone."""

    files: tuple[File, ...] = ()
    errors: tuple[FileError, ...] = ()


class _Walk:
    """One walk over all paths. Folders that are links are not followed, so that no loop can catch it."""

    def __init__(self, exclude: Iterable[str], respect_gitignore: bool, cwd: str, suffixes: tuple[str, ...]) -> None:
        self.exclude = Globs(exclude)
        self.suffixes = suffixes
        self.respect_gitignore = respect_gitignore
        self.cwd = cwd
        self.files: dict[str, File] = {}
        self.errors: dict[str, FileError] = {}

    def start(self, path: str) -> None:
        """A path that the user named: excludes do not hold for it, only for what lies below."""
        absolute = os.path.normpath(os.path.join(self.cwd, path))
        try:
            is_folder = os.path.isdir(absolute)
            if not is_folder:
                os.stat(absolute)
        except (OSError, ValueError) as error:
            self.fail(absolute, _reason(error))
            return
        if is_folder:
            ignores = Ignores.above(absolute) if self.respect_gitignore else Ignores()
            self.folder(absolute, ignores)
        elif path.endswith(".pyi"):
            self.fail(absolute, "is a stub: skipped, for nothing in it runs", fatal=False)
        else:
            self.add(absolute, os.path.realpath(absolute))

    def folder(self, folder: str, ignores: Ignores) -> None:
        """All that lies below a folder. An explicit stack: a tree may be deeper than Python's."""
        stack = [(folder, ignores)]
        while stack:
            folder, ignores = stack.pop()
            entries = self.entries(folder)
            if self.respect_gitignore and any(entry.name == NAME for entry in entries):
                ignores = ignores.inside(folder)
            stack.extend((path, ignores) for path in self.take(folder, entries, ignores))

    def entries(self, folder: str) -> list[os.DirEntry[str]]:
        """The entries of a folder, by name."""
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.fail(folder, _reason(error, "folder"))
            return []

    def take(self, folder: str, entries: list[os.DirEntry[str]], ignores: Ignores) -> Iterator[str]:
        """Note the files among the entries and give the folders to go on with."""
        prefix = folder.rstrip("/") + "/"
        real = os.path.realpath(folder)
        for entry in entries:
            path = prefix + entry.name
            is_folder = self.is_folder(entry, path)
            if is_folder is None or not (is_folder or entry.name.endswith(self.suffixes)):
                continue
            if self.exclude.match(entry.name, path) or ignores.ignored(path, is_folder):
                continue
            if not is_folder:
                self.file(entry, path, real)
            elif entry.is_symlink():
                self.linked_folder(path)
            else:
                yield path

    def is_folder(self, entry: os.DirEntry[str], path: str) -> bool | None:
        """Whether it is a folder, links followed; None where even that cannot be found out."""
        try:
            return entry.is_dir()
        except OSError as error:
            if entry.name.endswith(self.suffixes):
                self.fail(path, _reason(error), fatal=False)
            return None

    def linked_folder(self, path: str) -> None:
        real = os.path.realpath(path)
        if (path + "/").startswith(real.rstrip("/") + "/"):
            self.fail(path, "is a link to a folder that it lies in: not followed", fatal=False)

    def file(self, entry: os.DirEntry[str], path: str, real_folder: str) -> None:
        try:
            if entry.is_file():
                self.add(path, os.path.realpath(path) if entry.is_symlink() else os.path.join(real_folder, entry.name))
            elif entry.is_symlink() and not os.path.exists(path):
                os.stat(path)
        except OSError as error:
            self.fail(path, _reason(error), fatal=False)

    def add(self, absolute: str, real: str) -> None:
        """A file counts once, under the name that is no link if there is one, by whatever links it is reached."""
        file = File(self.shown(absolute), absolute)
        known = self.files.get(real)
        if known is None or (absolute == real) > (known.real == real):
            self.files[real] = file

    def fail(self, absolute: str, message: str, fatal: bool = True) -> None:
        path = self.shown(absolute)
        self.errors.setdefault(path, FileError(path, message, fatal))

    def shown(self, absolute: str) -> str:
        return shown(absolute, self.cwd)


def find(
    paths: Sequence[str],
    exclude: Iterable[str],
    respect_gitignore: bool,
    cwd: str,
    force_exclude: bool = False,
    suffixes: tuple[str, ...] = SUFFIXES,
) -> Found:
    """The files to lint: those named, and every .py and .ipynb file below the folders named.

    Args:
        paths: as the user gave them.
        exclude: globs; those with a slash are absolute.
        respect_gitignore: whether .gitignore files count.
        cwd: the working directory, absolute.
        force_exclude: whether the excludes hold for the paths that are named, too.
        suffixes: what is looked for in folders.
    """
    walk = _Walk(exclude, respect_gitignore, cwd, suffixes)
    for path in paths:
        if not (force_exclude and excluded(os.path.join(cwd, path), walk.exclude, cwd)):
            walk.start(path)
    files = sorted(walk.files.values(), key=lambda file: file.path)
    errors = sorted(walk.errors.values(), key=lambda error: error.path)
    return Found(tuple(files), tuple(errors))


def excluded(absolute: str, exclude: Globs, cwd: str) -> bool:
    """Whether a path is excluded, or a folder that it lies in: those above the working directory do not count."""
    path = os.path.normpath(absolute)
    top = cwd.rstrip(os.sep)
    if not path.startswith(top + os.sep):
        return exclude.match(os.path.basename(path), path)
    while path != top:
        if exclude.match(os.path.basename(path), path):
            return True
        path = os.path.dirname(path)
    return False


def shown(absolute: str, cwd: str) -> str:
    """The path relative to the working directory; absolute where there is no such path (another drive)."""
    try:
        return os.path.relpath(absolute, cwd)
    except ValueError:
        return absolute


def _reason(error: OSError | ValueError, what: str = "file") -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.ENOENT:
        return "no such file or folder"
    if code == errno.ELOOP:
        return "is a link that leads back to itself"
    if code in (errno.EACCES, errno.EPERM):
        return f"no permission to read this {what}"
    if code == errno.ENAMETOOLONG:
        return "the path is too long"
    return f"cannot be read: {(error.strerror if isinstance(error, OSError) else None) or error}"
