"""The native side of a project: files are found and read, and what they say is joined."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from compile_lint.customops.native.found import Found
from compile_lint.customops.native.join import joined
from compile_lint.customops.native.read import read_source, registering_macros
from compile_lint.customops.native.text import Macro
from compile_lint.customops.native.values import NativeError, NativeSide
from compile_lint.discover.walk import File, find

SUFFIXES = (".cpp", ".cc", ".cxx", ".cu", ".cuh", ".h", ".hpp", ".hip", ".mm")
"""What is looked for in folders."""
MISSING = "C++ sources are not read, for tree-sitter is not installed: pip install 'compile-lint[ops]'"
LARGEST = 8_000_000
"""Bytes of a file; no source that a person writes is larger."""


def native_files(
    paths: Sequence[str], exclude: Iterable[str] = (), respect_gitignore: bool = True, cwd: str | None = None
) -> list[File]:
    """The native sources among files and below folders, sorted; excludes and .gitignore hold as for Python files.

    Paths that are not there, and other files that are named, are passed over: `discover.find` tells of them.
    """
    found = find(paths, exclude, respect_gitignore, os.getcwd() if cwd is None else cwd, suffixes=SUFFIXES)
    return [file for file in found.files if file.path.endswith(SUFFIXES)]


def read_native(files: Iterable[File | str | Path]) -> NativeSide:
    """What native sources register together; never raises for what they hold. Paths are as the files are given."""
    found = Found()
    macros: dict[str, Macro] = {}
    places = [(file.path, file.real) if isinstance(file, File) else (str(file), str(file)) for file in files]
    for path, real in places:
        for macro in registering_macros(_text(path, real, found)):
            macros.setdefault(macro.name, macro)
    gone = {error.path for error in found.errors}
    for path, real in places:  # read again, so that no more than one file is held at a time
        try:
            if path not in gone:
                found.add(read_source(path, _text(path, real, found), macros))
        except ImportError:
            found.errors.append(NativeError("", 0, MISSING))
            break
    return joined(found)


def _text(path: str, real: str, found: Found) -> str:
    """The text of a file, empty where it cannot be read; bytes that are no UTF-8 are marks in it."""
    try:
        if os.path.getsize(real) > LARGEST:
            found.errors.append(NativeError(path, 0, f"is larger than {LARGEST // 1_000_000} MB; it is not read"))
            return ""
        with open(real, "rb") as stream:
            return stream.read().decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        found.errors.append(NativeError(path, 0, f"cannot be read: {reason or error}"))
        return ""
