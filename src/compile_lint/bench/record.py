"""What `compile-lint bench` measured: plain frozen values, without torch, that are written and read as JSON.

Times are milliseconds of wall time unless the name says seconds; memory is bytes. A figure that could not be measured
is None, and a sentence in `notes` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from compile_lint.confirm.join.model import Confirmation
from compile_lint.confirm.observation import Status

VERSION = 1
"""Of the form of the record; a record of another is refused."""
Start = Literal["cold", "warm", "artifacts"]
"""A fresh process with an empty compile cache, with a full one, or one that loads portable cache artifacts."""
Remedy = Literal["as-is", "dynamic", "static", "mark-dynamic", "buckets"]


@dataclass(frozen=True, slots=True)
class Machine:
    """Where it was measured."""

    system: str = ""
    cpu: str = ""
    cores: int = 0
    """Usable by this process."""
    memory: int = 0
    python: str = ""
    torch: str = ""
    device: str = ""
    """`cpu`, or `cuda:0 (name of the device)`."""
    device_memory: int = 0
    driver: str = ""
    cuda: str = ""
    threads: int = 0
    interop_threads: int = 0
    compiler: str = ""
    """The C++ compiler that inductor uses on the CPU, and its version; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Raw latencies of calls in steady processes, a tuple a repeat; repeats of eager and compiled alternate.

    The first repeats come from one process, then one from each further start: the spread holds what differs between
    processes.
    """

    repeats: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Phases:
    """Milliseconds of one first call by the part of the compiler that took them; None where torch does not tell."""

    dynamo: float | None = None
    aot: float | None = None
    inductor: float | None = None


@dataclass(frozen=True, slots=True)
class WarmUp:
    """First calls in fresh processes, one entry a process."""

    start: Start
    first_call: tuple[float, ...] = ()
    phases: tuple[Phases, ...] = ()
    calls: tuple[tuple[float, ...], ...] = ()
    """The latencies of the first calls of each process in order, the very first included."""
    steady_after: int | None = None
    """After so many calls a call takes what it takes from then on; None where it did not settle."""


@dataclass(frozen=True, slots=True)
class Size:
    """One input size of the traffic: `values` are those of `Traffic.dimensions` in order."""

    values: tuple[int, ...]
    requests: int


@dataclass(frozen=True, slots=True)
class RemedyCost:
    """The traffic served once by one process under one remedy."""

    remedy: Remedy
    total_ms: float | None = None
    """All requests: compiling and running, from measured or interpolated times."""
    compile_ms: float | None = None
    compiles: int = 0
    """Compilations, the first included."""
    requests_that_compile: int = 0
    padding_share: float = 0.0
    """Of the elements computed, the share that is padding."""
    raised: str = ""
    """Why the remedy cannot be used, such as a size that must be static; empty where it can."""
    estimated: bool = False
    """Whether sizes that were not run are interpolated from those that were."""
    limit_hit: bool = False
    """Whether the recompile limit was reached: what came after ran in eager mode."""
    compiled_at: tuple[tuple[tuple[int, ...], int], ...] = ()
    """Of each size that was run: its values, and the compilations that it caused."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Requests by input size, and what each remedy makes of them."""

    source: str
    """The file, or the options of `--vary`."""
    dimensions: tuple[str, ...] = ()
    """Such as `x.0`, as `--vary` writes them."""
    sizes: tuple[Size, ...] = ()
    remedies: tuple[RemedyCost, ...] = ()
    cheapest: str = ""
    edges: tuple[tuple[int, ...], ...] = ()
    """Bucket edges for each dimension: a size is padded to the next edge."""
    size_ms: tuple[tuple[tuple[int, ...], float, float], ...] = ()
    """Of each size that was run: its values, eager and compiled median."""

    @property
    def requests(self) -> int:
        """All of them."""
        return sum(size.requests for size in self.sizes)


@dataclass(frozen=True, slots=True)
class TargetBench:
    """Everything measured of one target."""

    name: str
    target: str = ""
    status: Status = "ok"
    message: str = ""
    backend: str = ""
    mode: str = ""
    dynamic: bool | None = None
    grad: str = ""
    seed: int = 0
    inputs: tuple[str, ...] = ()
    """The arguments of the first call as specifications, such as `x=float32[2,3]`."""
    eager: Latency = Latency()
    compiled: Latency = Latency()
    """Empty where the target could not be compiled; `compiled_error` or `notes` say why."""
    compiled_error: str = ""
    """In one line what the compiled call raised, or what became of its process, where the eager call went well."""
    eager_first_call: tuple[float, ...] = ()
    """Of fresh processes: the first call is slow without a compiler too."""
    calls_a_repeat: int = 0
    eager_memory: int | None = None
    """Peak bytes while eager calls ran: of the device on CUDA, of the process on the CPU."""
    compiled_memory: int | None = None
    warm_ups: tuple[WarmUp, ...] = ()
    traffic: Traffic | None = None
    same_result: bool | None = None
    differences: tuple[str, ...] = ()
    tolerance: str = ""
    confirmation: Confirmation | None = None
    """Graph breaks and score of the same target, as `compile-lint confirm` gives them."""
    seconds: dict[str, float] = field(default_factory=dict)
    """What each part of the measurement took."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BenchRecord:
    """One run of `compile-lint bench`."""

    version: int = VERSION
    tool: str = ""
    """The version of compile-lint."""
    began: str = ""
    """ISO 8601, UTC."""
    machine: Machine = Machine()
    targets: tuple[TargetBench, ...] = ()
