"""`a[b]`: reading and storing by index, mask and slice."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference import known
from compile_lint.inference.iteration import element, items_of
from compile_lint.inference.values import (
    LIKELY,
    SIZE,
    STR,
    SYM,
    UNKNOWN,
    Const,
    External,
    Host,
    Instance,
    Map,
    Method,
    Module,
    Ndarray,
    Py,
    Seq,
    Size,
    Sym,
    Tensor,
    Unknown,
    Value,
    join,
    join_all,
    sequence,
)

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame


def read(frame: Frame, node: ast.Subscript, base: Value) -> Value:
    """The value of `base[index]`."""
    if isinstance(base, Module):
        return base  # a parametrised type
    if isinstance(base, (Tensor, Unknown)):
        return _array(frame, node, base)
    index = _index(frame, node.slice, "slice" if isinstance(base, (Seq, Size)) else "")
    if isinstance(base, Ndarray):
        masked = isinstance(index, (Ndarray, Tensor)) and not getattr(index, "scalar", False)
        if masked and isinstance(node.slice, (ast.Compare, ast.Name)):
            frame.emit("mask-index", node, LIKELY, value=base, subject=node.slice, needs=_DYNAMIC)
        return Ndarray(base.origin)
    if isinstance(base, Size):
        return SIZE if isinstance(node.slice, ast.Slice) else SYM
    if isinstance(base, External) and base.name == "memory":
        frame.emit("native-call", node, subject=node, callee="ctypes.Array.__getitem__", ids=("GB4880", "GB7786"))
        return UNKNOWN
    if isinstance(base, (Seq, External)):
        return _sequence(frame, node, base, index)
    if isinstance(base, Map):
        return _mapping(frame, node, base, index)
    if isinstance(base, Instance):
        return _instance(frame, node, base, index)
    if isinstance(base, Const) and isinstance(base.value, str):
        return STR
    return UNKNOWN


_DYNAMIC = "capture_dynamic_output_shape_ops"
_SCALAR = "capture_scalar_outputs"


def _index(frame: Frame, node: ast.expr, event: str) -> Value:
    """Evaluate an index; a tensor as a slice bound is read by Python (`event`, none where empty)."""
    from compile_lint.inference.expressions import evaluate

    if isinstance(node, ast.Slice):
        for part in (node.lower, node.upper, node.step):
            value = evaluate(frame, part) if part is not None else None
            if event and isinstance(value, Tensor) and value.sure >= LIKELY:
                sure = frame.made_here(value)
                frame.emit("slice", part or node, sure, value=value, subject=part, needs=_SCALAR)
        return Py("slice")
    return evaluate(frame, node)


def _array(frame: Frame, node: ast.Subscript, base: Tensor | Unknown) -> Value:
    """Index a tensor, or something that may be one."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    masked, sure = False, base.sure if isinstance(base, Tensor) else LIKELY
    values = []
    for part in parts:
        index = _index(frame, part, "slice")
        values.append(index)
        if _is_mask(base, part, index):
            masked = True
            mask_sure = index.sure if isinstance(index, Tensor) else LIKELY
            frame.emit("mask-index", node, min(sure, mask_sure), subject=part, needs=_DYNAMIC)
        elif isinstance(base, Tensor):
            _tensor_index(frame, part, index)
            frame.engine.tensor_indexed(frame, part, index)
    holds_tensor = isinstance(base, Tensor) or masked or _only_tensors_take(parts)
    if not holds_tensor:
        return _unknown_item(frame, node, base, values)
    frame.operations(at=node)
    dtype = base.dtype if isinstance(base, Tensor) else ""
    return frame.tensor(node, dtype, _scalar_after(base, values), sure, known.of_operands((base,)), base)


def _only_tensors_take(parts: list[ast.expr]) -> bool:
    """Whether an index such as `[..., 0]` or `[:, None]` tells a tensor."""
    if len(parts) == 1:
        return isinstance(parts[0], ast.Constant) and parts[0].value in (None, Ellipsis)
    return any(isinstance(p, ast.Slice) for p in parts) or any(
        isinstance(p, ast.Constant) and p.value in (None, Ellipsis) for p in parts
    )


def _unknown_item(frame: Frame, node: ast.Subscript, base: Value, values: list[Value]) -> Value:
    if isinstance(base, Unknown) and base.argument and len(values) == 1:
        frame.engine.argument_indexed(frame, node, base, values[0])
    if isinstance(base, Unknown) and base.number:
        return frame.tensor(node, sure=LIKELY)
    return UNKNOWN


def _is_mask(base: Value, part: ast.expr, index: Value) -> bool:
    """A boolean index that selects a number of elements which only the data tells."""
    if isinstance(index, Tensor):
        return index.dtype == "bool" and index.scalar is not True
    if type(index) is Unknown and index.truth:
        # comparing two unknown things and indexing with the outcome is done to arrays
        return isinstance(part, (ast.Compare, ast.Name, ast.BinOp))
    return False


def _tensor_index(frame: Frame, part: ast.expr, index: Value) -> None:
    """A 0-d tensor as an index is read by Python; one with dimensions gathers."""
    if isinstance(index, Tensor) and index.scalar is True and index.dtype != "bool" and index.made == "computed":
        frame.emit("index", part, frame.made_here(index), value=index, subject=part)


def _scalar_after(base: Value, values: list[Value]) -> bool | None:
    if any(isinstance(v, Py) and v.type == "slice" for v in values):
        return False
    if any(isinstance(v, Const) and v.value in (None, Ellipsis) for v in values):
        return False if any(isinstance(v, Const) and v.value is None for v in values) else None
    return None


def _sequence(frame: Frame, node: ast.Subscript, base: Seq | External, index: Value) -> Value:
    if isinstance(node.slice, ast.Slice):
        return _slice_of(base, node.slice)
    held = isinstance(base, Seq) or bool(base.parts)
    if held and isinstance(index, Tensor) and index.sure >= LIKELY:
        frame.emit("index", node.slice, value=index, subject=node.slice)
    frame.engine.index_used(frame, node, base, index)
    items = base.items if isinstance(base, Seq) else base.parts
    if items and isinstance(index, Const) and isinstance(index.value, int) and -len(items) <= index.value < len(items):
        return items[index.value]
    return element(frame, node, base)


def _slice_of(base: Seq | External, part: ast.Slice) -> Value:
    items = base.items if isinstance(base, Seq) else base.parts
    bounds = []
    for bound in (part.lower, part.upper, part.step):
        if isinstance(bound, ast.UnaryOp) and isinstance(bound.operand, ast.Constant):
            bounds.append(-bound.operand.value if isinstance(bound.operand.value, int) else None)
        else:
            bounds.append(bound.value if isinstance(bound, ast.Constant) and isinstance(bound.value, int) else None)
    exact = all((b is None) == (v is None) for b, v in zip((part.lower, part.upper, part.step), bounds, strict=True))
    if items and exact:
        chosen = tuple(items[slice(*bounds)])
        return External(base.name, chosen) if isinstance(base, External) else sequence(base.type, chosen)
    if isinstance(base, External):
        return base
    return Seq(base.type, None, base.elem)


def _mapping(frame: Frame, node: ast.Subscript, base: Map, index: Value) -> Value:
    if isinstance(index, Const) and index.value in base.items:
        return base.items[index.value]
    if isinstance(index, (Sym,)):
        frame.engine.shape_used(frame, node, node.slice, "a dictionary key")
    if base.open or not base.items:
        return base.elem
    return join_all(items_of(base))


def _instance(frame: Frame, node: ast.Subscript, base: Instance, index: Value) -> Value:
    method = frame.engine.method(base, "__getitem__")
    if method is not None:
        return frame.engine.call_function(frame, node, method, [index], {})
    parts = frame.engine.container_parts(base)
    if parts is not None:
        return _sequence(frame, node, parts, index)
    return UNKNOWN


def store(frame: Frame, target: ast.Subscript, base: Value, value: Value) -> None:
    """`base[index] = value`. A mask is fine here, a tensor as a slice bound is not."""
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    wants = "slice" if isinstance(base, (Tensor, Seq, Unknown)) else ""
    indices = [_index(frame, part, wants) for part in parts]
    if isinstance(base, Tensor):
        frame.operations()
    if isinstance(base, (Map, Seq)) and isinstance(target.value, ast.Name):
        frame.env[target.value.id] = _with_item(base, indices[0], value)
    if isinstance(base, Method) and isinstance(base.receiver, Module) and base.receiver.name == "os":
        frame.emit("environ-set", target, subject=target)
    if isinstance(base, Module) and base.name == "os.environ":
        frame.emit("environ-set", target, subject=target)
    if isinstance(base, External) and base.name == "memory":
        frame.emit("native-call", target, subject=target, callee="ctypes.Array.__setitem__", ids=("GB7786",))
    frame.engine.container_stored(frame, target, base)


def _with_item(base: Map | Seq, index: Value, value: Value) -> Value:
    if isinstance(base, Map):
        items = dict(base.items)
        if isinstance(index, Const):
            items[index.value] = value
            return Map(items, base.elem if base.items else value, base.open, base.argument)
        return Map(items, join(base.elem, value) if base.items else value, True, base.argument)
    return Seq(base.type, None, join(base.elem, value) if base.items != () else value, base.argument)


def load_for_update(frame: Frame, node: ast.Subscript, base: Value) -> Value:
    """The load half of `base[index] += value`: a mask selects here as in any read."""
    value = read(frame, node, base)
    return value if not isinstance(value, Host) else UNKNOWN
