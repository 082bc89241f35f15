"""What a file defines that could be confirmed, by its syntax alone."""

from __future__ import annotations

import ast
from pathlib import Path


def candidates(path: Path) -> tuple[str, ...]:
    """Names of the file's own functions and classes, those without a leading underscore, likely targets first.

    Empty if the file cannot be read or parsed.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found = [
        (_rank(node), number, node.name)
        for number, node in enumerate(tree.body)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
    ]
    return tuple(dict.fromkeys(name for _, _, name in sorted(found)))


def _rank(node: ast.FunctionDef | ast.ClassDef) -> int:
    """Functions that take nothing, then classes with a `forward`, then other functions, then other classes."""
    if isinstance(node, ast.FunctionDef):
        arguments = node.args
        needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
        return 0 if needed <= 0 and None not in arguments.kw_defaults else 2
    forward = any(isinstance(item, ast.FunctionDef) and item.name == "forward" for item in node.body)
    return 1 if forward else 3
