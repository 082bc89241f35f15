"""Whether a function that is run with fake tensors asks them for memory or for values, which they do not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from compile_lint.project.modules import FunctionNode, own_nodes

_MEMORY = frozenset(("numpy", "data_ptr", "untyped_storage", "storage", "__array__", "ctypes"))
_ARRAYS = frozenset(("asarray", "array", "ascontiguousarray"))
_DATA = frozenset(("item", "tolist", "any", "all", "nonzero", "is_nonzero", "sum", "max", "min", "mean"))
_VALUES = _DATA | {"argmax", "argmin", "norm", "prod"}
_PLAIN = frozenset(
    [
        "size",
        "dim",
        "numel",
        "nelement",
        "ndimension",
        "stride",
        "data_ptr",
        "element_size",
        "get_device",
        "type",
        "storage_offset",
        "dim_order",
    ]
)
"""Methods of a tensor that give no tensor; those called `is_...` do not either."""
_DEPTH = 3


def touches_memory(node: FunctionNode, helpers: Mapping[str, FunctionNode] | None = None) -> bool:
    """Whether a kernel, or a function that it calls, reads the memory of its tensors."""
    return any(_touches(one) for one in _with_helpers(node, helpers or {}))


def _touches(node: FunctionNode) -> bool:
    names = {a.arg for a in (*node.args.posonlyargs, *node.args.args)}
    for child in own_nodes(node):
        if not isinstance(child, ast.Attribute):
            continue
        if child.attr in _MEMORY:
            return True
    return any(_to_array(child, names) for child in own_nodes(node))


def _to_array(node: ast.AST, names: set[str]) -> bool:
    """`np.asarray(x)` of an argument."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ARRAYS):
        return False
    owner, first = node.func.value, node.args[0] if node.args else None
    return (
        isinstance(owner, ast.Name)
        and owner.id in ("np", "numpy")
        and isinstance(first, ast.Name)
        and first.id in names
    )


def reads_data(
    node: FunctionNode, helpers: Mapping[str, FunctionNode] | None = None, tensors: set[str] | None = None
) -> bool:
    """Whether it branches on values or asks for one; `tensors`: which of its arguments are tensors, where known."""
    return _reads(node, tensors or set()) or any(
        _reads(one, set()) for one in _with_helpers(node, helpers or {}) if one is not node
    )


def _computed(node: FunctionNode, tensors: set[str]) -> set[str]:
    """The arguments that are tensors, and the local names of what torch computes of them."""
    found = set(tensors)
    for child in own_nodes(node) if tensors else ():
        if isinstance(child, ast.Assign) and _is_computed(child.value, found):
            found.update(target.id for target in child.targets if isinstance(target, ast.Name))
    plain = {
        target.id
        for child in own_nodes(node)
        if isinstance(child, ast.Assign) and not _is_computed(child.value, found)
        for target in child.targets
        if isinstance(target, ast.Name)
    }
    return found - plain


def _is_computed(node: ast.expr, tensors: set[str]) -> bool:
    """`x`, `-x`, `x + 1`, `x.abs()`, `torch.abs(x)`: a tensor, where nothing else has such a form."""
    if isinstance(node, ast.Name):
        return node.id in tensors
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and _is_computed(node.operand, tensors)
    if isinstance(node, ast.BinOp):
        return _is_computed(node.left, tensors) or _is_computed(node.right, tensors)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner, name = node.func.value, node.func.attr
    if name in _PLAIN or name.startswith("is_"):
        return False
    if _is_torch(owner):
        return bool(node.args) and _is_computed(node.args[0], tensors)
    return _is_computed(owner, tensors)


def _is_torch(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("torch", "F")


def _tests(test: ast.expr, tensors: set[str]) -> bool:
    """`t`, `not t`, `t > 1`, `a and t > 1`: asks a tensor whether it is true."""
    if isinstance(test, ast.BoolOp):
        return any(_tests(part, tensors) for part in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _tests(test.operand, tensors)
    if isinstance(test, ast.Compare):
        if not all(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)) for op in test.ops):
            return False
        return any(_is_computed(part, tensors) for part in (test.left, *test.comparators))
    return _is_computed(test, tensors)


def _reads(node: FunctionNode, tensors: set[str]) -> bool:
    computed = _computed(node, tensors)
    for child in own_nodes(node):
        if isinstance(child, (ast.If, ast.While, ast.IfExp, ast.Assert)) and _tests(child.test, computed):
            return True
        if isinstance(child, ast.Attribute) and child.attr in ("item", "tolist", "nonzero"):
            return True
        if isinstance(child, (ast.If, ast.While, ast.IfExp)) and _tests_data(child.test):
            return True
        if (
            isinstance(child, ast.Call)
            and isinstance(child.func, ast.Name)
            and child.func.id in ("int", "float", "bool")
        ):
            if len(child.args) == 1 and _is_value(child.args[0], tensors):
                return True
    return False


def _is_value(node: ast.expr, tensors: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in tensors
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _VALUES):
        return False
    owner = node.func.value
    if isinstance(owner, ast.Name) and owner.id == "torch" and node.args:
        owner = node.args[0]
    return isinstance(owner, ast.Name) and owner.id in tensors


def _tests_data(test: ast.expr) -> bool:
    return any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _DATA for n in ast.walk(test)
    )


def _with_helpers(node: FunctionNode, helpers: Mapping[str, FunctionNode]) -> Iterator[FunctionNode]:
    """The function, and those of its file that it calls by name and hands one of its arguments as it is."""
    seen, level = {id(node)}, [node]
    for _ in range(_DEPTH):
        yield from level
        level = [called for one in level for called in _called(one, helpers) if id(called) not in seen]
        seen.update(map(id, level))


def _called(node: FunctionNode, helpers: Mapping[str, FunctionNode]) -> Iterator[FunctionNode]:
    names = {a.arg for a in (*node.args.posonlyargs, *node.args.args)}
    for child in own_nodes(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in helpers:
            if any(isinstance(arg, ast.Name) and arg.id in names for arg in child.args):
                yield helpers[child.func.id]
