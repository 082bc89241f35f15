"""What a worker and the process that started it tell each other: JSON in files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from compile_lint.confirm.observation import Observation
from compile_lint.confirm.target import Target

_SEEN = "seen.json"
_DONE = "done.json"
_PHASE = "phase"
STACKS = "stacks"
"""Where a worker that dies or is too slow writes the lines that its threads were at."""


Kind = Literal["observe", "operators", "samples"]
_OPERATOR = "operator "


@dataclass(frozen=True, slots=True)
class Errand:
    """Work of another kind than observing a target.

    `work` is a module of this package; its `run(target, subject, plan, phase)` is called in the worker once the target
    is loaded, and leaves what it found where the plan says. `phase` is told the name of each phase as it begins.
    """

    work: str
    plan: dict[str, Any] = field(default_factory=dict)
    environ: dict[str, str] = field(default_factory=dict)
    """Variables that the worker gets besides those of its starter."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is to do. `folder` is its own, for its answers; `started` is seconds since the epoch.

    `starter` is the process that started it, without which it is of no use. Besides observing a target, a worker can
    check the operators that it calls, or, where the target names some, those of samples; `settled` are the operators
    that earlier workers have done with.
    """

    target: Target
    folder: str
    started: float
    starter: int = 0
    kind: Kind = "observe"
    settled: tuple[str, ...] = ()
    errand: Errand | None = None
    """What to do in place of what `kind` says; None: that."""


# The json of the standard library writes what no UTF-8 can hold (a path of odd bytes, half a surrogate in a message)
# as an escape, and reads it back; msgspec's own encoder refuses it.


def to_text(value: Any) -> str:
    """A dataclass of plain values as JSON."""
    return json.dumps(msgspec.to_builtins(value))


def job(text: bytes) -> Job:
    """The job that the text holds."""
    return msgspec.convert(json.loads(text), Job)


def write(folder: str, seen: Observation, *, done: bool) -> None:
    """Leave an observation: the last one (`done`), or what is known so far."""
    _replace(os.path.join(folder, _DONE if done else _SEEN), to_text(seen))


def write_phase(folder: str, name: str) -> None:
    """Leave the name of the phase that begins."""
    _replace(os.path.join(folder, _PHASE), name)


def read(folder: str) -> tuple[Observation | None, bool]:
    """The newest observation, None if there is none, and whether it is the last one."""
    for name in (_DONE, _SEEN):
        with contextlib.suppress(OSError, ValueError, msgspec.ValidationError):
            return msgspec.convert(json.loads(_text(folder, name)), Observation), name == _DONE
    return None, False


def phase_of_operator(name: str) -> str:
    """The phase in which an operator is called for the first time, or checked."""
    return f"{_OPERATOR}{name}"


def read_operator(folder: str) -> str:
    """The qualified name of the operator that the last phase is about; empty if it is about none."""
    phase = read_phase(folder)
    return phase.removeprefix(_OPERATOR) if phase.startswith(_OPERATOR) else ""


def read_phase(folder: str) -> str:
    """The phase that began last; empty before the first."""
    try:
        return _text(folder, _PHASE)
    except OSError:
        return ""


def _text(folder: str, name: str) -> str:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def _replace(path: str, text: str) -> None:
    part = f"{path}.part"
    with open(part, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(part, path)
