"""Whether a change touches the lines of a finding, or the function around them."""

from __future__ import annotations

import ast

from compile_lint.changed.model import FileChange
from compile_lint.project.project import BadSyntaxError, parse

Span = tuple[int, int, int]
"""The first line of a function with its decorators, its last line, and the column of its `def`."""


class Functions:
    """The functions of one text. Code that does not parse has none."""

    def __init__(self, text: str) -> None:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        self._spans: list[Span] = sorted(_span(node) for node in ast.walk(_parsed(text)) if isinstance(node, kinds))

    def around(self, line: int) -> Span | None:
        """The innermost function that a line belongs to."""
        return max((span for span in self._spans if span[0] <= line <= span[1]), default=None)


def touches(change: FileChange, first: int, last: int, function: Span | None = None) -> bool:
    """Whether a change adds or alters one of some lines, or anything in the function around them, if one is given."""
    if change.touches(first, last):
        return True
    return function is not None and (change.touches(function[0], function[1]) or _shortened(change, function))


def _shortened(change: FileChange, function: Span) -> bool:
    """Whether a line of the function is gone; behind its last line only what was indented as its body is its own."""
    first, last, column = function
    return any(
        first <= one.after < last or (one.after == last and _indent(one.text) > column) for one in change.removed
    )


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 0


def _span(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Span:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return first, node.end_lineno or node.lineno, node.col_offset


def _parsed(text: str) -> ast.Module:
    try:
        return parse(text, "")
    except BadSyntaxError:
        return ast.Module([], [])
