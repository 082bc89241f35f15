"""Which files are the project's own: below one of its folders, and neither installed nor of the standard library."""

from __future__ import annotations

import functools
import os
import sysconfig
import tempfile
from collections.abc import Iterable

_INSTALLED = ("site-packages", "dist-packages")


@functools.cache
def standard_library() -> tuple[str, ...]:
    """Folders of the standard library, as given and as they really lie, each with a separator at its end."""
    paths = sysconfig.get_paths()
    given = [paths[key] for key in ("stdlib", "platstdlib")]
    return tuple(dict.fromkeys(os.path.join(path, "") for path in [*map(os.path.realpath, given), *given]))


def in_standard_library(path: str) -> bool:
    """Whether an absolute path lies in the standard library; packages that are installed below it do not."""
    return any(path.startswith(folder) and not _installed(path[len(folder) :]) for folder in standard_library())


def is_installation(folder: str) -> bool:
    """Whether a folder holds what many packages have put there: `site-packages`, or the standard library itself."""
    return os.path.basename(folder) in _INSTALLED or os.path.join(folder, "") in standard_library()


def is_installed(path: str) -> bool:
    """Whether a file belongs to an installed package or to the standard library."""
    return _installed(path) or in_standard_library(path)


def too_wide(folder: str) -> bool:
    """A folder that holds much besides a project: the root, a home, that of temporary files."""
    wide = (os.path.abspath(os.sep), os.path.expanduser("~"), tempfile.gettempdir())
    return os.path.realpath(folder) in map(os.path.realpath, wide)


def in_project(path: str, roots: Iterable[str]) -> bool:
    """Whether a file is one of the project's.

    Below one of its folders, that is, and in no environment that lies in there too. What is named itself counts,
    wherever it lies.
    """
    return any(_below(path, root) for root in roots)


@functools.lru_cache(maxsize=4096)
def _below(path: str, root: str) -> bool:
    if path == root:
        return True
    prefix = os.path.join(root, "")
    if not path.startswith(prefix) or _installed(path[len(prefix) :]):
        return False
    return in_standard_library(prefix) or not in_standard_library(path)


def _installed(rest: str) -> bool:
    return any(part in _INSTALLED for part in rest.split(os.sep))
