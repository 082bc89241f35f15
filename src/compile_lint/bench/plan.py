"""What one worker process is to measure, and what it answers: plain values that travel as JSON. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from compile_lint.bench.record import Machine, Phases, Remedy

Work = Literal["eager", "steady", "start", "sizes"]
"""Eager calls alone; a cold start, then eager and compiled calls in turn; a first call; the sizes of the traffic."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do. `answer` is the file that the answer is left in, anew after each stage."""

    work: Work
    answer: str
    repeats: int = 5
    calls: int = 0
    """Of a repeat; 0: as many as `seconds` allow."""
    seconds: float = 4.0
    """For eager and compiled calls together."""
    first_calls: int = 8
    """Of a start, the very first included."""
    results: str = ""
    """The file with the results of the first eager call: `eager` writes it, `steady` compares with it."""
    save_artifacts: str = ""
    load_artifacts: str = ""
    remedy: Remedy = "as-is"
    dimensions: tuple[str, ...] = ()
    """Paths as `--vary` writes them; those that change together are separated by blanks."""
    sizes: tuple[tuple[int, ...], ...] = ()
    """In the order in which they are served."""


@dataclass(frozen=True, slots=True)
class SizeRun:
    """One size as one process met it: the first call, then the median of some more."""

    values: tuple[int, ...]
    first_ms: float
    steady_ms: float
    compiles: int
    """Pieces of code that were compiled in the first call or in those after it."""
    calls_that_compile: int = 0
    eager_ms: float | None = None
    """The median of eager calls, where they were made."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was measured, as far as it came. The fields are those of the record."""

    machine: Machine = field(default_factory=Machine)
    inputs: tuple[str, ...] = ()
    eager: tuple[tuple[float, ...], ...] = ()
    compiled: tuple[tuple[float, ...], ...] = ()
    eager_memory: int | None = None
    compiled_memory: int | None = None
    calls: tuple[float, ...] = ()
    """The first calls of the process in order."""
    phases: Phases = field(default_factory=Phases)
    error: str = ""
    """Raised by a compiled call, in one line."""
    disk_full: bool = False
    """Whether it was raised because a file could not be written."""
    same_result: bool | None = None
    differences: tuple[str, ...] = ()
    tolerance: str = ""
    not_finite: bool = False
    """Whether the eager result holds NaN or infinity."""
    compiler_missing: str = ""
    """Why inductor finds no C++ compiler; empty where it does, or needs none."""
    sizes: tuple[SizeRun, ...] = ()
    recompile_limit: int = 8
    limit_hit: bool = False
    artifacts: bool = False
    """Whether cache artifacts were saved, or found what was asked for."""
    measured: float = 0.0
    """Seconds spent in the calls that were timed."""
    notes: tuple[str, ...] = ()
