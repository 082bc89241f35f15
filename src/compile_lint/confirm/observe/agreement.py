"""Holds the compiled run against the eager one: results, inputs that were changed, the state of the module."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

_DEPTH = 8
_SAID = 20
"""So many differences are told, at most."""

TOLERANCES: dict[torch.dtype, tuple[float, float]] = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex32: (1e-3, 1e-5),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}
"""Relative and absolute, the defaults of torch.testing.assert_close; other dtypes must be equal."""


@dataclasses.dataclass(frozen=True, slots=True)
class Opaque:
    """A value that has no value of its own to compare: it counts by its type."""

    type: str


@dataclasses.dataclass(frozen=True, slots=True)
class Fields:
    """An object as its type and what it holds."""

    type: str
    values: dict[str, Any]


def kept(value: Any) -> Any:
    """The value as it is now: tensors copied, containers and objects taken apart down to plain values.

    An object whose own code raises while it is taken apart counts by its type.
    """
    try:
        return _kept(value, _DEPTH)
    except Exception:
        return Opaque(type(value).__name__)


def _kept(value: Any, depth: int) -> Any:
    if isinstance(value, torch.Tensor):
        return _copied(value)
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return value
    if depth == 0:
        return Opaque(type(value).__name__)
    if type(value).__module__ == "numpy":
        return _array(value)
    if isinstance(value, Mapping):
        return Fields(type(value).__name__, {str(key): _kept(each, depth - 1) for key, each in value.items()})
    if isinstance(value, (tuple, list)):
        return [_kept(each, depth - 1) for each in value]
    if isinstance(value, torch.nn.Module) or callable(value):
        return Opaque(type(value).__name__)
    return Fields(type(value).__name__, {name: _kept(each, depth - 1) for name, each in _held(value)})


def _copied(value: torch.Tensor) -> Any:
    if isinstance(value, torch.nn.parameter.UninitializedTensorMixin):
        return Opaque(type(value).__name__)
    with torch._C.DisableTorchFunctionSubclass():
        return value.detach().clone()


def _array(value: Any) -> Any:
    try:
        return torch.from_numpy(value.copy())
    except (TypeError, AttributeError):
        return value.tolist() if hasattr(value, "tolist") else Opaque(type(value).__name__)


def _held(value: Any) -> Iterator[tuple[str, Any]]:
    """What a data class or a plain object holds, without what is private to it."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield field.name, getattr(value, field.name, None)
    elif type(value).__module__ != "builtins":
        yield from (pair for pair in getattr(value, "__dict__", {}).items() if not pair[0].startswith("_"))


class Watch:
    """What some values were at one moment, cheaply: tensors by their version, the rest by value.

    `read` gives the values by name; `changed` reads them again and gives those that were replaced or changed in place.
    """

    def __init__(self, read: Callable[[], Mapping[str, Any]]) -> None:
        self._read = read
        self._values = dict(read())  # held, so that no new object takes the identity of one of these
        self._before = {name: _mark(value) for name, value in self._values.items()}

    def changed(self) -> dict[str, Any]:
        """The changed values by name, as they are now; None for one that is gone."""
        now = self._read()
        names = dict.fromkeys([*self._before, *now])
        return {
            name: kept(now.get(name))
            for name in names
            if name not in now or name not in self._before or _mark(now[name]) != self._before[name]
        }


def _mark(value: Any, depth: int = 5) -> Any:
    if isinstance(value, torch.Tensor):
        return _tensor_mark(value)
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return value if value == value else "nan"
    if depth and isinstance(value, Mapping):
        return {str(key): _mark(each, depth - 1) for key, each in value.items()}
    if depth and isinstance(value, (tuple, list)):
        return [_mark(each, depth - 1) for each in value]
    return id(value)


def _tensor_mark(value: torch.Tensor) -> Any:
    """What changes when the tensor is changed in place."""
    with torch._C.DisableTorchFunctionSubclass():
        # Inference tensors have no version: they are taken as changed each time, and then compared by value.
        version = object() if value.is_inference() else value._version
        try:
            return (id(value), version, value.numel(), value.data_ptr())
        except RuntimeError:  # of sparse tensors and others without one storage
            return (id(value), version)


def arguments(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by name; positional ones by the parameter's name where the function says it."""
    code = getattr(getattr(function, "forward", function), "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code is not None else []
    names = names[1:] if names[:1] == ["self"] else names
    named = {names[at] if at < len(names) else f"argument {at}": value for at, value in enumerate(args)}
    return {**named, **kwargs}


def state(function: Any) -> dict[str, Any]:
    """Parameters, buffers and plain attributes of the module that is called; empty for a function without one."""
    module = function if isinstance(function, torch.nn.Module) else getattr(function, "__self__", None)
    if not isinstance(module, torch.nn.Module):
        return {}
    module = getattr(module, "_orig_mod", module)
    found: dict[str, Any] = {}
    for prefix, each in module.named_modules():
        inside = f"{prefix}." if prefix else ""
        for name, value in {**each._parameters, **each._buffers}.items():
            found[inside + name] = value
        for name, value in vars(each).items():
            if not name.startswith("_") and _is_plain(value):
                found[inside + name] = value
    return found


def _is_plain(value: object, depth: int = 3) -> bool:
    if value is None or isinstance(value, (bool, int, float, complex, str, torch.Tensor)):
        return True
    if depth and isinstance(value, (list, tuple)):
        return all(_is_plain(each, depth - 1) for each in value)
    return bool(depth) and isinstance(value, dict) and all(_is_plain(each, depth - 1) for each in value.values())


def tolerance(values: Any, slack: float = 1.0) -> str:
    """The tolerances, `slack` times as wide, of the dtypes that occur in the values, in words."""
    dtypes = {value.dtype for value in tensors(values)}
    said = [
        f"{str(dtype)[6:]}: rtol {rtol * slack:g}, atol {atol * slack:g}"
        for dtype, (rtol, atol) in TOLERANCES.items()
        if dtype in dtypes
    ]
    exact = sorted(str(dtype)[6:] for dtype in dtypes - TOLERANCES.keys())
    return "; ".join(said + ([f"{', '.join(exact)}: equal"] if exact else []))


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """Every tensor in a kept value."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Fields):
        yield from (tensor for each in value.values.values() for tensor in tensors(each))
    elif isinstance(value, dict):
        yield from (tensor for each in value.values() for tensor in tensors(each))
    elif isinstance(value, list):
        yield from (tensor for each in value for tensor in tensors(each))


def differences(what: str, eager: Any, compiled: Any, slack: float = 1.0) -> list[str]:
    """How two kept values differ, a sentence each; empty if they agree. `slack` times the tolerances are allowed."""
    return [sentence for sentence, _ in zip(_differ(what, eager, compiled, slack), range(_SAID), strict=False)]


def changes(where: str, eager: Mapping[str, Any], compiled: Mapping[str, Any]) -> list[str]:
    """How the changes that two runs made in place differ, a sentence each."""
    said = []
    for name in dict.fromkeys([*eager, *compiled]):
        if name not in compiled:
            said.append(f"{where} {name} was changed by the eager call only")
        elif name not in eager:
            said.append(f"{where} {name} was changed by the compiled call only")
        else:
            said += differences(f"{where} {name}, which both calls change,", eager[name], compiled[name])
    return said


def _differ(what: str, one: Any, other: Any, slack: float) -> Iterator[str]:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        yield from _tensors_differ(what, one, other, slack)
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield f"{what} has {len(one)} entries in eager and {len(other)} compiled"
        for number, (a, b) in enumerate(zip(one, other, strict=False)):
            yield from _differ(f"{what}[{number}]", a, b, slack)
    elif isinstance(one, Fields) and isinstance(other, Fields) and one.type == other.type:
        for key in dict.fromkeys([*one.values, *other.values]):
            if key not in one.values or key not in other.values:
                yield f"{what} has {key} {'compiled' if key in other.values else 'in eager'} only"
            else:
                yield from _differ(f"{what}.{key}", one.values[key], other.values[key], slack)
    elif isinstance(one, (float, complex)) and isinstance(other, (float, complex)):
        if not _close(one, other, slack):
            yield f"{what} is {one} in eager and {other} compiled"
    elif type(one) is not type(other) or one != other:
        yield f"{what} is {_short(one)} in eager and {_short(other)} compiled"


def _close(one: complex, other: complex, slack: float) -> bool:
    """Numbers that were read from a tensor of single precision differ as that does."""
    rtol, atol = TOLERANCES[torch.float32]
    if one == other or (one != one and other != other):
        return True
    if any(isinstance(each, float) and math.isinf(each) for each in (one, other)):
        return False
    return abs(one - other) <= slack * (atol + rtol * abs(one))


def _short(value: object) -> str:
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, (Opaque, Fields)):
        return f"a {value.type}"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _tensors_differ(what: str, one: torch.Tensor, other: torch.Tensor, slack: float) -> Iterator[str]:
    with torch._C.DisableTorchFunctionSubclass():
        try:
            said = _tensor_difference(one, other, slack)
        except (RuntimeError, TypeError) as error:  # a layout or a dtype without the kernels
            said = f"cannot be compared: {str(error).partition(chr(10))[0]}"
    if said:
        yield f"{what} {said}"


def _tensor_difference(one: torch.Tensor, other: torch.Tensor, slack: float) -> str:
    for name in ("dtype", "device", "layout", "is_nested"):
        if getattr(one, name) != getattr(other, name):
            return f"has {name} {getattr(one, name)} in eager and {getattr(other, name)} compiled"
    if one.is_quantized:
        one, other = one.dequantize(), other.dequantize()
    if one.is_nested or one.layout is not torch.strided:
        one, other = _dense(one), _dense(other)
    if one.shape != other.shape:
        return f"has shape {tuple(one.shape)} in eager and {tuple(other.shape)} compiled"
    if one.dtype.is_floating_point and one.element_size() == 1:  # isclose has no kernels for these
        rtol, atol = 0.0, 0.0
        one, other = one.float(), other.float()
    else:
        rtol, atol = (slack * each for each in TOLERANCES.get(one.dtype, (0.0, 0.0)))
    wrong = int((~torch.isclose(one, other, rtol=rtol, atol=atol, equal_nan=True)).sum())
    return f"differs in {wrong} of {one.numel()} elements, by up to {_largest(one, other):.3g}" if wrong else ""


def _dense(value: torch.Tensor) -> torch.Tensor:
    """The same numbers without a structure of their own."""
    if value.is_nested:
        parts = [each.flatten() for each in value.unbind()]
        return torch.cat(parts) if parts else torch.zeros(0)
    return value.to_dense()


def _largest(one: torch.Tensor, other: torch.Tensor) -> float:
    wide = torch.complex128 if one.is_complex() else torch.float64
    apart = (one.cpu().to(wide) - other.cpu().to(wide)).abs()
    return float(apart.nan_to_num(nan=math.inf).max())
