"""Describes the arguments of a call of an operator without their data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from compile_lint.confirm.observation import Argument, TensorMeta

Values = tuple[tuple[Any, ...], dict[str, Any]]
"""Positional and named arguments of a call."""
_MOST = 80
"""Characters of a value; more is cut."""


def arguments(schema: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Argument, ...]:
    """The arguments that were given, in the order of the schema and by its names."""
    positional = [each.name for each in schema.arguments if not each.kwarg_only]
    named = {**dict(zip(positional, args, strict=False)), **kwargs}
    return tuple(_argument(name, value) for name, value in named.items())


def tensor_meta(value: torch.Tensor) -> TensorMeta:
    """Of one tensor, real or fake; sizes that are left open count by their hint."""
    strided = value.layout is torch.strided and not value.is_nested
    return TensorMeta(
        dtype=str(value.dtype).removeprefix("torch."),
        shape=() if value.is_nested else tuple(map(int, value.shape)),
        strides=tuple(map(int, value.stride())) if strided else (),
        device=str(value.device),
        requires_grad=value.requires_grad,
    )


def tensors(value: Any) -> list[torch.Tensor]:
    """The tensors of an argument or a result: of itself, of a list, of a tuple in a tuple."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for each in value for tensor in tensors(each)]
    return []


def mapped(function: Callable[[torch.Tensor], torch.Tensor], value: Any) -> Any:
    """An argument with each of its tensors replaced; anything else is the same object."""
    if isinstance(value, torch.Tensor):
        return function(value)
    if type(value) in (list, tuple):
        return type(value)(mapped(function, each) for each in value)
    return value


def copied(values: Values) -> Values:
    """Arguments with memory of their own."""
    args, kwargs = values
    return tuple(map(copy, args)), {name: copy(value) for name, value in kwargs.items()}


def copy(value: Any) -> Any:
    """One argument with memory of its own: the same data, strides and wish for a gradient, and no history."""
    return mapped(_copied, value)


def without_grad(values: Values) -> Values:
    """The same arguments without history, in the same memory."""
    args, kwargs = values
    bare = {name: mapped(torch.Tensor.detach, value) for name, value in kwargs.items()}
    return tuple(mapped(torch.Tensor.detach, value) for value in args), bare


def _copied(tensor: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        if tensor.layout is torch.strided and not tensor.is_nested and _is_spread(tensor):
            made = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=tensor.device)
            made.copy_(tensor)
        else:  # clone keeps the strides of whatever is dense and does not overlap
            made = tensor.detach().clone()
    if tensor.requires_grad and not made.is_inference():
        made.requires_grad_()
    return made


def _is_spread(tensor: torch.Tensor) -> bool:
    """Whether there are gaps between elements, and no two elements at one place."""
    most = 1
    for size, stride in sorted(zip(tensor.shape, tensor.stride(), strict=True), key=lambda each: each[1]):
        if size > 1:
            if stride < most:
                return False
            most = stride * size
    return bool(most != max(1, tensor.numel()))


def _argument(name: str, value: Any) -> Argument:
    found = tensors(value)
    if found:
        return Argument(name, "", tuple(map(tensor_meta, found)))
    try:
        text = repr(value)
    except Exception:  # a script object whose own code raises
        text = type(value).__name__
    return Argument(name, text if len(text) <= _MOST else f"{text[: _MOST - 3]}...")
