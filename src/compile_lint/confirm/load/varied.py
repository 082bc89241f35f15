"""Further calls that differ in one size, as `--vary` says."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from inspect import Parameter, Signature
from typing import Any

import torch

from compile_lint.config.nearest import hint
from compile_lint.confirm.load.errors import LoadError, user_error, users_code
from compile_lint.confirm.load.inputs import Call, described
from compile_lint.confirm.load.tensors import each_tensor
from compile_lint.confirm.targets.vary import Path, vary

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def varied(call: Call, texts: Sequence[str], signature: Signature | None) -> list[Call]:
    """The calls that `--vary` adds, in its order; values that the call has already are left out.

    Tensors repeat the slices of the call's own, so that what is in their range stays in it.

    Raises:
        LoadError: an argument, an element or a dimension that is not there.
    """
    found = []
    for text in texts:
        each = vary(text, "--vary")
        for number in each.values:
            new = _cloned(call)
            with users_code(f"--vary {text!r}"):
                for path in each.paths:
                    new = _with(new, path, number, signature, text)
            if not _same_sizes(new, call):
                found.append(new)
    return found


def sized(call: Call, wanted: Sequence[tuple[Sequence[Path], int]], signature: Signature | None) -> Call:
    """The call with each of these sizes or ints, all paths of one changed together.

    Raises:
        LoadError: an argument, an element or a dimension that is not there.
    """
    new = _cloned(call)
    for paths, number in wanted:
        for path in paths:
            text = f"{path.text}={number}"
            with users_code(f"size {text}"):
                new = _with(new, path, number, signature, text)
    return new


def at_path(call: Call, path: Path, signature: Signature | None) -> tuple[Any, int | None]:
    """The tensor that a path leads to, with the dimension; (the int, None) where it leads to one.

    Raises:
        LoadError: an argument that is not there.
    """
    arguments, named = call
    key = _key(call, path, signature, path.text)
    value: Any = arguments[key] if isinstance(key, int) else named[key]
    parts = list(path.parts)
    while parts and not isinstance(value, torch.Tensor):
        value = value[parts.pop(0)]
    return value, parts[0] if isinstance(value, torch.Tensor) and isinstance(parts[0], int) else None


def _cloned(call: Call) -> Call:
    """A call of its own: what one call does to its arguments must not reach another."""
    arguments, named = each_tensor(call, lambda tensor: tensor.detach().clone().requires_grad_(tensor.requires_grad))
    return tuple(arguments), dict(named)


def _same_sizes(one: Call, other: Call) -> bool:
    return bool(_sizes(one) == _sizes(other))


def _sizes(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return tuple(value.shape)
    if isinstance(value, (list, tuple)):
        return [_sizes(item) for item in value]
    if isinstance(value, dict):
        return {key: _sizes(item) for key, item in value.items()}
    return value if isinstance(value, int) else None


def _with(call: Call, path: Path, number: int, signature: Signature | None, text: str) -> Call:
    arguments, named = call
    key = _key(call, path, signature, text)
    if isinstance(key, int):
        changed = _changed(arguments[key], path.parts, number, path, text)
        return (*arguments[:key], changed, *arguments[key + 1 :]), named
    return arguments, {**named, key: _changed(named[key], path.parts, number, path, text)}


def _key(call: Call, path: Path, signature: Signature | None, text: str) -> int | str:
    """Where the call holds the argument: its position, or its name among the named ones."""
    arguments, named = call
    parameters = list(signature.parameters.values()) if signature else []
    names = [parameter.name for parameter in parameters if parameter.kind in _POSITIONAL]
    wanted = path.argument
    if isinstance(wanted, int):
        if wanted < len(arguments):
            return wanted
        if wanted < len(names) and names[wanted] in named:
            return names[wanted]
        raise _wrong(text, f"there is no argument {wanted}; the call has {len(arguments) + len(named)}")
    if wanted in named:
        return wanted
    if wanted in names[: len(arguments)]:
        return names.index(wanted)
    raise _wrong(text, f"the call has no argument {wanted!r}{hint(wanted, [*names[: len(arguments)], *named])}")


def _changed(value: Any, parts: tuple[str | int, ...], number: int, path: Path, text: str) -> Any:
    """The value with the size, or the int, at the end of the path replaced."""
    if isinstance(value, torch.Tensor):
        return _resized(value, parts, number, path, text)
    if not parts:
        if isinstance(value, int) and not isinstance(value, bool):
            return number
        raise _wrong(text, f"{path.text} is {described(value)}; only sizes of tensors and ints can be varied")
    if not isinstance(value, (list, tuple, dict)):
        raise _wrong(text, f"{path.text}: nothing is at {parts[0]} of {described(value)}")
    try:
        inner = value[parts[0]]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        raise _wrong(text, f"{path.text}: {described(value)} has nothing at {parts[0]}") from None
    changed = _changed(inner, parts[1:], number, path, text)
    if isinstance(value, tuple):
        items = list(value)
        items[parts[0]] = changed  # type: ignore[index]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    new: Any = copy.copy(value)
    new[parts[0]] = changed
    return new


def _resized(tensor: torch.Tensor, parts: tuple[str | int, ...], size: int, path: Path, text: str) -> torch.Tensor:
    dimension = parts[0] if len(parts) == 1 else None
    if not isinstance(dimension, int):
        raise _wrong(text, f"{path.text}: a tensor needs one dimension after its name, such as {path.argument}.0")
    if not -tensor.dim() <= dimension < tensor.dim():
        raise _wrong(text, f"{path.text}: the tensor has {tensor.dim()} dimensions, from 0 to {tensor.dim() - 1}")
    if size < 0:
        raise _wrong(text, f"a size cannot be {size}")
    have = tensor.shape[dimension]
    if have == 0:
        shape = list(tensor.shape)
        shape[dimension] = size
        return tensor.new_zeros(shape)
    index = torch.arange(size, device=tensor.device) % have
    return tensor.detach().index_select(dimension, index).requires_grad_(tensor.requires_grad)


def _wrong(text: str, words: str) -> LoadError:
    return user_error(f"--vary {text!r}: {words}")
