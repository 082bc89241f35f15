"""`out=` buffers that the call must resize, or that are not contiguous: TorchDynamo does not trace either."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.project.modules import own_nodes

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame

_EMPTY = frozenset(("empty", "zeros", "new_empty", "new_zeros"))
_TURNING = frozenset(("t", "transpose", "permute"))


def check_out(frame: Frame, node: ast.AST) -> None:
    """Emit for `out=name` where the name is bound once in the function, to an empty tensor or a transposed one."""
    out = next((k.value for k in node.keywords if k.arg == "out"), None) if isinstance(node, ast.Call) else None
    if not isinstance(out, ast.Name) or frame.info is None:
        return
    made = [n.value for n in own_nodes(frame.info.node) if isinstance(n, ast.Assign) and _binds(n, out.id)]
    value = made[0] if len(made) == 1 else None
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return
    name = value.func.attr
    if (name in _EMPTY and _is_zero(value.args)) or (name == "tensor" and _is_empty_list(value.args)):
        frame.emit("out-buffer", node, subject=out, ids=("GB0247",))
    elif name in _TURNING and isinstance(value.func.value, ast.Call) and _made_here(value.func.value):
        frame.emit("out-buffer", node, subject=out, ids=("GB0242",))


def _binds(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _is_zero(args: list[ast.expr]) -> bool:
    first = args[0].elts[0] if len(args) == 1 and isinstance(args[0], ast.Tuple) and args[0].elts else None
    one = first or (args[0] if len(args) == 1 else None)
    return isinstance(one, ast.Constant) and type(one.value) is int and one.value == 0


def _is_empty_list(args: list[ast.expr]) -> bool:
    return len(args) == 1 and isinstance(args[0], (ast.List, ast.Tuple)) and not args[0].elts


def _made_here(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in (*_EMPTY, "ones", "empty_like", "zeros_like")
