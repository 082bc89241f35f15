"""Strings that a file gives names to: `NAMESPACE = "mylib"`, and what is made of them: `f"{NAMESPACE}::scale"`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping


def named_texts(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The names that one string is bound to wherever a file binds them; arguments of functions are other names."""
    nodes = list(nodes)
    bound = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    bound.update(node.arg for node in nodes if isinstance(node, ast.arg))
    found: dict[str, list[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.setdefault(node.targets[0].id, []).append(value.value)
    return {name: given[0] for name, given in found.items() if len(given) == bound[name] and len(set(given)) == 1}


def text_of(node: ast.expr | None, texts: Mapping[str, str]) -> str:
    """The text of a literal, of a name for one, or of an f-string or a sum of those; empty where it cannot be told."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.Name):
        return texts.get(node.id, "")
    if isinstance(node, ast.FormattedValue):
        return text_of(node.value, texts) if node.format_spec is None else ""
    if isinstance(node, ast.JoinedStr):
        return _joined([text_of(part, texts) for part in node.values])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joined([text_of(node.left, texts), text_of(node.right, texts)])
    return ""


def _joined(parts: list[str]) -> str:
    return "".join(parts) if all(parts) else ""
