"""Where absolute imports lead in a tree whose packages do not start at the working directory.

Files are named by their path, `src.pkg.net`; code names them from the folder that Python finds them in, `pkg.net`. For
each such folder this says which first parts of a name lie in it, and what they are called here.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping

from compile_lint.findings import Source

Home = Mapping[str, str]
"""The first part of an absolute import -> the name that it has here."""

SOURCE_FOLDER = "src"
_PACKAGE = "__init__.py"
NEVER = frozenset(sys.stdlib_module_names) | {"torch", "numpy", "scipy"}
"""A file called like one of these is seen by its neighbours alone: the rules know the real ones."""


def homes(named: Iterable[tuple[Source, str]]) -> dict[str, Home]:
    """The home of each root that the sources name, from sources and the dotted names that they have here.

    What lies beside a file comes first; then what starts at the working directory, which needs no other name; then the
    packages of other roots, where only one has that name, and what lies in `src`.
    """
    beside: dict[str, dict[str, str]] = defaultdict(dict)
    packages: dict[str, set[str]] = defaultdict(set)
    here: set[str] = set()
    depths = _Depths()
    for source, name in named:
        own = beside[source.root] if source.root else {}
        if not source.path.endswith(".py"):
            continue  # nothing can import it
        parts = name.split(".")
        here.add(parts[0])
        is_package = source.path.endswith(_PACKAGE)
        depth = depths.of(source, is_package)
        if depth == 0 or depth > len(parts):
            continue
        top, dotted = parts[-depth], ".".join(parts[: len(parts) - depth + 1])
        if top in NEVER:
            continue
        own[top] = dotted
        if depth > 1 or is_package:
            packages[top].add(dotted)
        elif parts[0] == SOURCE_FOLDER and len(parts) > 1 and parts[1] not in NEVER:
            packages[parts[1]].add(".".join(parts[:2]))
    elsewhere = {top: min(found) for top, found in packages.items() if len(found) == 1 and top not in here}
    found = {root: {**elsewhere, **tops} for root, tops in beside.items()}
    return {root: {top: dotted for top, dotted in home.items() if top != dotted} for root, home in found.items()}


class _Depths:
    """How many parts the names of files have from their roots on. A folder is measured once."""

    def __init__(self) -> None:
        self._folders: dict[tuple[str, str], int] = {}

    def of(self, source: Source, is_package: bool) -> int:
        """The parts of one; 0 if its root is not known or does not hold it, and for the `__init__` of the root."""
        if not source.root:
            return 0
        folder = os.path.dirname(source.path)
        key = (folder, source.root)
        if key not in self._folders:
            self._folders[key] = _parts_below(os.path.abspath(folder), source.root)
        below = self._folders[key]
        return 0 if below < 0 else below if is_package else below + 1


def _parts_below(folder: str, root: str) -> int:
    """How many folders lie between; -1 if the one is not below the other."""
    inside = os.path.relpath(folder, root)
    if inside == os.curdir:
        return 0
    parts = inside.split(os.sep)
    return -1 if parts[0] == os.pardir else len(parts)
