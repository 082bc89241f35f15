"""`a.b`: reading and storing attributes of tensors, modules and objects of the linted tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from compile_lint.inference.values import (
    BOOL,
    INT,
    LIKELY,
    SIZE,
    STR,
    SYM,
    UNKNOWN,
    Class,
    Const,
    External,
    Func,
    Instance,
    Map,
    Method,
    Module,
    Ndarray,
    Py,
    Seq,
    Tensor,
    Union,
    Unknown,
    Value,
    join,
    unite,
)

if TYPE_CHECKING:
    from compile_lint.inference.frame import Frame

_TENSOR_PYTHON = {
    "shape": SIZE,
    "ndim": INT,
    "itemsize": INT,
    "nbytes": SYM,
    "dtype": Py("dtype"),
    "device": Py("device"),
    "layout": Py("layout"),
    "names": UNKNOWN,
    "__class__": UNKNOWN,
    "output_nr": INT,
}
_TENSOR_TENSOR = {"T", "mT", "H", "mH", "real", "imag", "data"}
DTYPES = frozenset(
    [
        "float16",
        "float32",
        "float64",
        "bfloat16",
        "half",
        "float",
        "double",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "long",
        "int",
        "short",
        "bool",
        "complex64",
        "complex128",
        "float8_e4m3fn",
        "float8_e5m2",
        "uint16",
        "uint32",
        "uint64",
        "cfloat",
        "cdouble",
        "qint8",
        "quint8",
    ]
)


def read(frame: Frame, node: ast.Attribute, base: Value) -> Value:
    """The value of `base.name`."""
    name, kind = node.attr, type(base)
    if kind is Instance and isinstance(node.value, ast.Name):
        held = frame.env.get(f"{node.value.id}.{name}")
        if held is not None:
            return held
    reader = _READ.get(kind)
    return reader(frame, node, base, name) if reader is not None else Method(base, name)


def _tensor(frame: Frame, node: ast.Attribute, base: Tensor, name: str) -> Value:
    if name in _TENSOR_PYTHON:
        return _TENSOR_PYTHON[name]
    if name in _TENSOR_TENSOR:
        return frame.tensor(node, base.dtype, base.scalar, base.sure, of=base)
    if name.startswith("is_") and frame.engine.facts.get(f"torch.Tensor.{name}()") is None and name in _FLAGS:
        return BOOL
    if name in ("requires_grad", "retains_grad"):
        return BOOL
    if name == "grad":
        return frame.tensor(node, base.dtype, base.scalar, base.sure).replaced(optional=True)
    if name == "grad_fn":
        if base.made == "computed":
            frame.emit(
                "autograd",
                node,
                LIKELY,
                value=base,
                subject=node,
                callee="torch.Tensor.grad_fn",
                ids=("GB0104",),
                skip=True,
            )
        return Method(base, "grad_fn")
    return Method(base, name)


_FLAGS = frozenset(
    [
        "is_cuda",
        "is_leaf",
        "is_sparse",
        "is_quantized",
        "is_meta",
        "is_nested",
        "is_mps",
        "is_xpu",
        "is_cpu",
        "is_mkldnn",
        "is_sparse_csr",
    ]
)


def _unknown(frame: Frame, node: ast.Attribute, base: Unknown, name: str) -> Value:
    if name in ("shape",):
        return SIZE
    if name == "ndim":
        return INT
    if name in ("T", "mT") and base.number:
        return frame.tensor(node, sure=LIKELY)
    if name in ("dtype", "device"):
        return Py(name)
    return Method(base, name)


def _ndarray(frame: Frame, node: ast.Attribute, base: Ndarray, name: str) -> Value:
    if name == "shape":
        return SIZE
    if name in ("ndim", "size"):
        return INT
    if name in ("T", "real", "imag"):
        return Ndarray(base.origin, base.scalar)
    return Method(base, name)


def _external(frame: Frame, node: ast.Attribute, base: External, name: str) -> Value:
    if base.name.startswith("torch.nn.") and name in (
        "weight",
        "bias",
        "running_mean",
        "running_var",
        "in_proj_weight",
    ):
        return Tensor("float", scalar=False, made="input", optional=name == "bias")
    if base.name.startswith("torch.nn.") and name in ("training",):
        return BOOL
    if base.name.startswith("torch.nn.") and (
        name.endswith(("_features", "_channels", "_dim", "size")) or name == "eps"
    ):
        return Py("number")
    if name == "__class__":
        return Module(base.name)
    return Method(base, name)


def _module(frame: Frame, node: ast.Attribute, base: Module, name: str) -> Value:
    if base.name.startswith("torch.ops."):
        frame.engine.operator_read(frame, node, f"{base.name}.{name}")
    return frame.engine.module_member(base, name)


def _instance(frame: Frame, node: ast.Attribute, base: Instance, name: str) -> Value:
    return frame.engine.instance_attribute(frame, node, base, name)


def _class(frame: Frame, node: ast.Attribute, base: Class, name: str) -> Value:
    return frame.engine.class_attribute(frame, base, name)


def _union(frame: Frame, node: ast.Attribute, base: Union, name: str) -> Value:
    return unite(tuple(read(frame, node, option) for option in base.options))


_READ: dict[type, Callable[..., Value]] = {
    Module: _module,
    Tensor: _tensor,
    Instance: _instance,
    Class: _class,
    Union: _union,
    Unknown: _unknown,
    Ndarray: _ndarray,
    External: _external,
}


def store(frame: Frame, node: ast.Attribute, base: Value, value: Value) -> None:
    """`base.name = value`."""
    if isinstance(base, Tensor):
        if node.attr == "requires_grad" and not (isinstance(value, Const) and value.value is False):
            frame.emit("requires-grad-set", node, value=base, subject=node)
        elif node.attr == "data" and base.made == "computed":
            frame.emit("data-set", node, frame.made_here(base), value=base, subject=node, ids=("GB0056",))
        return
    if isinstance(base, Instance):
        if frame.stores is not None and _is_self(frame, node):
            old = frame.stores.get(node.attr)
            frame.stores[node.attr] = value if old is None else join(old, value)
        else:
            frame.engine.attribute_stored(frame, node, base, value)
            if isinstance(node.value, ast.Name) and isinstance(value, (Tensor, Seq, Map, Ndarray)):
                frame.env[f"{node.value.id}.{node.attr}"] = value
            if base.fields is not None and not frame.muted:
                base.fields[node.attr] = value
    elif isinstance(base, Class):
        frame.engine.class_stored(frame, node, base, value)


def _is_self(frame: Frame, node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and frame.env.get(node.value.id) is not None


_PLAIN_TYPES = {"__name__": STR, "__qualname__": STR, "__doc__": STR, "__dict__": Map({}, UNKNOWN, True)}


def of_type(name: str) -> Value:
    """Attributes that every function and class has."""
    return _PLAIN_TYPES.get(name, UNKNOWN)


def callable_attribute(base: Func | Seq, name: str) -> Value:
    """An attribute of a function object or container: a method of its own."""
    return Method(base, name)
