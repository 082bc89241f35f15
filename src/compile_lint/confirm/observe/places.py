"""Where a line lies: in the project or not, and in which function. No torch in here."""

from __future__ import annotations

import ast
import functools
import os
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from compile_lint.confirm.exceptions import is_own
from compile_lint.confirm.observation import Place
from compile_lint.confirm.observe.records import Frame
from compile_lint.confirm.project import in_project, in_standard_library

COUNTING = ("__torch_function__", "__torch_dispatch__")
"""The functions of this tool that run below the user's own."""
_CALLS_OF_MODULES = ("_call_impl", "_wrapped_call_impl")


@dataclass(frozen=True)
class Files:
    """Decides of a path whether it is worth recording: outside torch, the standard library and this package."""

    torch: str = ""
    """Folder of torch."""

    def recorded(self, path: str) -> bool:
        """Whether lines of this file are recorded."""
        if path.startswith("<") or is_own(path):
            return False
        if self.torch and path.startswith(self.torch + os.sep):
            return False
        return not in_standard_library(path)


@dataclass(frozen=True)
class Places:
    """Turns printed frames into places, with `project` as what counts as the project (absolute paths)."""

    project: tuple[str, ...]

    def in_project(self, path: str) -> bool:
        """Whether the file is one of the project's: below one of its folders, and not of an environment in there."""
        return in_project(path, self.project)

    def place(self, frame: Frame) -> Place:
        """The frame with the qualified name of its function."""
        return Place(frame.path, frame.line, qualified_name(frame.path, frame.line, frame.name))

    def innermost(self, stack: Sequence[Frame]) -> Place | None:
        """The innermost line of the project, None if there is none."""
        found = next((frame for frame in reversed(stack) if self.in_project(frame.path)), None)
        return self.place(found) if found else None


def users_own(stack: Iterable[Frame]) -> tuple[Frame, ...]:
    """The part of a stack below this tool's own frames, without the frames that every call of a module adds.

    The frames that count or record an operation lie below the user's: they are left out and end nothing.
    """
    kept = list(stack)
    callers = [number for number, frame in enumerate(kept) if is_own(frame.path) and frame.name not in COUNTING]
    kept = [frame for frame in kept[callers[-1] + 1 if callers else 0 :] if not is_own(frame.path)]
    return tuple(frame for frame in kept[:-1] if not _calls_a_module(frame)) + tuple(kept[-1:])


def _calls_a_module(frame: Frame) -> bool:
    return frame.name in _CALLS_OF_MODULES and frame.path.endswith("module.py")


def qualified_name(path: str, line: int, name: str = "") -> str:
    """`Class.method` for the innermost function around the line, as `__qualname__` says it; else the plain name."""
    around = [each for each in _functions(path) if each[0] <= line <= each[1]]
    if not around:
        return name
    if name.startswith("<"):
        return f"{around[-1][2]}.<locals>.{name}" if name != "<module>" else name
    fitting = [each for each in around if not name or each[2].rpartition(".")[2] == name]
    return (fitting or around)[-1][2]


def definition(path: str, line: int, name: str) -> Place:
    """The function whose code begins at the line (that of its first decorator, for Python): the line of its `def`."""
    for _, _, qualified, first, of_def in _functions(path):
        if line in (first, of_def) and qualified.rpartition(".")[2] == name:
            return Place(path, of_def, qualified)
    return Place(path, line, qualified_name(path, line, name))


@functools.lru_cache(maxsize=64)
def _functions(path: str) -> tuple[tuple[int, int, str, int, int], ...]:
    """First and last line, qualified name, line of the first decorator and of `def`, outer ones before inner ones."""
    try:
        with tokenize.open(path) as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError, UnicodeDecodeError):
        return ()
    found: list[tuple[int, int, str, int, int]] = []
    todo: list[tuple[ast.AST, str]] = [(tree, "")]
    while todo:
        node, prefix = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found.append((first, node.end_lineno or first, prefix + node.name, first, node.lineno))
            prefix += f"{node.name}.<locals>."
        elif isinstance(node, ast.ClassDef):
            prefix += f"{node.name}."
        if not isinstance(node, ast.expr):
            todo.extend((child, prefix) for child in ast.iter_child_nodes(node))
    return tuple(sorted(found, key=lambda each: (each[0], -each[1])))


def resolve(short: str, known: Iterable[str]) -> str:
    """The one known path that ends as a shortened path says; empty if there is none."""
    tail = os.sep + short.lstrip(os.sep)
    return next((path for path in known if path.endswith(tail) or Path(path).name == short), "")
