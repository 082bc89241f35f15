"""What the body of a kernel does with the memory of its arguments: which it writes to, and which it returns.

It follows names in the order of the statements, through views and through helper functions of the same file. What is
not known counts as new memory, so that nothing is said of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from compile_lint.project.modules import FunctionNode

Names = frozenset[str]
_NONE: Names = frozenset()
VIEWS = frozenset(
    [
        "view",
        "view_as",
        "transpose",
        "t",
        "permute",
        "squeeze",
        "unsqueeze",
        "expand",
        "expand_as",
        "narrow",
        "select",
        "diagonal",
        "detach",
        "swapaxes",
        "swapdims",
        "movedim",
        "unbind",
        "chunk",
        "split",
        "tensor_split",
        "unfold",
        "unflatten",
        "numpy",
        "view_as_real",
        "view_as_complex",
    ]
)
"""Methods, and functions of torch, whose result shares the memory of the tensor."""
MAYBE = frozenset(("contiguous", "reshape", "flatten", "ravel", "reshape_as"))
"""Those whose result does so if the layout allows it."""
_ATTRIBUTES = frozenset(("T", "mT", "H", "mH", "data", "real", "imag"))
_TURNING = frozenset(("T", "mT", "H", "t", "transpose", "permute", "swapaxes", "swapdims", "movedim", "expand"))
_EXEMPT = frozenset(("requires_grad_", "retain_grad_", "share_memory_"))
_MODULES = frozenset(("torch", "nn", "F", "init", "functional"))
_WRAPPERS = frozenset(("torch.from_numpy", "np.asarray", "numpy.asarray", "torch.as_tensor", "iter", "list", "tuple"))
_DEPTH = 3


class Body:
    """One reading of a function. `helpers` are the functions of its file by name."""

    def __init__(
        self,
        node: FunctionNode,
        helpers: Mapping[str, FunctionNode],
        tensors: Iterable[str] | None = None,
        lists: Iterable[str] = (),
        depth: int = 0,
    ) -> None:
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        names = {argument.arg for argument in arguments} if tensors is None else set(tensors)
        self.written: set[str] = set()
        """Arguments that are written to."""
        self.returned: set[str] = set()
        """Arguments whose memory is returned for certain."""
        self.perhaps_returned: set[str] = set()
        """Arguments whose memory is returned for some inputs."""
        self.doubled = False
        """Whether one local value is returned twice."""
        self._numbers = {argument.arg for argument in arguments} - names
        self._known = tensors is not None
        self._lists = frozenset(lists)
        self._helpers = helpers
        self._depth = depth
        self._shares: dict[str, Names] = {name: frozenset((name,)) for name in names}
        self._might: dict[str, Names] = {}
        if isinstance(node, ast.Lambda):
            self._expression(node.body)
            self._return(node.body)
        else:
            self._block(node.body)

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        if isinstance(node, ast.If):
            self._expression(node.test)
            self._either(node.body, node.orelse)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._expression(node.iter)
            self._bind(node.target, self.shared(node.iter), self.might_share(node.iter))
            self._either([*node.body, *node.orelse], [])
        elif isinstance(node, ast.While):
            self._expression(node.test)
            self._either(node.body, node.orelse)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self._expression(item.context_expr)
            self._block(node.body)
        elif isinstance(node, ast.Try):
            self._block(node.body)
            for handler in node.handlers:
                self._either(handler.body, [])
            self._block([*node.orelse, *node.finalbody])
        else:
            self._simple(node)

    def _simple(self, node: ast.stmt) -> None:
        self._expression(node)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._counted(node.target)
        elif isinstance(node, ast.Return) and node.value is not None:
            self._return(node.value)

    def _either(self, first: list[ast.stmt], second: list[ast.stmt]) -> None:
        """Two ways through: afterwards a name may stand for what it stood for in each."""
        before = dict(self._shares), dict(self._might)
        self._block(first)
        after = dict(self._shares), dict(self._might)
        ended = bool(first) and isinstance(first[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
        self._shares, self._might = dict(before[0]), dict(before[1])
        self._block(second)
        if second and isinstance(second[-1], (ast.Return, ast.Raise)):
            self._shares, self._might = after
        elif not ended:
            for name in self._shares.keys() | after[0].keys():
                here, there = self._shares.get(name, _NONE), after[0].get(name, _NONE)
                more = self._might.get(name, _NONE) | after[1].get(name, _NONE)
                self._shares[name], self._might[name] = here | there, more | (here ^ there)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            if len(target.elts) == len(value.elts):
                pairs = [
                    (one, self.shared(two), self.might_share(two))
                    for one, two in zip(target.elts, value.elts, strict=True)
                ]
                for one, shared, might in pairs:
                    self._bind(one, shared, might)
                return
        self._bind(target, self.shared(value), self.might_share(value))

    def _bind(self, target: ast.expr, shared: Names, might: Names) -> None:
        if isinstance(target, ast.Name):
            self._shares[target.id] = shared
            self._might[target.id] = might
        elif isinstance(target, ast.Starred):
            self._bind(target.value, shared, might)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._bind(part, shared, might)
        elif isinstance(target, ast.Subscript):
            if not (isinstance(target.value, ast.Name) and target.value.id in self._lists):
                self.written |= self.shared(target.value)
        elif isinstance(target, ast.Attribute) and target.attr == "data":
            self.written |= self.shared(target.value)

    def _counted(self, target: ast.expr) -> None:
        """`x += 1` writes to a tensor; of a number it makes a new one."""
        if isinstance(target, ast.Name):
            if self._known and target.id not in self._lists:
                self.written |= self._shares.get(target.id, _NONE)
        elif isinstance(target, (ast.Subscript, ast.Attribute)):
            self._bind(target, _NONE, _NONE)

    def _return(self, value: ast.expr) -> None:
        parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        names = [part.id for part in parts if isinstance(part, ast.Name) and not part.id.isupper()]
        self.doubled = self.doubled or len(set(names)) < len(names)
        for part in parts:
            shared, might = self.shared(part), self.might_share(part)
            self.returned |= shared - might
            self.perhaps_returned |= might

    # what an expression shares memory with

    def shared(self, node: ast.expr) -> Names:
        """The arguments whose memory the value is, or is a part of."""
        if isinstance(node, ast.Name):
            return self._shares.get(node.id, _NONE)
        if isinstance(node, ast.Attribute):
            return self.shared(node.value) if node.attr in _ATTRIBUTES else _NONE
        if isinstance(node, ast.Subscript):
            return self.shared(node.value) if _plain_index(node.slice, self._numbers) else _NONE
        if isinstance(node, ast.IfExp):
            return self.shared(node.body) | self.shared(node.orelse)
        if isinstance(node, (ast.NamedExpr, ast.Starred)):
            return self.shared(node.value)
        if isinstance(node, (ast.Tuple, ast.List)):
            return frozenset().union(*map(self.shared, node.elts))
        return self._of_call(node) if isinstance(node, ast.Call) else _NONE

    def might_share(self, node: ast.expr) -> Names:
        """The arguments of which that holds for some inputs only."""
        if isinstance(node, ast.Name):
            return self._might.get(node.id, _NONE)
        if isinstance(node, ast.IfExp):
            return self.shared(node.body) ^ self.shared(node.orelse)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value
            if node.func.attr in MAYBE and not _turned(base):
                return self.shared(base) | self.might_share(base)
            return self.might_share(base) if node.func.attr in VIEWS else _NONE
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            return self.might_share(node.value) if self.shared(node) else _NONE
        return _NONE

    def _of_call(self, node: ast.Call) -> Names:
        for keyword in node.keywords:
            if keyword.arg == "out":
                return self.shared(keyword.value)
        if isinstance(node.func, ast.Attribute):
            base, name = node.func.value, node.func.attr
            if _in_place(name) or name in VIEWS:
                own = self.shared(base)
                return own or (self._first(node) if _is_torch(base) else _NONE)
            return self._first(node) if _dotted(node.func) in _WRAPPERS else _NONE
        if isinstance(node.func, ast.Name) and node.func.id in _WRAPPERS:
            return self._first(node)
        found = self._helper(node)
        return (
            frozenset().union(*(self.shared(arg) for name, arg in found[1] if name in found[0].returned))
            if found
            else _NONE
        )

    def _first(self, node: ast.Call) -> Names:
        return self.shared(node.args[0]) if node.args else _NONE

    # what an expression writes to

    def _expression(self, node: ast.AST) -> None:
        for child in _inner(node):
            if isinstance(child, ast.Call):
                self._call(child)

    def _call(self, node: ast.Call) -> None:
        for keyword in node.keywords:
            if keyword.arg == "out":
                self.written |= self.shared(keyword.value)
            elif keyword.arg == "inplace" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True:
                self.written |= self._first(node)
        if isinstance(node.func, ast.Attribute):
            base, name = node.func.value, node.func.attr
            if _in_place(name):
                self.written |= self.shared(base) or (self._first(node) if _is_torch(base) else _NONE)
            elif name in ("memset", "memmove", "copyto"):
                self.written |= self._pointed(node.args[0]) if node.args else _NONE
        elif found := self._helper(node):
            for name, given in found[1]:
                if name in found[0].written:
                    self.written |= self.shared(given)

    def _pointed(self, node: ast.expr) -> Names:
        """`x.data_ptr()` in any form, such as `ctypes.c_void_p(x.data_ptr() + 4)`; also the array itself."""
        found = self.shared(node)
        for child in ast.walk(node):
            if isinstance(child, ast.Attribute) and child.attr == "data_ptr":
                found |= self.shared(child.value)
        return found

    def _helper(self, node: ast.Call) -> tuple[Body, list[tuple[str, ast.expr]]] | None:
        """A helper function of the file, read, and what each of its parameters is given."""
        function = self._helpers.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if function is None or function.args.vararg or self._depth >= _DEPTH:
            return None
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            return None
        names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
        pairs = list(zip(names, node.args, strict=False))
        pairs += [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg]
        held = [name for name, given in pairs if self.shared(given)]
        if not held:
            return None
        return Body(function, self._helpers, held, depth=self._depth + 1), pairs


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it that is run at once."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        if not isinstance(one, ast.Lambda):
            stack.extend(ast.iter_child_nodes(one))


def _in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and name not in _EXEMPT


def _turned(node: ast.expr) -> bool:
    """Whether it is a tensor just transposed: `contiguous` and `reshape` copy it."""
    node = node.func if isinstance(node, ast.Call) else node
    return isinstance(node, ast.Attribute) and node.attr in _TURNING


def _is_torch(node: ast.expr) -> bool:
    """Whether it is torch itself, or one of its modules by its usual name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in _MODULES


def _plain_index(node: ast.expr, numbers: set[str]) -> bool:
    """Whether indexing so makes a view: slices, whole numbers, `None` and `...`."""
    if isinstance(node, ast.Tuple):
        return all(_plain_index(part, numbers) for part in node.elts)
    if isinstance(node, ast.UnaryOp):
        return _plain_index(node.operand, numbers)
    if isinstance(node, ast.Name):
        return node.id in numbers
    return isinstance(node, ast.Slice) or (isinstance(node, ast.Constant) and not isinstance(node.value, (bool, str)))


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
