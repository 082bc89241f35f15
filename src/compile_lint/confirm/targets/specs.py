"""Inputs as they are written, before there is a tensor: plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DTYPES = (
    "float32", "float64", "float16", "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bool", "complex32", "complex64", "complex128",
)  # fmt: skip
"""The dtypes of torch, by its names, of which tensors can be filled with random values."""

SHORT = {
    "float": "float32", "double": "float64", "half": "float16",
    "short": "int16", "int": "int32", "long": "int64",
    "cfloat": "complex64", "cdouble": "complex128", "chalf": "complex32",
}  # fmt: skip
"""torch's other names for them."""

INT_HIGH = 10
"""Integer tensors hold values from 0 up to this, exclusive, where no bound is given: few vocabularies are smaller."""


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A tensor to be made: normal values for floating point, uniform ones in [low, high) for integers and bounds."""

    dtype: str
    """One of DTYPES."""
    shape: tuple[int, ...]
    low: int | float | None = None
    high: int | float | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: `value` is a literal, a TensorSpec, or a tuple, list or dict of them."""

    name: str
    """Empty for a positional one."""
    value: Any


def dtype_name(word: str) -> str | None:
    """torch's name of a dtype as people write it (`torch.float32`, `float`); None if there is none."""
    bare = word.removeprefix("torch.")
    bare = SHORT.get(bare, bare)
    return bare if bare in DTYPES else None
