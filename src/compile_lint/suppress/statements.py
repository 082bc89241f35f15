"""Where the statements and the functions of a file start."""

from __future__ import annotations

import ast
import bisect
import warnings
from collections.abc import Iterator


class Statements:
    """Lines of statements and functions, 1-based. Code that does not parse has none."""

    def __init__(self, text: str) -> None:
        self._ends: dict[int, int] = {}
        """First line of a statement -> last line that is its own and no nested statement's."""
        self._functions: list[tuple[int, int, int]] = []
        self._read(_parse(text))
        self._starts = sorted(self._ends)

    def first_line(self, line: int) -> int:
        """The first line of the innermost statement that the line belongs to; the line itself if it belongs to none."""
        at = bisect.bisect_right(self._starts, line) - 1
        if at < 0:
            return line
        start = self._starts[at]
        return start if line <= self._ends[start] else line

    def functions(self, line: int) -> Iterator[int]:
        """Of each function around the line: its first line, decorators included, and the line of its `def`."""
        for first, start, end in self._functions:
            if first <= line <= end:
                yield first
                yield start

    def _read(self, tree: ast.Module) -> None:
        # Statements only: expressions, which are most of a tree, are not walked. An explicit stack, for `elif` nests.
        stack: list[ast.AST] = [tree]
        while stack:
            node = stack.pop()
            blocks = _blocks(node)
            stack.extend(blocks)
            if isinstance(node, (ast.stmt, ast.ExceptHandler)):
                self._note(node, blocks)

    def _note(self, node: ast.stmt | ast.ExceptHandler, blocks: list[ast.AST]) -> None:
        end = node.end_lineno or node.lineno
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._functions.append((_first(node), node.lineno, end))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for decorator in node.decorator_list:
                self._add(decorator.lineno, decorator.end_lineno or decorator.lineno)
        inner = min((_first(block) for block in blocks), default=end + 1)
        self._add(node.lineno, max(node.lineno, inner - 1))

    def _add(self, start: int, end: int) -> None:
        self._ends[start] = max(end, self._ends.get(start, end))


def _blocks(node: ast.AST) -> list[ast.AST]:
    """The statements, handlers and cases directly below a statement."""
    found: list[ast.AST] = []
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        below = getattr(node, name, None)
        if isinstance(below, list):
            found.extend(below)
    return found


def _first(node: ast.AST) -> int:
    """The first line of a statement, a handler or a case, with its decorators."""
    if isinstance(node, ast.match_case):
        return node.pattern.lineno
    lines: list[int] = [decorator.lineno for decorator in getattr(node, "decorator_list", ())]
    return min([*lines, getattr(node, "lineno", 1)])


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
