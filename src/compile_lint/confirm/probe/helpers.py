"""Small functions and classes that snippets call or hand over; star-imported into each snippet."""

from __future__ import annotations

import dataclasses
import enum
import pathlib
import tempfile
from typing import Any

__all__ = [
    "Color",
    "Plain",
    "Point",
    "add",
    "double",
    "group",
    "new_file",
    "new_folder",
    "nothing",
    "total",
    "truth",
    "with_grad",
]


@dataclasses.dataclass
class Point:
    """A dataclass."""

    a: int = 1
    b: int = 2


class Color(enum.Enum):
    """An enumeration."""

    RED = 1
    BLUE = 2


class Plain:
    """A class with nothing special."""

    def __init__(self, a: Any = 1) -> None:
        self.a = a

    def get(self) -> Any:
        """The attribute."""
        return self.a


def group() -> None:
    """A process group of this process alone."""
    import torch.distributed

    if not torch.distributed.is_initialized():
        store = torch.distributed.HashStore()
        torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)


def nothing(*_args: Any, **_kwargs: Any) -> None:
    """Takes anything and does nothing."""


def double(v: Any) -> Any:
    """One operation on one argument."""
    return v * 2


def add(a: Any, b: Any) -> Any:
    """One operation on two arguments."""
    return a + b


def total(v: Any) -> Any:
    """A scalar of a tensor."""
    return (v * v).sum()


def truth(v: Any) -> bool:
    """A condition that needs no value."""
    return v is not None


def with_grad(parameter: Any) -> Any:
    """The parameter, with a gradient of ones."""
    parameter.grad = parameter.detach().clone()
    return parameter


def new_folder() -> str:
    """A fresh empty folder below the current one."""
    return tempfile.mkdtemp(dir=".")


def new_file() -> str:
    """A fresh small file below the current folder."""
    name = pathlib.Path(new_folder(), "file.txt")
    name.write_text("a b\nc d\n")
    return str(name)
