"""What one target did under TorchDynamo: plain frozen values, without torch, that travel between processes as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Status = Literal["ok", "user-error", "crashed", "timeout", "out-of-memory", "unsupported"]
CheckName = Literal["schema", "autograd-registration", "fake-tensor", "aot-dispatch-dynamic", "metadata"]
CheckResult = Literal["passed", "failed", "skipped"]
OperatorStatus = Literal["passed", "failed", "crashed", "timeout", "not-checked"]


@dataclass(frozen=True, slots=True)
class Place:
    """One line of source: `path` is absolute, `line` 1-based, `function` the qualified name as Python says it."""

    path: str
    line: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """One source line at which a graph ended, however often.

    `at` is the innermost line that TorchDynamo names; `project` the innermost one of the project, which is the same
    line where `in_project`, and None where no line of the project led there.
    """

    at: Place
    project: Place | None
    in_project: bool
    graph_break_id: str
    """Such as GB0170; empty where TorchDynamo gives none."""
    url: str
    reason: str
    hint: str
    frame_skipped: bool
    """Whether the whole frame fell back to eager."""
    times: int
    call: int
    """The first call, from 0, on which it was seen."""
    stack: tuple[Place, ...] = ()
    """The user stack, outermost first; its last place is `at`."""
    consequence_of: str = ""
    """`path:line` of the break for which the whole frame was given up, where this line is only named for that."""
    also: tuple[str, ...] = ()
    """Further ids seen at the same line."""
    skip_reason: str = ""
    """Why the frame could not be resumed after the break, such as `GB7000 graph break in loop`; may be empty."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception: `place` is the innermost line of the project, None where there is none."""

    kind: str
    message: str
    place: Place | None
    call: int = 0
    graph_break_id: str = ""
    traceback: str = ""
    """The user's own frames, as Python prints them; frames of this tool are left out."""


@dataclass(frozen=True, slots=True)
class Recompile:
    """One compilation more of a function that had been compiled before."""

    place: Place
    """The function that was compiled again, at the line of its definition."""
    call: int
    """The call, from 0, that caused it. Call 0 too, where one function runs several times in one call."""
    guard: str
    """The guard that failed, as TorchDynamo writes it."""
    reason: str
    """The same in words."""
    input: str = ""
    """The argument (`x.size(0)`), attribute or global that the guard is about, where it can be named."""
    guard_place: Place | None = None
    """The line of the project that made TorchDynamo set the guard, where it says so."""
    automatic_dynamic: bool = False
    """Whether it only made a size or an int dynamic, which happens once and is no defect."""


@dataclass(frozen=True, slots=True)
class Explain:
    """What `torch._dynamo.explain` says of the first call."""

    graph_count: int = 0
    graph_break_count: int = 0
    ops_per_graph: tuple[int, ...] = ()
    guards: int = 0
    break_reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TensorMeta:
    """What is known of a tensor without its data: `dtype` such as float32, sizes and strides in elements."""

    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...] = ()
    """Empty for a tensor that has none, such as a sparse one."""
    device: str = "cpu"
    requires_grad: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call of an operator: its tensors, or its value as Python writes it."""

    name: str
    value: str = ""
    tensors: tuple[TensorMeta, ...] = ()
    """One for a tensor, those of a list in order; empty for what holds none."""


@dataclass(frozen=True, slots=True)
class OperatorCheck:
    """One test of an operator: one of `torch.library.opcheck`, or `metadata`, which is this tool's own."""

    name: CheckName
    result: CheckResult
    message: str = ""
    """Why it failed, or was not made; one line."""
    sample: int = 0
    """Which of the operator's samples showed that, from 0."""


@dataclass(frozen=True, slots=True)
class OperatorSeen:
    """A custom operator that the eager calls called, and how its registration stood up to the checks."""

    name: str
    """`namespace::operator`."""
    overload: str
    """`default` for the one without a name."""
    schema: str
    times: int
    """Calls, of all eager calls of the target together; those that another operator's kernel makes do not count."""
    place: Place | None = None
    """The innermost line of the project that called it first."""
    declared: Place | None = None
    """Where it is declared, if the linter knows."""
    samples: tuple[tuple[Argument, ...], ...] = ()
    """The arguments of the first calls that differ in anything but the data of their tensors."""
    status: OperatorStatus = "not-checked"
    message: str = ""
    """Why it was not checked, or how the process ended that did so."""
    checks: tuple[OperatorCheck, ...] = ()
    differences: tuple[str, ...] = ()
    """How what the fake kernel promises differs from what the real one returns, a sentence each."""

    @property
    def qualified(self) -> str:
        """`namespace::operator.overload`."""
        return f"{self.name}.{self.overload}"


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything observed of one target.

    Where `status` is not ok, `message` says in one line what happened; what was seen before that is kept.
    """

    name: str
    status: Status = "ok"
    message: str = ""
    traceback: str = ""
    """The user's own traceback, or the end of what a crashed process printed; may be empty."""
    torch: str = ""
    """Version, such as 2.13.0+cpu."""
    device: str = ""
    """`cpu`, or `cuda:0 (name of the device)`."""
    entry: Place | None = None
    """The function that was compiled (`forward` of a module) at the line of its definition."""
    calls: int = 0
    """How many input sets were called."""
    graphs: tuple[int, ...] = ()
    """Operations of each compiled graph that ran in the first call, in order, one for each time it ran."""
    ops_outside_graphs: int = 0
    """Tensor operations of the first call that ran in no graph."""
    compiled_graphs: int = 0
    """How many graphs were compiled over all calls."""
    guards: int = 0
    explain: Explain | None = None
    breaks: tuple[Break, ...] = ()
    error: Raised | None = None
    """Raised by a compiled call whose eager call raised nothing."""
    recompiles: tuple[Recompile, ...] = ()
    recompile_limit_hit: bool = False
    same_result: bool | None = None
    """Whether each compiled call agreed with eager; None where it was not compared."""
    tolerance: str = ""
    """The tolerances in words, such as `float32: rtol 1.3e-06, atol 1e-05`."""
    differences: tuple[str, ...] = ()
    """What differed, a sentence each: outputs, mutated inputs, attributes of the module."""
    covered: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Lines that ran in the eager calls, by absolute path, of every file outside torch and the standard library."""
    project: tuple[str, ...] = ()
    """Absolute paths of the folders and files that count as the project."""
    seen_until: Place | None = None
    """With fake tensors: the data-dependent read that ended the observation."""
    operators: tuple[OperatorSeen, ...] = ()
    """The custom operators that the eager calls called, in the order of their first calls."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Wall time by phase: load, eager, explain, compile, later_calls, total; opcheck comes after that, and tracing is
    TorchDynamo's own figure."""
