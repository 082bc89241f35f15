"""What tensor a function returns, as far as its text tells: dtype, shape and layout beside those of an argument.

Only what is certain is told, so that a kernel and a fake kernel that are told to differ do.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace

from compile_lint.project.modules import FunctionNode, own_nodes

_CASTS = {
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "bool": "bool",
}
_NAMES = {"double": "float64", "float": "float32", "half": "float16", "int": "int32", "long": "int64", "short": "int16"}
_LIKE = frozenset(["empty_like", "zeros_like", "ones_like", "full_like", "rand_like", "randn_like"])
_INDICES = frozenset(("argmax", "argmin", "argsort", "bucketize", "searchsorted"))
_TESTS = frozenset(
    ["isnan", "isinf", "isfinite", "logical_not", "logical_and", "logical_or", "eq", "ne", "lt", "le", "gt", "ge"]
)
_REDUCES = frozenset(
    ["sum", "mean", "amax", "amin", "prod", "norm", "logsumexp", "var", "std", "argmax", "argmin", "any", "all"]
)
_SAME = frozenset(
    [
        "clone",
        "contiguous",
        "detach",
        "abs",
        "neg",
        "exp",
        "log",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "relu",
        "gelu",
        "silu",
        "square",
        "reciprocal",
        "floor",
        "ceil",
        "round",
        "sign",
        "erf",
        "softmax",
        "log_softmax",
        "cumsum",
        "clamp",
        "clip",
        "add",
        "sub",
        "mul",
        "div",
        "pow",
        "mul_",
        "add_",
        "sub_",
        "div_",
        "relu_",
        "clamp_",
        "exp_",
    ]
)
_MODULES = frozenset(("torch", "F", "functional", "nn"))
ROWS = "transposed"
DEFAULT = "default"
"""The dtype of `torch.empty(shape)`: it may be that of the argument."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A tensor. `of`: the argument that it is made from.

    `dtype` is `""` where unknown, `"="` where it is that of the argument, else its name. `rank` is a number of
    dimensions, or how many more it has than the argument (`relative`); None where unknown. `sizes`: `"="` for those of
    the argument, `""` where unknown, else a word for how they were changed. `layout`: `"="` as the argument's,
    `"dense"`, `ROWS`, or `""`.
    """

    of: int
    dtype: str = "="
    rank: int | None = 0
    relative: bool = True
    sizes: str = "="
    layout: str = "="


def difference(kernel: FunctionNode, fake: FunctionNode) -> str:
    """`dtype`, `shape` or `strides` where every value that the fake returns has another than all of the kernel's."""
    real, promised = _returned(kernel), _returned(fake)
    if not real or not promised:
        return ""
    found = {_between(one, two) for one in real for two in promised}
    return found.pop() if len(found) == 1 else ""


def _between(real: Promise | None, fake: Promise | None) -> str:
    if real is None or fake is None or real.of != fake.of:
        return ""
    if real.dtype and fake.dtype and real.dtype != fake.dtype and {real.dtype, fake.dtype} != {"=", DEFAULT}:
        return "dtype"
    if real.rank is not None and fake.rank is not None and real.relative == fake.relative and real.rank != fake.rank:
        return "shape"
    if real.sizes and fake.sizes and real.sizes != fake.sizes and "=" in (real.sizes, fake.sizes):
        return "shape"
    if real.sizes == fake.sizes and {real.layout, fake.layout} == {ROWS, "dense"}:
        return "strides"
    if real.sizes == fake.sizes == "=" and real.layout == ROWS and fake.layout == "=":
        return "strides"
    return ""


def _returned(node: FunctionNode) -> list[Promise | None]:
    node = _once_each(node)
    arguments = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    names: dict[str, ast.expr | None] = {}
    if isinstance(node, ast.Lambda):
        values: list[ast.expr] = [node.body]
    else:
        values = [n.value for n in own_nodes(node) if isinstance(n, ast.Return) and n.value is not None]
        for child in own_nodes(node):
            if isinstance(child, ast.Assign) and len(child.targets) == 1 and isinstance(child.targets[0], ast.Name):
                name = child.targets[0].id
                names[name] = None if name in names or name in arguments else child.value
            elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                names.setdefault(child.id, None)
        stored = [n.id for n in own_nodes(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        names.update({name: None for name in stored if stored.count(name) > 1 or name in arguments})
    reader = _Reader(arguments, names)
    return [reader.read(value) for value in values]


def _once_each(node: FunctionNode) -> FunctionNode:
    """A function without branches, whose names are each assigned once: `y = y.half()` gives another name."""
    if isinstance(node, ast.Lambda) or any(
        not isinstance(one, (ast.Assign, ast.Expr, ast.Return)) for one in node.body
    ):
        return node
    stored = [n.id for n in own_nodes(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    arguments = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    if len(set(stored)) == len(stored) and not set(stored) & set(arguments):
        return node
    copied = copy.deepcopy(node)
    names: dict[str, str] = {}
    for number, statement in enumerate(copied.body):
        if isinstance(statement, ast.Assign):
            _Renamed(names).visit(statement.value)
            targets = {n.id for target in statement.targets for n in ast.walk(target) if isinstance(n, ast.Name)}
            stores = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            names.update({name: f"{name} {number}" for name in targets & stores})
            for target in statement.targets:
                _Renamed(names).visit(target)
        else:
            _Renamed(names).visit(statement)
    return copied


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node


class _Reader:
    def __init__(self, arguments: list[str], names: dict[str, ast.expr | None]) -> None:
        self._arguments = arguments
        self._names = names
        self._depth = 0

    def read(self, node: ast.expr) -> Promise | None:
        self._depth += 1
        try:
            return None if self._depth > 20 else self._read(node)
        finally:
            self._depth -= 1

    def _read(self, node: ast.expr) -> Promise | None:
        if isinstance(node, ast.Name):
            if node.id in self._names:
                value = self._names[node.id]
                return self.read(value) if value is not None else None
            return Promise(self._arguments.index(node.id)) if node.id in self._arguments else None
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            return _transposed(self.read(node.value))
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _COMPARED):
            return _with(self._with_number(node.left, node.comparators[0]), dtype="bool")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.read(node.operand)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        return self._call(node) if isinstance(node, ast.Call) else None

    def _with_number(self, left: ast.expr, right: ast.expr) -> Promise | None:
        """A tensor and a number, in either order, or a tensor with itself."""
        if isinstance(right, ast.Constant) or _same(left, right):
            return self.read(left)
        return self.read(right) if isinstance(left, ast.Constant) else None

    def _binary(self, node: ast.BinOp) -> Promise | None:
        if isinstance(node.op, ast.MatMult):
            left, right = self.read(node.left), self.read(node.right)
            if left is None or right is None or left.of == right.of:
                return None
            return replace(left, sizes="matmul", rank=None, layout="")
        if isinstance(node.op, (ast.Div, ast.Pow)):
            found = self._with_number(node.left, node.right)
            return _with(found, dtype="")
        return self._with_number(node.left, node.right)

    def _call(self, node: ast.Call) -> Promise | None:
        if not isinstance(node.func, ast.Attribute):
            return None
        name, base = node.func.attr, node.func.value
        if isinstance(base, ast.Name) and base.id in _MODULES and base.id not in self._arguments:
            return self._function(name, node)
        return self._applied(name, self.read(base), node, node.args)

    def _function(self, name: str, node: ast.Call) -> Promise | None:
        """`torch.name(x, ...)`."""
        if not node.args:
            return None
        if name in _LIKE:
            return self._dtyped(_layout_of_like(self.read(node.args[0]), node), node)
        if name in ("cat", "concat", "stack", "hstack", "vstack"):
            return self._joined(name, node)
        if name in ("empty", "zeros", "ones", "full"):
            return self._made(node)
        return self._applied(name, self.read(node.args[0]), node, node.args[1:])

    def _made(self, node: ast.Call) -> Promise | None:
        """`torch.empty(x.shape)`."""
        shape = node.args[0]
        if isinstance(shape, ast.Call) and isinstance(shape.func, ast.Attribute) and not shape.args:
            shape = shape.func
        base = self.read(shape.value) if isinstance(shape, ast.Attribute) else None
        if base is None or not isinstance(shape, ast.Attribute) or not self._is_shape(shape, base):
            return None
        dtyped = any(keyword.arg in ("dtype", None) for keyword in node.keywords)
        return self._dtyped(replace(base, dtype="=" if dtyped else DEFAULT, layout="dense"), node)

    def _joined(self, name: str, node: ast.Call) -> Promise | None:
        parts = node.args[0].elts if isinstance(node.args[0], (ast.List, ast.Tuple)) else []
        read = [self.read(part) for part in parts]
        if len(read) < 2 or any(one is None or one != read[0] for one in read):
            return None
        first = read[0]
        if first is None or first.rank is None:
            return None
        if name == "stack":
            return replace(first, rank=first.rank + 1, sizes="stack", layout="dense")
        return replace(first, sizes="cat", layout="dense")

    def _applied(self, name: str, base: Promise | None, node: ast.Call, args: list[ast.expr]) -> Promise | None:
        """A method, or the function of torch of that name, on a tensor."""
        if base is None:
            return None
        if name in ("new_empty", "new_zeros", "new_ones"):
            return self._new(base, node, args)
        if name in _CASTS and not args:
            return replace(base, dtype=_CASTS[name])
        if name == "to":
            return self._cast(base, node, args)
        if name in ("t", "transpose", "swapaxes"):
            return _transposed(base) if name == "t" or _outer_two(args) else None
        if name in _TESTS:
            return replace(base, dtype="bool")
        if name in _REDUCES:
            return self._reduced(name, base, node, args)
        if name in _INDICES:
            return replace(base, dtype="int64") if name == "argsort" else None
        if name == "contiguous":
            return replace(base, layout="dense")
        if name in _SAME and not any(k.arg == "dtype" for k in node.keywords):
            others = [arg for arg in args if not isinstance(arg, (ast.Constant, ast.UnaryOp))]
            return base if not others or name in ("softmax", "log_softmax") else None
        return None

    def _reduced(self, name: str, base: Promise, node: ast.Call, args: list[ast.expr]) -> Promise | None:
        dim = next((k.value for k in node.keywords if k.arg in ("dim", "axis")), args[0] if args else None)
        keeps = next((k.value for k in node.keywords if k.arg == "keepdim"), args[1] if len(args) > 1 else None)
        dtype = {"argmax": "int64", "argmin": "int64", "any": "bool", "all": "bool"}.get(name, "")
        if base.dtype == "=" and not dtype and name in ("mean", "amax", "amin", "norm", "var", "std", "logsumexp"):
            dtype = "="
        if name in ("norm", "var", "std") and args:
            return None
        if dim is None:
            return replace(base, dtype=dtype, rank=0, relative=False, sizes="scalar", layout="dense")
        count = len(dim.elts) if isinstance(dim, (ast.Tuple, ast.List)) else 1 if _number(dim) is not None else None
        if base.rank is None or count is None or not (keeps is None or isinstance(keeps, ast.Constant)):
            return None
        if isinstance(keeps, ast.Constant) and keeps.value:
            return replace(base, dtype=dtype, sizes="reduced", layout="dense")
        return replace(base, dtype=dtype, rank=base.rank - count, sizes="reduced", layout="dense")

    def _new(self, base: Promise, node: ast.Call, args: list[ast.expr]) -> Promise | None:
        """`x.new_empty(shape)`."""
        made = replace(base, layout="dense", rank=None, sizes="")
        if len(args) == 1:
            made = self._shaped(made, args[0])
        elif args and not any(isinstance(arg, ast.Starred) for arg in args):
            made = replace(made, rank=len(args), relative=False, sizes=self._sizes(args, base))
        return self._dtyped(made, node)

    def _shaped(self, made: Promise, shape: ast.expr) -> Promise:
        if isinstance(shape, ast.Name) and self._names.get(shape.id) is not None:
            shape = self._names[shape.id] or shape
        if isinstance(shape, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in shape.elts):
            return replace(made, rank=len(shape.elts), relative=False, sizes=self._sizes(shape.elts, made))
        if self._is_shape(shape, made):
            return replace(made, rank=0, relative=True, sizes="=")
        if (
            isinstance(shape, ast.Subscript)
            and self._is_shape(shape.value, made)
            and isinstance(shape.slice, ast.Slice)
        ):
            low, high = shape.slice.lower, shape.slice.upper
            first, last = (_number(low) if low else 0), (_number(high) if high else 0)
            if shape.slice.step is None and first is not None and last is not None and first >= 0 >= last:
                return replace(made, rank=last - first, relative=True, sizes="reduced" if last - first else "=")
        return made

    def _sizes(self, parts: list[ast.expr], of: Promise) -> str:
        """`ROWS` for `(x.shape[1], x.shape[0])`."""
        text = [ast.unparse(part) for part in parts]
        name = self._arguments[of.of]
        swapped = ([f"{name}.shape[1]", f"{name}.shape[0]"], [f"{name}.size(1)", f"{name}.size(0)"])
        return ROWS if text in swapped else ""

    def _is_shape(self, node: ast.expr, of: Promise) -> bool:
        """`x.shape` or `x.size()` of the argument that is the base."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size":
            node = node.func if not node.args else node
        if not (isinstance(node, ast.Attribute) and node.attr in ("shape", "size")):
            return False
        return isinstance(node.value, ast.Name) and self.read(node.value) == Promise(of.of)

    def _cast(self, base: Promise, node: ast.Call, args: list[ast.expr]) -> Promise | None:
        given = [*args, *(k.value for k in node.keywords if k.arg == "dtype")]
        if not given or any(isinstance(arg, ast.Starred) for arg in given):
            return None
        name = _dtype(given[-1] if len(args) > 1 else given[0])
        return replace(base, dtype=name if name not in ("", "float32") else "") if name else None

    def _dtyped(self, made: Promise | None, node: ast.Call) -> Promise | None:
        """With the dtype that a keyword gives."""
        given = next((k.value for k in node.keywords if k.arg == "dtype"), None)
        if made is None or given is None or any(k.arg is None for k in node.keywords):
            return made if given is None else None
        if isinstance(given, ast.Attribute) and given.attr == "dtype":
            return made if self.read(given.value) == Promise(made.of) else replace(made, dtype="")
        name = _dtype(given)
        return replace(made, dtype="" if name == "float32" else name)


_COMPARED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _with(found: Promise | None, dtype: str) -> Promise | None:
    return None if found is None else replace(found, dtype=dtype)


def _layout_of_like(found: Promise | None, node: ast.Call) -> Promise | None:
    """A `..._like` tensor keeps dense strides, but not those of a view with gaps; a memory format is not followed."""
    if found is not None and any(k.arg == "memory_format" for k in node.keywords):
        return replace(found, layout="")
    return found


def _transposed(found: Promise | None) -> Promise | None:
    if found is None or not found.relative or found.rank != 0:
        return None
    if (found.sizes, found.layout) == (ROWS, "dense"):
        return replace(found, sizes="=", layout=ROWS)
    return replace(found, sizes=ROWS, layout=ROWS) if (found.sizes, found.layout) == ("=", "=") else None


def _outer_two(args: list[ast.expr]) -> bool:
    return sorted(number for number in map(_number, args) if number is not None) == [0, 1]


def _number(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value if isinstance(node.operand.value, int) else None
    return None


def _dtype(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "torch":
        return _NAMES.get(node.attr, node.attr)
    return ""


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)
