"""How a function uses its parameters: what the code does to a name says what it must be."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from compile_lint.project.modules import FunctionInfo, ModuleInfo, children


@dataclass(slots=True)
class Usage:
    """What happens to one parameter before it is assigned to again (assignment is not tracked: it seldom matters)."""

    attributes: set[str] = field(default_factory=set)
    called: bool = False
    tensor: bool = False
    """An operation that only makes sense for a tensor: `p[..., 0]`, `p @ q`, `torch.relu(p)`, `p[p > 0]`."""
    to_module: bool = False
    """Handed to a submodule as its first argument."""
    python: bool = False
    """Compared with a string, looked up by a string, checked with isinstance, iterated, unpacked, `not p`."""
    string: bool = False
    checks_none: bool = False
    iterated: bool = False
    number: bool = False
    """A loop count, a size or an index."""
    indexed: bool = False
    arithmetic: bool = False
    """Taken from, divided by a number and the like: with `indexed` that is an array."""


def usages(info: FunctionInfo, tensor_first: frozenset[str]) -> dict[str, Usage]:
    """The usage of every parameter, in one pass over the body.

    `tensor_first` are the dotted names of torch functions whose first argument is a tensor.
    """
    args = info.node.args
    names = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    found = {name: Usage() for name in names}
    body = info.node.body if isinstance(info.node.body, list) else [info.node.body]
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(node, found, info.module, tensor_first)
        stack.extend(children(node))
    return found


def _get(node: ast.AST | None, found: dict[str, Usage]) -> Usage | None:
    return found.get(node.id) if isinstance(node, ast.Name) else None


def _attribute(node: ast.Attribute, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    use = _get(node.value, found)
    if use is not None:
        use.attributes.add(node.attr)


def _call(node: ast.Call, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    use = _get(node.func, found)
    if use is not None:
        use.called = True
    if not node.args:
        return
    use = _get(node.args[0], found)
    if use is None:
        return
    name = module.dotted(node.func)
    if name in STACKS:
        use.iterated = True
    elif name in first or name.startswith("torch.nn.functional."):
        use.tensor = True
    elif name in ("isinstance", "callable", "str.join"):
        use.python = True
    elif name in ("range",):
        use.number = True
    elif name in ("enumerate", "zip", "list", "tuple", "dict", "sorted", "set", "iter"):
        use.iterated = True
    elif (
        isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "self"
    ):
        use.to_module = True


def _subscript(node: ast.Subscript, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    use = _get(node.value, found)
    if use is not None:
        use.indexed = True
        if _tensor_index(node.slice):
            use.tensor = True
        elif isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            use.python = True
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for part in parts:
        if isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.ops[0], _ORDERED):
            use = _get(part.left, found)
            if use is not None:
                use.tensor = True


STACKS = frozenset(("torch.stack", "torch.cat", "torch.concat", "torch.hstack", "torch.vstack", "torch.block_diag"))
"""Functions whose first argument is a list of tensors."""
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def _tensor_index(index: ast.expr) -> bool:
    if isinstance(index, ast.Tuple):
        return any(isinstance(e, ast.Slice) or _is_new_axis(e) for e in index.elts)
    return _is_new_axis(index)


def _is_new_axis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (None, Ellipsis)


def _compare(node: ast.Compare, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    operands = [node.left, *node.comparators]
    for i, op in enumerate(node.ops):
        left, right = operands[i], operands[i + 1]
        for one, other in ((left, right), (right, left)):
            use = _get(one, found)
            if use is None or not isinstance(other, (ast.Constant, ast.List, ast.Tuple)):
                continue
            if isinstance(op, (ast.Is, ast.IsNot)):
                use.checks_none = True
            elif isinstance(op, (ast.In, ast.NotIn)):
                use.python = use.python or one is left
            elif isinstance(other, ast.Constant) and isinstance(other.value, (str, bool)):
                use.python = True


def _binop(node: ast.BinOp, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    if isinstance(node.op, ast.MatMult):
        for side in (node.left, node.right):
            use = _get(side, found)
            if use is not None:
                use.tensor = True
    elif isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)):
        use = _get(node.left, found)
        if use is not None:
            use.arithmetic = True


def _augmented(node: ast.AugAssign, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    use = _get(node.target, found)
    if use is not None and not isinstance(node.value, (ast.List, ast.Tuple, ast.ListComp, ast.Call, ast.Name)):
        use.arithmetic = True


def _unary(node: ast.UnaryOp, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    use = _get(node.operand, found)
    if use is None:
        return
    if isinstance(node.op, ast.Invert):
        use.tensor = True
    elif isinstance(node.op, ast.Not):
        use.python = True


def _for(node: ast.For | ast.comprehension, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    use = _get(node.iter, found)
    if use is not None:
        use.iterated = True


def _test(
    node: ast.If | ast.IfExp | ast.While, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]
) -> None:
    use = _get(node.test, found)
    if use is not None:
        use.python = True


def _starred(node: ast.Starred, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    use = _get(node.value, found)
    if use is not None:
        use.iterated = True


def _keyword(node: ast.keyword, found: dict[str, Usage], module: ModuleInfo, first: frozenset[str]) -> None:
    if node.arg is None:
        use = _get(node.value, found)
        if use is not None:
            use.python = True


_HANDLERS: dict[type, Callable[..., None]] = {
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.Compare: _compare,
    ast.BinOp: _binop,
    ast.AugAssign: _augmented,
    ast.UnaryOp: _unary,
    ast.For: _for,
    ast.comprehension: _for,
    ast.If: _test,
    ast.IfExp: _test,
    ast.While: _test,
    ast.Starred: _starred,
    ast.keyword: _keyword,
}
