"""Arguments of the calls: made from specifications, or returned by a function of the user."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from typing import Any

import torch

from compile_lint.confirm.load.errors import user_error, users_code
from compile_lint.confirm.targets.grammar import input_argument
from compile_lint.confirm.targets.specs import INT_HIGH, TensorSpec

Call = tuple[tuple[Any, ...], dict[str, Any]]


def call_of(texts: Sequence[str]) -> Call:
    """One call, of `--input` texts that were checked before.

    Raises:
        LoadError: a tensor cannot be made.
    """
    arguments = [input_argument(text, "--input") for text in texts]
    values = []
    for text, argument in zip(texts, arguments, strict=True):
        with users_code(f"making --input {text!r}"):
            values.append((argument.name, built(argument.value)))
    return tuple(value for name, value in values if not name), {name: value for name, value in values if name}


def built(value: Any) -> Any:
    """A value with every TensorSpec in it made a tensor, on the CPU."""
    if isinstance(value, TensorSpec):
        return tensor(value)
    if isinstance(value, (list, tuple)):
        return type(value)(built(item) for item in value)
    if isinstance(value, dict):
        return {key: built(item) for key, item in value.items()}
    return value


def tensor(spec: TensorSpec) -> torch.Tensor:
    """A tensor of random values: from the normal distribution, or uniform within the bounds."""
    dtype: torch.dtype = getattr(torch, spec.dtype)
    if dtype == torch.bool:
        return torch.randint(0, 2, spec.shape).bool()
    if dtype.is_complex:
        return torch.randn(spec.shape, dtype=torch.complex64).to(dtype)
    if dtype.is_floating_point:
        wide = torch.float64 if dtype == torch.float64 else torch.float32
        if spec.high is None:
            return torch.randn(spec.shape, dtype=wide).to(dtype)
        low = spec.low or 0
        return (torch.rand(spec.shape, dtype=wide) * (spec.high - low) + low).to(dtype)
    high = INT_HIGH if spec.high is None else int(spec.high)
    return torch.randint(int(spec.low or 0), high, spec.shape).to(dtype)


def calls_of(function: Callable[[], Any], text: str) -> list[Call]:
    """The calls that the function of `--inputs` returns: argument tuples, or (args, kwargs) each.

    Raises:
        LoadError: it raised, or returned something else.
    """
    with users_code(f"calling {text}"):
        found = function()
        items = list(found) if not isinstance(found, (str, bytes, dict, torch.Tensor)) else None
    if not items:
        raise user_error(
            f"--inputs {text}: must return a list of argument tuples, or of (args, kwargs), not {described(found)}"
        )
    return [as_call(item, f"--inputs {text}: item {number}") for number, item in enumerate(items)]


def as_call(item: Any, place: str) -> Call:
    """One call as a user writes it: a tuple of arguments, or (args, kwargs). LoadError for anything else."""
    if not isinstance(item, tuple):
        words = f"{described(item)}; write (x,) for one argument" if isinstance(item, torch.Tensor) else described(item)
        raise user_error(f"{place}: must be a tuple of arguments, or (args, kwargs), not {words}")
    if len(item) == 2 and isinstance(item[0], (tuple, list)) and is_named(item[1]):
        return tuple(item[0]), dict(item[1])
    return item, {}


def is_named(value: Any) -> bool:
    """Whether it is a dict of named arguments."""
    return isinstance(value, dict) and all(isinstance(key, str) for key in value)


def described(value: Any) -> str:
    """A value in a few words, whatever it is."""
    if isinstance(value, torch.Tensor):
        return "a tensor"
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return reprlib.repr(value)
    if isinstance(value, (list, tuple, dict)) and not value:
        return f"an empty {type(value).__name__}"
    return f"a {type(value).__name__}"
