"""What is observed: something that can be made anew as often as it is run."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

Call = tuple[tuple[Any, ...], dict[str, Any]]
"""Positional and named arguments of one call."""
Around = Callable[[int], AbstractContextManager[Any]]
"""A context manager for the call of that number, from 0."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One instance with its own inputs; nothing in it is shared with another instance.

    `callable` is a function or a module, in train or eval mode as wanted and on its device; `calls` are the arguments
    of each call in turn, at least one. `around` is used in place of the subject's, where this instance brings one.
    """

    callable: Callable[..., Any]
    calls: Sequence[Call]
    around: Around | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """A named maker of equal instances.

    `make` is called once for each run (eager, explain, compiled), each time with the same seeds set; what it raises
    is the user's error.
    """

    name: str
    make: Callable[[], Prepared]
    project: tuple[str, ...] = ()
    """Absolute folders and files that count as the project."""
    around: Around | None = None
    device: str = field(default="")
    """How the device is called in the observation; empty: it is read off the first tensor."""

    def fresh(self, within: AbstractContextManager[Any] | None = None) -> Prepared:
        """A new instance, made inside the context manager (FakeTensorMode, for weights without memory)."""
        with within if within is not None else contextlib.nullcontext():
            return self.make()
