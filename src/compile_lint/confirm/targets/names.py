"""What a target's text names: a file or a module, and a name in it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.targets.candidates import candidates

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_SHOWN = 8
"""So many candidates are listed."""
FORM = "path/file.py:name or package.module:name"


@dataclass(frozen=True, slots=True)
class Reference:
    """Either `file`, an absolute path, or `module`, a dotted name; and the dotted `name` in it."""

    file: str
    module: str
    name: str

    @property
    def text(self) -> str:
        """As a target is written, with an absolute path."""
        return f"{self.file or self.module}:{self.name}"


def reference(text: str, base: Path, place: str) -> Reference:
    """What `text` names; relative paths start at `base`. Nothing is imported, and the file need not be there.

    Raises:
        ConfigError: it is not of the form, or has no name; then the text lists what the file defines.
    """
    where, colon, name = text.rpartition(":")
    if not colon or not where or not _DOTTED.fullmatch(name) or where.endswith(":") or _is_drive(where, name):
        raise ConfigError(_without_name(text, base, place))
    if is_file(where):
        return Reference(os.path.abspath(base / os.path.expanduser(where)), "", name)
    if not _DOTTED.fullmatch(where):
        raise ConfigError(f"{place}: {text!r} is not of the form {FORM}")
    return Reference("", where, name)


def is_file(where: str) -> bool:
    """Whether the text before the colon is a path, not the name of a module."""
    return where.endswith(".py") or "/" in where or "\\" in where


def _is_drive(where: str, rest: str) -> bool:
    """`C:file.py` is a path of Windows, no name in a module C."""
    return len(where) == 1 and rest.endswith(".py")


def _without_name(text: str, base: Path, place: str) -> str:
    """The complaint about a target that names a file or a module only."""
    where, _, name = text.rpartition(":")
    if where.endswith(":"):
        return f"{place}: {text!r} has two colons in a row; write {where.rstrip(':')}:{name}"
    if where and is_file(where) and name and not is_file(name):
        return f"{place}: {text!r}: {name!r} is no name of Python; write it as {FORM}"
    bare = text.rstrip(":")
    path = base / os.path.expanduser(bare)
    if path.is_dir():
        return (
            f"{place}: {text!r} is a folder; name a file and what in it is confirmed: {bare.rstrip('/')}/file.py:name"
        )
    if not is_file(bare) and not _DOTTED.fullmatch(bare):
        return f"{place}: {text!r} is not of the form {FORM}"
    words = f"{place}: {text!r} does not say what to confirm; write it as {bare}:name"
    found = candidates(path) if is_file(bare) else ()
    return words + (f"; the file defines {', '.join(found[:_SHOWN])}" if found else "")
