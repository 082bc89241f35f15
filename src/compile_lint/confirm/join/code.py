"""Source of the files that an observation names: lines, statements and functions by line number."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from compile_lint.discover import File, read
from compile_lint.discover.sources import split_lines
from compile_lint.findings import Source

Span = tuple[int, int]
"""First and last line, 1-based, both included."""


class Code:
    """Files by absolute path, read and parsed once. A file that cannot be is as if it were empty."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}

    def line(self, path: str, line: int) -> str:
        """The text of a line, stripped; empty if there is none."""
        lines = self._file(path).lines
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""

    def statement(self, path: str, line: int) -> Span:
        """The innermost statement that holds the line; of a compound statement its header. Else the line alone."""
        return self._file(path).statements.get(line, (line, line))

    def function(self, path: str, line: int) -> Span | None:
        """The innermost function that holds the line."""
        return _innermost(self._file(path).functions, line)

    def behind(self, path: str, line: int) -> Span | None:
        """The lines of the same function that may run only after this one; None outside of functions.

        They begin after its statement, or with the outermost loop of the function that holds it: the second turn of a
        loop comes to its first line again.
        """
        function = self.function(path, line)
        if function is None:
            return None
        loops = [span for span in self._file(path).loops if span[0] <= line <= span[1] and span[0] > function[0]]
        after = self.statement(path, line)[1] + 1
        return min([after, *(first for first, _ in loops)]), function[1]

    def _file(self, path: str) -> _File:
        found = self._files.get(path)
        if found is None:
            found = self._files[path] = _File(path)
        return found


class _File:
    def __init__(self, path: str) -> None:
        source = read(File(path, path)) if os.path.isfile(path) else None
        text = source.text if isinstance(source, Source) else ""
        self.lines = split_lines(text)
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            tree = ast.Module([], [])
        nodes = list(ast.walk(tree))
        self.statements = _by_line(_header(node) for node in nodes if isinstance(node, ast.stmt))
        self.functions = [_span(node) for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.loops = [_span(node) for node in nodes if isinstance(node, (ast.For, ast.While, ast.AsyncFor))]


def _span(node: ast.stmt) -> Span:
    return node.lineno, node.end_lineno or node.lineno


def _header(node: ast.stmt) -> Span:
    """The lines of a statement without those of the statements in it; decorators belong to it."""
    first, last = _span(node)
    inner = [below for name in ("body", "orelse", "finalbody", "handlers") for below in getattr(node, name, None) or ()]
    starts = [below.lineno for below in inner] + [case.pattern.lineno for case in getattr(node, "cases", ())]
    if not starts:
        return first, last
    decorators = getattr(node, "decorator_list", None)
    if decorators:
        first = min(first, decorators[0].lineno)
    return first, max(node.lineno, min(starts) - 1)


def _by_line(spans: Iterator[Span]) -> dict[int, Span]:
    """For each line the narrowest of the spans that hold it."""
    found: dict[int, Span] = {}
    for first, last in sorted(spans, key=lambda span: span[0] - span[1]):
        found.update(dict.fromkeys(range(first, last + 1), (first, last)))
    return found


def _innermost(spans: list[Span], line: int) -> Span | None:
    holding = [span for span in spans if span[0] <= line <= span[1]]
    return min(holding, key=lambda span: span[1] - span[0], default=None)
