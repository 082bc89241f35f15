"""The smallest part of a file that shows a node to libcst: one simple statement, or the head of a compound one."""

from __future__ import annotations

import ast
from dataclasses import dataclass

_BLOCKS = ("body", "orelse", "finalbody")


@dataclass(frozen=True, slots=True)
class Piece:
    """Source that stands by itself. `offset`: what its lines are short of those of the file."""

    text: str
    offset: int


def piece_at(tree: ast.Module, lines: list[str], line: int, end_line: int) -> Piece | None:
    """The innermost statement that holds the lines, without the blocks below it; None where no statement does."""
    statement, is_elif = _innermost(tree, lines, line, end_line)
    if statement is None:
        return None
    first, indent = first_line(statement), lines[statement.lineno - 1][: statement.col_offset]
    if indent.strip():
        return None  # it shares its line with another
    inner = _first_inside(statement)
    if inner is None:
        text = lines[first - 1 : statement.end_lineno]
    else:
        start = first_line(inner)
        if start <= line or start <= statement.lineno:
            return None
        text = [*lines[first - 1 : start - 1], lines[inner.lineno - 1][: inner.col_offset] + "pass"]
    if is_elif:
        text[0] = text[0].replace("elif", "  if", 1)
    if indent or is_elif:
        return Piece("\n".join(["if 1:", *text]) + "\n", first - 2)
    return Piece("\n".join(text) + "\n", first - 1)


def first_line(node: ast.stmt) -> int:
    """The line that a statement starts at, its decorators counted in."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(node.lineno, decorators[0].lineno) if decorators else node.lineno


def _innermost(tree: ast.Module, lines: list[str], line: int, end_line: int) -> tuple[ast.stmt | None, bool]:
    found, is_elif = None, False
    inside: list[ast.stmt] = tree.body
    while True:
        holder = next((s for s in inside if first_line(s) <= line and end_line <= (s.end_lineno or 0)), None)
        if holder is None:
            return found, is_elif
        column = holder.col_offset
        is_elif = isinstance(holder, ast.If) and lines[holder.lineno - 1][column : column + 4] == "elif"
        found, inside = holder, _inside(holder)


def _inside(statement: ast.stmt) -> list[ast.stmt]:
    """The statements of all blocks right below one."""
    found: list[ast.stmt] = []
    for block in _BLOCKS:
        found.extend(getattr(statement, block, ()))
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        found.extend(part.body)
    return found


def _first_inside(statement: ast.stmt) -> ast.stmt | None:
    inside = getattr(statement, "body", None)
    if inside is None and isinstance(statement, ast.Match):
        return statement.cases[0].body[0]
    return inside[0] if inside else None
