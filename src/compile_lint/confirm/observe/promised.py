"""What the fake kernel of an operator promises, held against what the real one does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from compile_lint.confirm.observe.called import is_composite
from compile_lint.confirm.observe.metadata import Values, copied, mapped, tensors, without_grad


class NotCompared(Exception):  # noqa: N818 - it is no error
    """Fake and real outputs cannot be compared, for this reason."""


@dataclass(frozen=True, slots=True)
class _Output:
    """One output; sizes and strides that only data tells are None."""

    kind: str
    """`Tensor`, or the type of another value."""
    dtype: str = ""
    shape: tuple[int | None, ...] = ()
    strides: tuple[int | None, ...] | None = None
    """None for a tensor that has none."""
    device: str = ""
    layout: str = ""
    shares: frozenset[str] = frozenset()
    """The arguments whose memory it has."""
    value: Any = None
    storage: int = 0


@dataclass(frozen=True, slots=True)
class _Ran:
    outputs: tuple[_Output, ...]
    mutated: tuple[str, ...] = ()


def differences(op: Any, values: Values) -> tuple[str, ...]:
    """How fake and real outputs differ, and what the real kernel does that the schema does not say; a sentence each.

    Raises:
        NotCompared: it cannot be run again on these arguments, or has no fake kernel at all.
    """
    try:
        real = _really(op, values)
    except Exception as error:
        raise NotCompared(f"it raises when it is called again: {type(error).__name__}: {_line(error)}") from error
    found = [] if is_composite(op) else list(_undeclared(op, real))
    try:
        fake = _as_fake(op, values)
    except Exception as error:
        if found:
            return tuple(found)
        raise NotCompared(f"the fake kernel cannot be run: {type(error).__name__}: {_line(error)}") from error
    return (*found, *_between(fake.outputs, real.outputs, is_composite(op)))


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]


# running


def _really(op: Any, values: Values) -> _Ran:
    args, kwargs = copied(without_grad(values))
    named = _named(op, args, kwargs)
    before = [(name, tensor, tensor.clone(), tensor._version) for name, tensor in named]
    with torch.no_grad():
        result = op(*args, **kwargs)
    mutated = [name for name, tensor, old, version in before if tensor._version != version or not _same(tensor, old)]
    return _Ran(_outputs(result, named), tuple(dict.fromkeys(mutated)))


def _as_fake(op: Any, values: Values) -> _Ran:
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    mode = FakeTensorMode(shape_env=ShapeEnv(), static_shapes=True)
    args, kwargs = without_grad(values)
    args = mapped(mode.from_tensor, args)
    kwargs = {name: mapped(mode.from_tensor, value) for name, value in kwargs.items()}
    with mode, torch.no_grad():
        result = op(*args, **kwargs)
        return _Ran(_outputs(result, _named(op, args, kwargs)))


def _named(op: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[tuple[str, torch.Tensor]]:
    positional = [each.name for each in op._schema.arguments if not each.kwarg_only]
    given = {**dict(zip(positional, args, strict=False)), **kwargs}
    return [(name, tensor) for name, value in given.items() for tensor in tensors(value)]


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether the data are the same; so it counts where they cannot be compared."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    try:
        if one.is_floating_point() or one.is_complex():
            one, other = torch.nan_to_num(one), torch.nan_to_num(other)
        return bool(torch.equal(one, other))
    except (RuntimeError, NotImplementedError):  # a sparse tensor, a small float
        return True


def _outputs(result: Any, named: Sequence[tuple[str, torch.Tensor]]) -> tuple[_Output, ...]:
    return tuple(_output(each, named) for each in _flat(result))


def _flat(result: Any) -> list[Any]:
    if isinstance(result, (list, tuple)):
        return [leaf for each in result for leaf in _flat(each)]
    return [result]


def _output(value: Any, named: Sequence[tuple[str, torch.Tensor]]) -> _Output:
    if not isinstance(value, torch.Tensor):
        kind = {"SymInt": "int", "SymFloat": "float", "SymBool": "bool"}.get(type(value).__name__)
        return _Output(kind or type(value).__name__, value=None if kind else value)
    storage = _storage(value)
    strided = value.layout is torch.strided and not value.is_nested
    return _Output(
        "Tensor",
        str(value.dtype).removeprefix("torch."),
        () if value.is_nested else tuple(map(_size, value.shape)),
        tuple(map(_size, value.stride())) if strided else None,
        str(value.device),
        str(value.layout).removeprefix("torch."),
        frozenset(name for name, tensor in named if tensor is value or (storage and _storage(tensor) == storage)),
        storage=storage,
    )


def _size(value: Any) -> int | None:
    """A size, or None for one that only data tells."""
    if isinstance(value, int):
        return value
    try:
        known = value.node.maybe_as_int()
    except AttributeError:
        return None
    return None if known is None else int(known)


def _storage(tensor: torch.Tensor) -> int:
    """What tells one tensor's memory from another's; 0 where it has none, or of no size."""
    try:
        storage = tensor.untyped_storage()
        size = _size(storage.nbytes())
        return 0 if size == 0 else int(storage._cdata)
    except (RuntimeError, NotImplementedError, AttributeError):
        return 0


# comparing


def _undeclared(op: Any, real: _Ran) -> Iterator[str]:
    """What the real kernel does to its arguments, or makes of them, without saying so in its schema."""
    arguments = {each.name: each.alias_info for each in op._schema.arguments}
    for name in real.mutated:
        info = arguments.get(name)
        if info is None or not info.is_write:
            yield f"argument `{name}` is changed, and the schema does not say so: no `Tensor(a!)`"
    returns = [each.alias_info for each in op._schema.returns]
    for number, output in enumerate(real.outputs):
        of_output = returns[number] if number < len(returns) else None
        for name in sorted(output.shares):
            info = arguments.get(name)
            if info is None or of_output is None or not _overlap(info, of_output):
                which = _which(number, real.outputs)
                yield f"{which} has the memory of argument `{name}`, and the schema does not say so"
        for earlier in range(number):
            if output.storage and not output.shares and real.outputs[earlier].storage == output.storage:
                yield f"outputs {earlier} and {number} have the same memory"


def _overlap(one: Any, other: Any) -> bool:
    sets = [set(one.before_set) | set(one.after_set), set(other.before_set) | set(other.after_set)]
    return bool(sets[0] & sets[1]) or any("*" in str(each) for both in sets for each in both)


def _which(number: int, outputs: Sequence[_Output]) -> str:
    return "the output" if len(outputs) == 1 else f"output {number}"


def _between(fake: Sequence[_Output], real: Sequence[_Output], composite: bool) -> Iterator[str]:
    if len(fake) != len(real):
        yield f"the fake kernel returns {len(fake)} values, the real one {len(real)}"
        return
    for number, (one, other) in enumerate(zip(fake, real, strict=True)):
        name = _which(number, real)
        for what, promised, given in _unequal(one, other):
            yield f"{what} of {name}: {promised} by the fake kernel, {given} by the real one"
        if one.kind == other.kind == "Tensor" and one.shares != other.shares and not composite:
            yield f"memory of {name}: {_memory(one)} by the fake kernel, {_memory(other)} by the real one"


def _memory(output: _Output) -> str:
    return f"that of {' and '.join(f'`{name}`' for name in sorted(output.shares))}" if output.shares else "its own"


def _unequal(fake: _Output, real: _Output) -> Iterator[tuple[str, Any, Any]]:
    if fake.kind != real.kind:
        yield "type", fake.kind, real.kind
        return
    if fake.kind != "Tensor":
        if fake.value is not None and fake.value != real.value:
            yield "value", fake.value, real.value
        return
    for what in ("dtype", "layout", "device"):
        if getattr(fake, what) != getattr(real, what):
            yield what, getattr(fake, what), getattr(real, what)
    if len(fake.shape) != len(real.shape) or not all(map(_fits, fake.shape, real.shape)):
        yield "shape", _sizes(fake.shape), _sizes(real.shape)
    elif not _same_strides(fake, real):
        yield "strides", _sizes(fake.strides or ()), _sizes(real.strides or ())


def _fits(fake: int | None, real: int | None) -> bool:
    return fake is None or fake == real


def _same_strides(fake: _Output, real: _Output) -> bool:
    """Whether they tell the same elements apart: a stride of a single element does not count, nor any of no element."""
    if fake.strides is None or real.strides is None or 0 in real.shape:
        return True
    return all(
        _fits(one, other) for one, other, size in zip(fake.strides, real.strides, real.shape, strict=True) if size != 1
    )


def _sizes(sizes: Sequence[int | None]) -> str:
    return f"[{', '.join('?' if each is None else str(each) for each in sizes)}]"
