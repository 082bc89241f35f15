"""Where the custom operators that a target called are declared, in Python and in native sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from compile_lint.confirm.observation import Observation, Place
from compile_lint.customops.declared import MARKS, declared_in
from compile_lint.discover import File, Sources
from compile_lint.project.project import Project

_MOST = 500
"""Native sources that are read at the most."""


def declared(seen: Observation, files: Sequence[str]) -> dict[str, Place]:
    """Places by `namespace::operator`, with the overload where the declaration has one; nothing is told of the rest.

    Args:
        seen: the observation of the target.
        files: the Python files that it ran, and what they import.
    """
    wanted = {name for one in seen.operators for name in (one.name, one.qualified)}
    if not wanted:
        return {}
    found = {name: place for name, place in _python(files) if name in wanted}
    missing = {one.name for one in seen.operators if one.name not in found and one.qualified not in found}
    if missing:
        for name, place in _native(seen.project, missing):
            if name in wanted:
                found.setdefault(name, place)
    return found


def _python(files: Sequence[str]) -> Iterator[tuple[str, Place]]:
    project = Project(Sources([File(path, path) for path in files]))
    for source in project.holding(MARKS):
        module = project.module_at(source.path)
        if module is None:
            continue
        for name, operator in declared_in(module).operators.items():
            if operator.defined and operator.line:
                yield name, Place(source.path, operator.line)


def _native(folders: Sequence[str], names: Iterable[str]) -> Iterator[tuple[str, Place]]:
    from compile_lint.customops.native import native_files, read_native

    words = [name.partition("::")[2].encode() for name in names]
    files = [file for file in native_files(folders)[:_MOST] if _holds(file.real, words)]
    for one in read_native(files).operators:
        if one.declared_by or one.schema:
            path = next((file.real for file in files if file.path == one.path), one.path)
            yield f"{one.name}.{one.overload}" if one.overload else one.name, Place(path, one.line)


def _holds(path: str, words: Iterable[bytes]) -> bool:
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return False
    return any(word in text for word in words)
