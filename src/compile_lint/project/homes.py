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
    for source, name in named:
        parts = name.split(".")
        here.add(parts[0])
        depth = _depth(source)
        if depth == 0 or depth > len(parts):
            continue
        top, dotted = parts[-depth], ".".join(parts[: len(parts) - depth + 1])
        if top in NEVER:
            continue
        beside[source.root][top] = dotted
        if depth > 1 or _is_package(source):
            packages[top].add(dotted)
        elif parts[0] == SOURCE_FOLDER and len(parts) > 1 and parts[1] not in NEVER:
            packages[parts[1]].add(".".join(parts[:2]))
    elsewhere = {top: min(found) for top, found in packages.items() if len(found) == 1 and top not in here}
    found = {root: {**elsewhere, **tops} for root, tops in beside.items()}
    return {root: {top: dotted for top, dotted in home.items() if top != dotted} for root, home in found.items()}


def _is_package(source: Source) -> bool:
    return os.path.basename(source.path) == "__init__.py"


def _depth(source: Source) -> int:
    """How many parts the name of a file has from its root on; 0 if its root is not known, or does not hold it."""
    if not source.root:
        return 0
    inside = os.path.relpath(os.path.abspath(source.path), source.root).replace(os.sep, "/").removesuffix(".py")
    parts = inside.split("/")
    if parts[0] == "..":
        return 0
    return len(parts) - 1 if parts[-1] == "__init__" else len(parts)
