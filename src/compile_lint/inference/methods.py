"""Methods of values that are no project objects: tensors, containers, strings, arrays, instances of torch classes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from compile_lint.inference import externals, known, special
from compile_lint.inference.callbacks import callbacks
from compile_lint.inference.iteration import element, items_of
from compile_lint.inference.values import (
    BOOL,
    CERTAIN,
    INT,
    LIKELY,
    NONE,
    SIZE,
    STR,
    SYM,
    UNKNOWN,
    Const,
    External,
    Func,
    Host,
    Instance,
    Map,
    Method,
    Ndarray,
    Py,
    Seq,
    Size,
    Tensor,
    Unknown,
    Value,
    join,
    join_all,
    python_type,
    sequence,
)

if TYPE_CHECKING:
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.frame import Frame

TENSOR = "torch.Tensor."
_SCALAR = "capture_scalar_outputs"
_REDUCTIONS = frozenset(
    ["sum", "mean", "prod", "any", "all", "max", "min", "std", "var", "norm", "argmax", "argmin", "median", "numel"]
)


def call(frame: Frame, node: ast.AST, method: Method, args: Arguments) -> Value:
    """Call `receiver.name(...)`."""
    receiver, name = method.receiver, method.name
    handler = _BY_RECEIVER.get(type(receiver))
    if handler is not None:
        return handler(frame, node, receiver, name, args)
    return _string(frame, node, name, args) if python_type(receiver) in ("str", "bytes") else UNKNOWN


def _size(frame: Frame, node: ast.AST, receiver: Size, name: str, args: Arguments) -> Value:
    return SYM if name in ("numel", "count", "index") else UNKNOWN


def tensor_method(frame: Frame, node: ast.AST, receiver: Tensor, name: str, args: Arguments) -> Value:
    """Call a method of a tensor."""
    special = _TENSOR_METHODS.get(name)
    if special is not None:
        return special(frame, node, receiver, args)
    if name in _SIZES:
        return SIZE if name in ("size", "stride") and not args.positional and not args.keywords else SYM
    if name == "values" and receiver.layout != "sparse":
        return frame.tensor(node, receiver.dtype, False, receiver.sure)  # of a jagged tensor
    if name in ("dim", "ndimension", "element_size", "get_device"):
        return INT
    return externals.torch_call(frame, node, TENSOR + name, args, receiver)


_SIZES = frozenset(("size", "numel", "nelement", "stride", "__len__"))


def _item(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    frame.emit("item", node, value=receiver, subject=_base(node), needs=_SCALAR, ids=("GB0124",))
    return special.read_value(frame, node, receiver, "float" if receiver.dtype == "float" else receiver.dtype)


def _tolist(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    needs = "" if receiver.dtype == "float" else _SCALAR
    sure = CERTAIN if receiver.dtype == "float" else known.surely_read(receiver)
    if sure is not None:
        frame.emit("tolist", node, sure, value=receiver, subject=_base(node), needs=needs, callee=TENSOR + "tolist")
    return Seq("list", None, Host())


def _numpy(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    return Ndarray(frame.origin(node), bool(receiver.scalar))


def _array_interface(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    frame.emit("call", node, value=receiver, subject=node, callee=TENSOR + "__array__", ids=("GB4315",))
    return Ndarray(frame.origin(node))


def _data_ptr(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    return External("pointer")


def _storage(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    return External("torch.UntypedStorage")


def _view(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    if any("RuntimeError" in caught for caught in frame.caught):
        # a view that does not fit raises, and up to torch 2.13 a handler inside the trace does not see it
        frame.emit("caught-op-error", node, LIKELY, value=receiver, subject=node, ids=("GB4315",))
    return externals.torch_call(frame, node, TENSOR + "view", args, receiver)


def _new_like(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    return externals.torch_call(frame, node, TENSOR + _name(node), args, receiver)


def _same(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    frame.operations()
    return frame.tensor(node, receiver.dtype, receiver.scalar, receiver.sure, of=receiver).replaced(made=receiver.made)


def _to_bool(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    frame.operations()
    return frame.tensor(node, "bool", receiver.scalar, receiver.sure, known.of_operands((receiver,)), receiver)


def _to_int(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    frame.operations()
    return frame.tensor(node, "int", receiver.scalar, receiver.sure, known.of_operands((receiver,)), receiver)


def _to_float(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    frame.operations()
    return frame.tensor(node, "float", receiver.scalar, receiver.sure, known.of_operands((receiver,)), receiver)


def _to(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    frame.operations()
    frame.engine.dtype_argument(frame, node, args)
    dtype = externals.dtype_of(args)
    if dtype is None:
        device_only = not args.keywords and all(isinstance(a, Py) and a.type == "device" for a in args.positional)
        dtype = receiver.dtype if device_only else ""
    made = known.of_operands((receiver,))
    return frame.tensor(node, dtype, receiver.scalar, receiver.sure, made, receiver).replaced(layout=receiver.layout)


def _split(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    externals.read_numbers(frame, node, TENSOR + _name(node), args)
    frame.operations()
    return Seq("tuple", None, frame.tensor(node, receiver.dtype, False, receiver.sure, of=receiver))


def _hook(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    callbacks(frame, node, args, [frame.tensor(node)])
    return External("hook on a result") if receiver.made == "computed" else UNKNOWN


def _requires_grad(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    flag = args.get(0, "requires_grad")
    info = frame.info
    if info is not None and info.name == "backward" and info.owner is not None:
        return receiver  # in the backward of an autograd.Function it is traced
    if not (isinstance(flag, Const) and flag.value is False):
        ids, sure = (("GB0125",), CERTAIN) if receiver.made == "input" else (("GB8985",), LIKELY)
        # under no_grad an intermediate that is not returned may require grad
        callee = TENSOR + "requires_grad_"
        frame.emit("autograd", node, sure, value=receiver, subject=_base(node), callee=callee, ids=ids)
        frame.operations(at=node)
    return receiver


def _len_like(frame: Frame, node: ast.AST, receiver: Tensor, args: Arguments) -> Value:
    return SYM


_TENSOR_METHODS = {
    "item": _item,
    "tolist": _tolist,
    "numpy": _numpy,
    "__array__": _array_interface,
    "data_ptr": _data_ptr,
    "view": _view,
    "untyped_storage": _storage,
    "storage": _storage,
    "detach": _same,
    "contiguous": _same,
    "clone": _same,
    "cpu": _same,
    "cuda": _same,
    "bool": _to_bool,
    "long": _to_int,
    "int": _to_int,
    "float": _to_float,
    "half": _to_float,
    "double": _to_float,
    "bfloat16": _to_float,
    "to": _to,
    "type": _to,
    "split": _split,
    "chunk": _split,
    "unbind": _split,
    "tensor_split": _split,
    "register_hook": _hook,
    "register_post_accumulate_grad_hook": _hook,
    "requires_grad_": _requires_grad,
    "repeat_interleave": lambda f, n, r, a: special.repeat_interleave(f, n, "torch.Tensor.repeat_interleave", a, r),
    "is_contiguous": lambda f, n, r, a: BOOL,
    "__len__": _len_like,
}


def _name(node: ast.AST) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _base(node: ast.AST) -> ast.AST:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value
    return node


def _unknown(frame: Frame, node: ast.AST, receiver: Unknown, name: str, args: Arguments) -> Value:
    """A method of something unknown: a name that only tensors have tells what it is."""
    engine = frame.engine
    if name in ("size", "dim") and not receiver.argument and name == "dim":
        return INT
    if name in engine.tensor_methods:
        sure = LIKELY
        origin = frame.origin(_base(node), f"method {name}")
        return tensor_method(frame, node, Tensor("", None, sure, origin, "unknown"), name, args)
    if name in ("items", "keys", "values") and receiver.argument:
        engine.argument_iterated(frame, node, receiver)
    if name in _LOGGING and engine.is_logger(node):
        return externals.call_method(frame, node, External("logging.Logger"), name, args)
    callbacks(frame, node, args)
    return UNKNOWN


_LOGGING = frozenset(("debug", "info", "warning", "error", "exception", "critical", "log", "warning_once", "warn"))


def _nested(frame: Frame, node: ast.AST, receiver: Method, name: str, args: Arguments) -> Value:
    if isinstance(receiver.receiver, Tensor) and receiver.name == "grad_fn":
        return UNKNOWN
    if isinstance(receiver.receiver, External):
        return _unknown(frame, node, UNKNOWN, name, args)
    return _unknown(frame, node, UNKNOWN, name, args)


def _map(frame: Frame, node: ast.AST, receiver: Map, name: str, args: Arguments) -> Value:
    values = join_all(items_of(receiver)) if receiver.items else receiver.elem
    if receiver.argument and name in ("items", "keys", "values"):
        frame.engine.argument_iterated(frame, node, receiver)
    if name == "items":
        key = STR if receiver.items else UNKNOWN
        return Seq("list", None, sequence("tuple", (key, values)))
    if name == "values":
        return Seq("list", tuple(receiver.items.values()) if receiver.items and not receiver.open else None, values)
    if name == "keys":
        return Seq("list", None, STR if receiver.items else UNKNOWN)
    if name in ("get", "pop", "setdefault"):
        return _map_get(receiver, args, values)
    if name == "update":
        return NONE
    if name == "copy":
        return receiver
    return UNKNOWN


def _map_get(receiver: Map, args: Arguments, values: Value) -> Value:
    key, default = args.get(0, ""), args.get(1, "default")
    if isinstance(key, Const) and key.value in receiver.items:
        return receiver.items[key.value]
    if receiver.open or not receiver.items:
        return UNKNOWN if default is None or isinstance(default, Unknown) else join(UNKNOWN, default)
    return join(values, default or NONE)


def _seq(frame: Frame, node: ast.AST, receiver: Seq, name: str, args: Arguments) -> Value:
    if name in ("append", "add", "appendleft", "insert", "extend"):
        return _grow(frame, node, receiver, name, args)
    if name in ("pop", "popleft"):
        return receiver.elem
    if name in ("index", "count"):
        return INT
    if name == "copy":
        return receiver
    if name == "sort":
        externals.sort_event(frame, node, receiver, args)
        return NONE
    if name == "shuffle":
        return NONE
    if name in ("item", "tolist"):
        return UNKNOWN
    if name in ("send", "throw", "close") and receiver.type == "generator":
        return receiver.elem
    return UNKNOWN


def _grow(frame: Frame, node: ast.AST, receiver: Seq, name: str, args: Arguments) -> Value:
    """`items.append(x)`: the variable that holds the list now holds x as well."""
    if not args.positional or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return NONE
    added = args.positional[-1]
    if name == "extend":
        added = element(frame, node, added)
    holder = node.func.value
    items = receiver.items
    if items is not None and name in ("append", "add") and frame.loop == 0 and len(items) < 32:
        grown = sequence(receiver.type, (*items, added), receiver.argument)
    else:
        grown = Seq(receiver.type, None, added if items == () else join(receiver.elem, added), receiver.argument)
    if isinstance(holder, ast.Name) and holder.id in frame.env:
        frame.env[holder.id] = grown
    else:
        frame.engine.container_grown(frame, node, holder, grown)
    return NONE


def _ndarray(frame: Frame, node: ast.AST, receiver: Ndarray, name: str, args: Arguments) -> Value:
    if name in ("item", "tolist"):
        frame.emit("ndarray-read", node, LIKELY, value=receiver, subject=_base(node))
        return HOST_LIST if name == "tolist" else Host()
    fact = frame.engine.facts.get("numpy.ndarray." + name)
    if fact is not None and fact.outcome in ("break", "skip"):
        externals.fact_event(frame, node, fact)
    return Ndarray(receiver.origin, name in _REDUCTIONS and not args.positional and not args.keywords)


HOST_LIST = Seq("list", None, Host())


def _string(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if name in ("split", "rsplit", "splitlines", "partition"):
        return Seq("list", None, STR)
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isidentifier", "islower", "isupper"):
        return BOOL
    if name in ("find", "index", "count", "rfind"):
        return INT
    return STR


def _function(frame: Frame, node: ast.AST, receiver: Func, name: str, args: Arguments) -> Value:
    if name == "__get__":
        return receiver
    if name in ("apply", "__call__"):
        from compile_lint.inference.calls import apply

        return apply(frame, node, receiver, args)
    return UNKNOWN


_BY_RECEIVER: dict[type, Callable[..., Value]] = {
    Tensor: tensor_method,
    Unknown: _unknown,
    Method: _nested,
    Map: _map,
    Seq: _seq,
    Ndarray: _ndarray,
    External: externals.call_method,
    Instance: externals.inherited_method,
    Size: _size,
    Func: _function,
}
