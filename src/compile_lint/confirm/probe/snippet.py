"""Source text of the small functions that are measured."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from compile_lint.confirm.probe.values import INSIDE, OUTER, OUTSIDE, PRELUDE

BEFORE = 1.0625
"""Constant of the operation in front of the call; finding it in a graph shows that the frame was captured."""
AFTER = 0.40625
"""Constant of the operation behind the call."""

FILE = "/snippet/probe.py"
"""Name of the snippets' file; it need not exist, `linecache` shows its lines."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """`call` is an expression, or statements that assign `r`. `outside` runs once, before the function is made."""

    call: str
    outside: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()

    def with_call(self, call: str, *inside: str) -> Snippet:
        """The same surroundings with another call; `inside` lines are added in front of it."""
        return Snippet(call, self.outside, (*self.inside, *inside))


def source(snippet: Snippet, returned: bool = True, loop: int = 0, rows: int = 4) -> str:
    """A module with `make()`, which returns the function to compile, of one float32 tensor [rows, 4].

    `loop` puts the call into the body of a `for` loop of so many rounds. What it consumes is made anew in each.
    """
    call = snippet.call if _assigns(snippet.call) else f"r = {snippet.call}"
    body = [*_inside(snippet), *call.splitlines()]
    lines = [f"z = x * {BEFORE}", "r = None"]
    if loop:
        lines += [f"for _ in range({loop}):", *(f"    {line}" for line in body)]
    else:
        lines += body
    lines += [f"w = z * {AFTER}", "return w, r" if returned else "return w"]
    outside = [*_outside(snippet), *snippet.outside]
    made = [*outside, "def fn(x):", *(f"    {line}" for line in lines), "return fn"]
    return "\n".join([*PRELUDE, f"ROWS = {rows}", "def make():", *(f"    {line}" for line in made), ""])


def _assigns(call: str) -> bool:
    tree = ast.parse(call)
    return len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr)


def _names(*texts: str) -> set[str]:
    found: set[str] = set()
    for text in texts:
        found |= {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    return found


def _inside(snippet: Snippet) -> list[str]:
    """Lines for the tensors that the call names, in an order in which each finds what it needs."""
    return ["y = x + 1.5", *_definitions(INSIDE, _names(snippet.call, *snippet.inside)), *snippet.inside]


def _outside(snippet: Snippet) -> list[str]:
    """Lines in front of the function. What is made out here of tensors has tensors of its own."""
    block = "\n".join(snippet.outside)
    lines = _definitions(OUTSIDE, _names(snippet.call, block, *snippet.inside))
    tensors = _definitions(INSIDE, _names(block))
    if tensors or "y" in _names(block):
        lines += [OUTER, *tensors]
    return lines


def _definitions(table: dict[str, str], names: set[str]) -> list[str]:
    needed = set(names)
    for name in reversed(table):
        if name in needed:
            needed |= _names(table[name])
    return [f"{name} = {text}" for name, text in table.items() if name in needed]
