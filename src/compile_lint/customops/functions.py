"""Forms of torch.autograd.Function that TorchDynamo does not trace."""

from __future__ import annotations

import ast

from compile_lint.project.modules import ClassInfo, FunctionNode, own_nodes

_KEEPERS = frozenset(("append", "add", "insert", "appendleft", "setdefault", "update", "put"))


def untraced_form(info: ClassInfo) -> tuple[str, bool]:
    """The id of the graph break that `apply` of the class causes, and whether the frame is given up; empty if none."""
    if "jvp" in info.methods:
        return "GB0144", False
    forward = info.methods.get("forward")
    if forward is not None and "setup_context" not in info.methods and _lets_go(forward.node):
        return "GB0019", True
    return "", False


def _lets_go(node: FunctionNode) -> bool:
    """Whether forward stores its context in something else: `KEPT.ctx = ctx`, `KEPT.append(ctx)`."""
    if not node.args.args:
        return False
    context = node.args.args[0].arg
    return any(_stores(child, context) for child in own_nodes(node))


def _stores(node: ast.AST, context: str) -> bool:
    if isinstance(node, ast.Assign) and _is(node.value, context):
        return any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPERS):
        return False
    return not _is(node.func.value, context) and any(_is(arg, context) for arg in node.args)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
