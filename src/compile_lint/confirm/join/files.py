"""Which files of the project the linter has to read for a target: those that ran, and what they import."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator

from compile_lint.confirm.observation import Observation
from compile_lint.confirm.project import in_project
from compile_lint.discover import File, module_root, read
from compile_lint.findings import Source

_MOST = 400
"""Files followed through imports; what ran always counts."""


def inside(path: str, project: Iterable[str]) -> bool:
    """Whether a file is one of the project's, however links lead to it."""
    return in_project(os.path.realpath(path), map(os.path.realpath, project))


def judged(seen: Observation) -> tuple[str, ...]:
    """The files of the project that ran or hold a break, sorted: findings in these are judged."""
    places = [place for one in seen.breaks for place in (one.at, one.project) if place is not None]
    places += [place for place in (seen.entry, seen.seen_until, seen.error and seen.error.place) if place]
    paths = {*seen.covered, *(place.path for place in places)}
    return tuple(sorted(path for path in paths if os.path.isfile(path) and inside(path, seen.project)))


def with_imports(paths: Iterable[str], project: Iterable[str]) -> tuple[str, ...]:
    """The same files, and those of the project that they import, from one to the next: base classes lie there."""
    found = dict.fromkeys(paths)
    waiting = list(found)
    while waiting and len(found) < _MOST:
        for path in _imported(waiting.pop()):
            if path not in found and inside(path, project):
                found[path] = None
                waiting.append(path)
    return tuple(found)


def _imported(path: str) -> Iterator[str]:
    source = read(File(path, path))
    try:
        tree = ast.parse(source.text) if isinstance(source, Source) else ast.Module([], [])
    except (SyntaxError, ValueError, RecursionError):
        return
    root = module_root(path)
    package = os.path.relpath(os.path.dirname(path), root).split(os.sep)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files(root, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, [part for part in package if part != "."])
            yield from _files(root, base)
            for alias in node.names:
                yield from _files(root, [*base, alias.name])


def _base(node: ast.ImportFrom, package: list[str]) -> list[str]:
    named = node.module.split(".") if node.module else []
    return named if not node.level else [*package[: len(package) - node.level + 1], *named]


def _files(root: str, parts: list[str]) -> Iterator[str]:
    stem = os.path.join(root, *parts)
    for path in (f"{stem}.py", os.path.join(stem, "__init__.py")):
        if os.path.isfile(path):
            yield path
