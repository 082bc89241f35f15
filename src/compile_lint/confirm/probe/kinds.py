"""The kind of a value, as the tables write it."""

from __future__ import annotations

from typing import Any

import numpy
import torch

LONGEST = 3
"""Longer tuples of one kind are written `tuple[kind,...]`."""


def kind(value: Any) -> str:
    """`tensor`, `tensor:int/0`, `tuple[tensor,tensor:int]`, `int`, `none`, ... and `object` for everything else."""
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if isinstance(value, numpy.ndarray | numpy.generic):
        return _array(value)
    if isinstance(value, torch.Size):
        return "ints"
    simple = _simple(value)
    if simple:
        return simple
    if isinstance(value, tuple | list):
        return _sequence(value)
    return "object"


def reads_well(name: str) -> bool:
    """Whether a value of this kind may leave a compiled function without a break of its own."""
    parts = name.replace("tuple[", "").replace("list[", "").replace("]", "").split(",")
    return all(
        part.startswith("tensor") or part in ("int", "float", "bool", "none", "str", "ints", "...") for part in parts
    )


def _tensor(value: torch.Tensor) -> str:
    name = "tensor"
    if value.dtype == torch.bool:
        name += ":bool"
    elif not (value.is_floating_point() or value.is_complex()):
        name += ":int"
    return name + ("/0" if _rank(value) == 0 else "")


def _rank(value: torch.Tensor) -> int:
    try:
        return int(value.dim())
    except Exception:
        return -1


def _array(value: Any) -> str:
    name = {"b": "ndarray:bool", "i": "ndarray:int", "u": "ndarray:int"}.get(value.dtype.kind, "ndarray")
    return name + ("/0" if value.ndim == 0 else "")


def _simple(value: Any) -> str:
    if value is None:
        return "none"
    exact = {
        bool: "bool",
        int: "int",
        float: "float",
        str: "str",
        bytes: "bytes",
        dict: "dict",
        complex: "complex",
        set: "set",
    }
    if type(value) in exact:
        return exact[type(value)]
    if isinstance(value, torch.dtype):
        return "dtype"
    if isinstance(value, torch.device):
        return "device"
    if isinstance(value, torch.nn.Module):
        return "module"
    return ""


def _sequence(value: Any) -> str:
    word = "list" if isinstance(value, list) else "tuple"
    kinds = [kind(item) for item in value[:64]]
    if not kinds:
        return f"{word}[]"
    if len(set(kinds)) == 1 and (word == "list" or len(kinds) > LONGEST):
        return f"list[{kinds[0]}]" if word == "list" else f"tuple[{kinds[0]},...]"
    if len(kinds) > 2 * LONGEST or word == "list":
        return f"{word}[?]"
    return f"tuple[{','.join(kinds)}]"
