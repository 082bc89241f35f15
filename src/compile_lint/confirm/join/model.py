"""A target's observation joined with the linter's findings: what every report, gate and merge works on.

Plain frozen values. Their fields are those of the JSON report; paths are as shown to the user.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from compile_lint.confirm.observation import Explain, OperatorSeen, Place, Raised, Status
from compile_lint.findings import Finding

Verdict = Literal["confirmed", "refuted", "not-reached"]
CostKind = Literal["error", "break", "recompile", "outside"]


@dataclass(frozen=True, slots=True)
class Figures:
    """How the predictions held: numbers of findings by verdict, and of breaks that no finding named."""

    confirmed: int = 0
    refuted: int = 0
    not_reached: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class JoinedFinding:
    """A finding of the linter with what running said of it; `because` is that in words."""

    finding: Finding
    verdict: Verdict
    because: str


@dataclass(frozen=True, slots=True)
class JoinedBreak:
    """One line at which a graph ended."""

    path: str
    line: int
    function: str
    graph_break_id: str
    url: str
    reason: str
    hint: str
    frame_skipped: bool
    times: int
    in_project: bool
    stack: tuple[Place, ...] = ()
    """The user stack, outermost first."""
    predicted: bool = False
    codes: tuple[str, ...] = ()
    """Rules of the findings in its statement; of a break in a library, at the project's line that led there."""
    call: int = 0
    """The first call, from 0, on which it was seen."""
    charged_to: Place | None = None
    """The innermost line of the project that led there; None where there is none."""
    consequence_of: str = ""
    """`path:line` of the break for which the whole frame was given up, where this line is only named for that."""
    source: str = ""
    """The text of the line, stripped."""


@dataclass(frozen=True, slots=True)
class JoinedRecompile:
    """One compilation more of a function."""

    path: str
    line: int
    function: str
    call: int
    guard: str
    reason: str
    input: str = ""
    guard_place: Place | None = None
    automatic_dynamic: bool = False
    """Whether it only made a size dynamic; those cost nothing in the score."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one break, recompilation or error costs the measured score, in points of 100."""

    kind: CostKind
    path: str
    line: int
    points: float
    reason: str
    codes: tuple[str, ...] = ()
    graph_break_id: str = ""


@dataclass(frozen=True, slots=True)
class FixFirst:
    """The one change that raises the measured score most: what to change, and the score it would give."""

    kind: CostKind
    path: str
    line: int
    reason: str
    gain: float
    score: float


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What one target did under TorchDynamo, and how the linter's predictions held.

    `str()` of it is the report in text, and a notebook shows it as HTML.
    """

    name: str
    status: Status = "ok"
    """`ok` if it ran; else one of user-error, crashed, timeout, out-of-memory, unsupported."""
    message: str = ""
    """What went wrong, where `status` is not ok."""
    traceback: str = ""
    """The user's own traceback, where `status` is not ok."""
    torch: str = ""
    device: str = ""
    entry: Place | None = None
    """The function that was compiled."""
    calls: int = 0
    """How many input sets were called."""
    graphs: tuple[int, ...] = ()
    """Operations of each graph that ran in the first call, in order."""
    ops_outside_graphs: int = 0
    """Operations of the first call that ran in no graph."""
    compiled_graphs: int = 0
    guards: int = 0
    explain: Explain | None = None
    breaks: tuple[JoinedBreak, ...] = ()
    """Every line at which a graph ended, sorted by path and line."""
    findings: tuple[JoinedFinding, ...] = ()
    """The linter's findings in the files that ran, each with its verdict."""
    recompiles: tuple[JoinedRecompile, ...] = ()
    recompile_limit_hit: bool = False
    error: Raised | None = None
    """Raised by the compiled call and not by eager."""
    same_result: bool | None = None
    """Whether the compiled calls gave what eager gave; None where that was not compared."""
    tolerance: str = ""
    differences: tuple[str, ...] = ()
    seen_until: Place | None = None
    """With fake tensors: the line that ended the observation."""
    operators: tuple[OperatorSeen, ...] = ()
    """The custom operators that the eager calls called, each with what its checks say."""
    seconds: dict[str, float] = field(default_factory=dict)
    predicted_score: float | None = None
    """What the linter gave the same entry; None where it knows no such entry."""
    score: float | None = None
    """0 to 100, by the same formula from what was measured; None where nothing was."""
    deductions: tuple[Cost, ...] = ()
    """They add up to 100 less the score."""
    fix_first: FixFirst | None = None
    figures: Figures = Figures()

    @property
    def ops(self) -> int:
        """Operations of the first call."""
        return sum(self.graphs) + self.ops_outside_graphs

    def __str__(self) -> str:
        from compile_lint.confirm.report.text import one

        return one(self)

    def _repr_html_(self) -> str:
        from compile_lint.confirm.report.html import one

        return one(self)


@dataclass(frozen=True, slots=True)
class ConfirmRun:
    """All targets of a run, in the order they were named."""

    targets: tuple[Confirmation, ...] = ()
    score: float | None = None
    """0 to 100, the mean over the targets, each weighing its operations; None where none was measured."""
    figures: Figures = Figures()
    shard: str = ""
    """`1/4` where the run took only its share of the targets."""

    @property
    def torch(self) -> str:
        """The version of torch, or all of them where targets differ."""
        return ", ".join(dict.fromkeys(target.torch for target in self.targets if target.torch))

    @property
    def device(self) -> str:
        """The device, or all of them where targets differ."""
        return ", ".join(dict.fromkeys(target.device for target in self.targets if target.device))
