"""Calls of code that is not linted (torch, numpy, the standard library, other packages), judged by the fact tables."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from compile_lint.facts import Fact
from compile_lint.inference import known, special
from compile_lint.inference.callbacks import callbacks, tensor_argument
from compile_lint.inference.iteration import element, items_of
from compile_lint.inference.outputs import check_out
from compile_lint.inference.values import (
    BOOL,
    CERTAIN,
    FLOAT,
    INT,
    LIKELY,
    NONE,
    SIZE,
    STR,
    SYM,
    UNKNOWN,
    Const,
    External,
    Host,
    Instance,
    Method,
    Module,
    Ndarray,
    Py,
    Seq,
    Size,
    Sym,
    Tensor,
    Value,
    sequence,
)

if TYPE_CHECKING:
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.frame import Frame

_SCALAR = "capture_scalar_outputs"
_DYNAMIC = "capture_dynamic_output_shape_ops"
BREAKING = ("break", "skip", "error")

KEEPS_DTYPE = frozenset(
    [
        "view",
        "reshape",
        "squeeze",
        "unsqueeze",
        "expand",
        "expand_as",
        "transpose",
        "permute",
        "flatten",
        "repeat",
        "tile",
        "cat",
        "stack",
        "concat",
        "gather",
        "index_select",
        "clone",
        "contiguous",
        "detach",
        "narrow",
        "select",
        "movedim",
        "swapaxes",
        "roll",
        "flip",
        "unfold",
        "unflatten",
        "view_as",
        "reshape_as",
        "broadcast_to",
        "squeeze_",
        "unsqueeze_",
        "masked_fill",
        "masked_fill_",
        "scatter",
        "scatter_",
        "t",
        "T",
        "take_along_dim",
        "diagonal",
        "tril",
        "triu",
        "hstack",
        "vstack",
        "dstack",
        "column_stack",
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "ravel",
        "split",
        "chunk",
        "unbind",
        "pad",
        "new_zeros",
        "new_ones",
        "new_full",
        "new_empty",
        "zeros_like",
        "ones_like",
        "empty_like",
        "full_like",
    ]
)
"""Functions and methods whose result has the dtype of their first tensor."""
_WITH_DIM = frozenset(["max", "min", "median", "nanmedian"])
_REDUCERS = frozenset(
    [
        "sum",
        "mean",
        "prod",
        "any",
        "all",
        "max",
        "min",
        "std",
        "var",
        "norm",
        "argmax",
        "argmin",
        "median",
        "numel",
        "amax",
        "amin",
        "logsumexp",
    ]
)


def call(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """Call a name that is not defined in the linted tree."""
    handler = special.find(name)
    if handler is not None:
        return handler(frame, node, name, args)
    if name.startswith(("numpy.", "scipy.")):
        return special.numpy_call(frame, node, name, args)
    if name.startswith("torch.ops."):
        parts = name.split(".")
        return frame.engine.call_operator(frame, node, "::".join(parts[2:4]), args, ".".join(parts[4:5]))
    if name.startswith("torch."):
        return torch_call(frame, node, name, args, None)
    return library_call(frame, node, name, args)


def torch_call(frame: Frame, node: ast.AST, name: str, args: Arguments, receiver: Tensor | None) -> Value:
    """Call a function of torch or a method of a tensor, as the fact tables say."""
    facts = frame.engine.facts
    fact = facts.get(name)
    first = receiver or tensor_argument(args.positional[:2]) or tensor_argument(list(args.keywords.values()))
    condition = special.met_condition(frame, name, args)
    sure = receiver.sure if receiver is not None else CERTAIN
    if condition is not None:
        if condition.outcome in BREAKING:
            emit_call(frame, node, name, condition.ids, sure, first, condition.outcome == "skip")
    elif fact is not None and fact.outcome in BREAKING:
        emit_call(frame, node, name, fact.ids, sure, first, fact.outcome == "skip")
    read_numbers(frame, node, name, args)
    if "out" in args.keywords:
        check_out(frame, node)
    callbacks(frame, node, args)
    frame.engine.argument_stacked(frame, node, name, args)
    if fact is None:
        return _unlisted(frame, node, name, first)
    if first is None and name in frame.engine.tables.tensor_first and _numbers_only(args):
        return SYM  # `torch.div(size, 2)` on Python numbers
    if name.rpartition(".")[2][:1].isupper() and not fact.returns.startswith(("tensor", "tuple", "list")):
        return External(name)
    if condition is not None and condition.returns not in ("", "?"):
        return _made(frame, node, condition.returns, "", args, first, receiver)
    return result(frame, node, fact, args, first, receiver)


def _numbers_only(args: Arguments) -> bool:
    return bool(args.positional) and all(isinstance(a, (Sym, Py, Const, Host)) for a in args.positional)


def _unlisted(frame: Frame, node: ast.AST, name: str, first: Tensor | None) -> Value:
    last = name.rpartition(".")[2]
    if last[:1].isupper():
        return External(name)
    return UNKNOWN if not name.startswith("torch.nn.functional.") else frame.tensor(node)


def emit_call(
    frame: Frame,
    node: ast.AST,
    name: str,
    ids: tuple[str, ...],
    sure: int,
    value: Value | None,
    skip: bool,
) -> None:
    """The event of a call that breaks the graph; the setting that would capture it follows from the id."""
    dynamic = "GB0036" in ids
    if "GB0015" in ids and name.endswith("indices"):
        sure = min(sure, LIKELY)  # of sparse tensors only; which layout a tensor has is seldom seen
    forbidden = not ids and name.startswith(("torch._dynamo.", "torch.compiler."))
    event = "dynamic-shape" if dynamic else "forbidden-call" if forbidden else "call"
    needs = _DYNAMIC if dynamic else _SCALAR if "GB0124" in ids else ""
    origin_value = value if isinstance(value, Tensor) and sure < CERTAIN else None
    frame.emit(event, node, sure, value=origin_value, subject=node, callee=name, ids=ids, skip=skip, needs=needs)


def fact_event(frame: Frame, node: ast.AST, fact: Fact, sure: int = CERTAIN) -> None:
    """The event of a call whose fact says that it breaks."""
    emit_call(frame, node, fact.name, fact.ids, sure, None, fact.outcome == "skip")


def read_numbers(frame: Frame, node: ast.AST, name: str, args: Arguments) -> None:
    """A tensor in the place of a Python number is read while tracing."""
    fact = frame.engine.facts.get(name)
    if fact is None or not fact.reads:
        return
    for read in fact.reads:
        place, _, parameter = read.partition(":")
        position = int(place) if place.isdigit() else -1
        value = args.get(position, parameter)
        if value is None:
            continue
        for item in (value, *items_of(value)) if isinstance(value, Seq) else (value,):
            sure = known.surely_needed(item) if isinstance(item, Tensor) else None
            if isinstance(item, Tensor) and item.sure >= LIKELY and sure is not None:
                where = args.node(position, parameter) or node
                sure = min(sure, frame.made_here(item))
                frame.emit("number-argument", where, sure, value=item, subject=where, callee=name)
                return


def result(
    frame: Frame, node: ast.AST, fact: Fact, args: Arguments, first: Tensor | None, receiver: Tensor | None
) -> Value:
    """The value that a fact's `returns` promises."""
    last = fact.name.rpartition(".")[2].removesuffix("()")
    returns = fact.returns
    if last in _WITH_DIM and _has_dim(args, receiver):
        values = frame.tensor(node, first.dtype if first else "")
        return sequence("tuple", (values, frame.tensor(node, "int")))
    return _made(frame, node, returns, last, args, first, receiver)


def _has_dim(args: Arguments, receiver: Tensor | None) -> bool:
    position = 0 if receiver is not None else 1
    dim = args.get(position, "dim")
    return dim is not None and not isinstance(dim, Tensor)


def _made(
    frame: Frame,
    node: ast.AST,
    returns: str,
    last: str,
    args: Arguments,
    first: Tensor | None,
    receiver: Tensor | None,
) -> Value:
    if returns.startswith("tensor"):
        frame.operations(at=node)
        return _tensor(frame, node, returns, last, args, first, receiver)
    if returns.startswith(("tuple[", "list[")):
        frame.operations(at=node)
        kind, inner = returns.partition("[")[0], returns.partition("[")[2][:-1]
        parts = [p.strip() for p in _split_top(inner)]
        if parts and parts[-1] == "...":
            return Seq(kind, None, _made(frame, node, parts[0], last, args, first, receiver))
        items = tuple(_made(frame, node, p, last, args, first, receiver) for p in parts)
        return sequence(kind, items)
    return plain(returns)


@lru_cache(maxsize=256)
def _split_top(text: str) -> tuple[str, ...]:
    parts, depth, current = [], 0, ""
    for char in text:
        if char == "," and depth == 0:
            parts.append(current)
            current = ""
            continue
        depth += (char == "[") - (char == "]")
        current += char
    return (*parts, current) if current else tuple(parts)


def _tensor(
    frame: Frame,
    node: ast.AST,
    returns: str,
    last: str,
    args: Arguments,
    first: Tensor | None,
    receiver: Tensor | None,
) -> Tensor:
    kind, _, zero = returns.partition("/")
    dtype = kind.partition(":")[2]
    given = len(args.positional) + len(args.keywords) - (0 if receiver is not None else 1)
    scalar: bool | None = None
    if last in _REDUCERS:
        scalar = True if given <= 0 else None
        if given > 0 and _keeps_dim(args):
            scalar = False
    elif zero and given <= 0 and first is not None and first.scalar is not False:
        scalar = True if first.scalar else None
    elif (
        first is not None and receiver is not None and last in ("abs", "long", "round", "floor", "ceil", "clamp", "neg")
    ):
        scalar = first.scalar
    if last in KEEPS_DTYPE and first is not None and not args.keywords.get("dtype"):
        dtype = first.dtype
        scalar = None
    wanted = dtype_of(args)
    if wanted is not None:
        dtype = wanted
    elif first is not None and first.dtype == "bool" and last in ("sum", "cumsum", "prod"):
        dtype = "int"
    elif first is not None and last in ("sum", "max", "min", "abs", "clamp", "cumsum", "prod", "amax", "amin", "sort"):
        dtype = first.dtype
    sure = first.sure if receiver is not None and first is not None else CERTAIN
    return frame.tensor(node, dtype, scalar, sure, known.of_operands((receiver, *args.all())), first)


def _keeps_dim(args: Arguments) -> bool:
    value = args.keywords.get("keepdim")
    return isinstance(value, Const) and value.value is True


_DTYPES = {
    "bool": "bool",
    "long": "int",
    "int": "int",
    "short": "int",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "int64": "int",
    "uint8": "int",
    "float": "float",
    "half": "float",
    "double": "float",
    "float16": "float",
    "bfloat16": "float",
    "float32": "float",
    "float64": "float",
}


def dtype_of(args: Arguments) -> str | None:
    """The dtype class that a call asks for ("" a dtype that is not known); None where it asks for none."""
    for value in args.all():
        if isinstance(value, Module) and value.name.startswith("torch."):
            return _DTYPES.get(value.name.rpartition(".")[2])
        if isinstance(value, Py) and value.type == "dtype":
            return ""
    return None


_PLAIN: dict[str, Value] = {
    "int": INT,
    "symint": SYM,
    "bool": BOOL,
    "float": FLOAT,
    "str": STR,
    "none": NONE,
    "dtype": Py("dtype"),
    "device": Py("device"),
    "size": SIZE,
    "ints": SIZE,
}


def plain(returns: str) -> Value:
    """A return kind that holds no tensor."""
    if returns == "ndarray":
        return Ndarray()
    return _PLAIN.get(returns, UNKNOWN)


def library_call(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """Call a function of the standard library or of a package that is not linted."""
    facts = frame.engine.facts
    tensor = tensor_argument(args.positional[:2])
    fact = (facts.get(f"{name}[tensor]") if tensor is not None else None) or facts.get(name)
    native = frame.engine.native_call(frame, node, name, args)
    callbacks(frame, node, args)
    if native:
        return UNKNOWN
    if fact is None and frame.engine.tables.declares(name):
        frame.emit("call", node, subject=node, callee=name)
    if fact is None:
        return External(name) if name.rpartition(".")[2][:1].isupper() else UNKNOWN
    if fact.outcome in BREAKING:
        if name.startswith("math.") and tensor is not None:
            frame.emit("math", node, value=tensor, subject=node, callee=name, ids=fact.ids)
            return Host("float")
        fact_event(frame, node, fact)
    value = plain(fact.returns)
    return External(name) if value is UNKNOWN and name.rpartition(".")[2][:1].isupper() else value


def call_instance(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    """Call an instance of an outside class: a torch module's forward, a decorator object, a functools helper."""
    handler = special.find_instance(instance.name)
    if handler is not None:
        return handler(frame, node, instance, args)
    if not instance.name.startswith("torch."):
        callbacks(frame, node, args)
        return UNKNOWN
    fact = frame.engine.facts.get(instance.name + "()")
    if fact is None:
        return frame.tensor(node) if instance.name.startswith("torch.nn.") else UNKNOWN
    if fact.outcome in BREAKING:
        special.module_call_event(frame, node, instance, fact)
    return result(frame, node, fact, args, tensor_argument(args.positional), None)


def call_method(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    """Call a method of an instance of an outside class."""
    handler = special.find_method(receiver.name, name)
    if handler is not None:
        return handler(frame, node, receiver, name, args)
    fact = frame.engine.facts.get(f"{receiver.name}.{name}")
    if fact is None:
        callbacks(frame, node, args)
        return UNKNOWN
    if fact.outcome in BREAKING:
        fact_event(frame, node, fact)
    return result(frame, node, fact, args, None, None)


def inherited_method(frame: Frame, node: ast.AST, receiver: Instance, name: str, args: Arguments) -> Value:
    """A method that a project object inherits from outside."""
    for base in frame.engine.outside_bases(receiver):
        handler = special.find_method(base, name)
        if handler is not None:
            return handler(frame, node, External(base), name, args)
        fact = frame.engine.facts.get(f"{base}.{name}")
        if fact is not None and fact.outcome in BREAKING:
            fact_event(frame, node, fact)
    return special.module_method(frame, node, receiver, name, args)


def sort_event(frame: Frame, node: ast.AST, value: Value, args: Arguments) -> None:
    """Sorting compares: elements or keys that are tensors are read."""
    from compile_lint.inference.calls import Arguments as Args
    from compile_lint.inference.calls import apply

    each = element(frame, node, value)
    key = args.keywords.get("key")
    if key is not None and not (isinstance(key, Const) and key.value is None):
        each = apply(frame, node, key, Args([each], {}, False, []))
    if isinstance(each, Tensor) and each.sure >= LIKELY:
        frame.emit("sort", node, value=each, subject=node, ids=("GB0207",))


def number_like(value: Value) -> bool:
    """A number that Python knows while tracing."""
    return isinstance(value, (Sym, Size, Py, Const, Host, Method))
