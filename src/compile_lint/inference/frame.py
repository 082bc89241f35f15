"""One function under analysis: its variables, where in its control flow the walk stands, and what it has recorded."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compile_lint.inference.values import CERTAIN, LIKELY, POSSIBLE, UNKNOWN, Origin, Tensor, Value

if TYPE_CHECKING:
    from compile_lint.inference.engine import Engine
    from compile_lint.project.modules import ClassInfo, FunctionInfo, ModuleInfo


@dataclass(slots=True, eq=False)
class Event:
    """Something a rule may answer to, at one node. `sure` is CERTAIN, LIKELY or POSSIBLE."""

    name: str
    module: ModuleInfo
    node: ast.AST
    sure: int
    function: str
    in_loop: bool
    frame_skipped: bool
    origin: Origin | None = None
    subject: ast.AST | str | None = None
    callee: str = ""
    ids: tuple[str, ...] = ()
    needs: str = ""
    """The torch._dynamo.config setting that makes it harmless."""
    splits: bool = True
    """Whether the graph ends here (a recompile or a wrong result does not end it)."""
    entries: set[str] = field(default_factory=set)

    @property
    def key(self) -> Site:
        """One finding a place, an event and a callee."""
        node = self.node
        return (self.module.path, getattr(node, "lineno", 1), getattr(node, "col_offset", 0), self.name, self.callee)


Site = tuple[str, int, int, str, str]
"""What tells one event or call from every other, however often it is met: file, line, column, name, callee."""


@dataclass(frozen=True, slots=True)
class Alone:
    """Operations of the node that ends the graph at `site`: they run by themselves, in no graph."""

    count: int
    site: Site


@dataclass(frozen=True, slots=True)
class Met:
    """An event is met here. `skips`: it gives the frame up; `branch`: it stands where Python decides what runs."""

    event: Event
    skips: bool
    branch: bool

    @property
    def site(self) -> Site:
        """The place that a run meets or does not meet."""
        return self.event.key


@dataclass(frozen=True, slots=True)
class Call:
    """An analysed function runs here `times` times. `skips`: a break in it gives this frame up too.

    `replaced`: something else may run in its place.
    """

    summary: Summary
    site: Site
    times: int
    skips: bool
    branch: bool
    replaced: bool = False


Step = int | Alone | Met | Call


@dataclass(frozen=True, slots=True)
class Called:
    """A call of an operator (`ns::name`, or `ns::name.overload`), or of something else by its dotted name.

    `kind` is then that of the event (`native-call`, `foreign-jit`), `autograd-function`, or `opt-out` for a function
    that is disabled or not traced.
    """

    name: str
    module: ModuleInfo
    node: ast.AST
    kind: str = "operator"


@dataclass(slots=True, eq=False)
class Summary:
    """What analysing a function with some kinds of arguments gave.

    `steps` is what runs, in order: a number of operations, operations in no graph, events that are no less than likely,
    and called functions.
    """

    result: Value = UNKNOWN
    info: FunctionInfo | None = None
    """The function; None for what a module does outside of any."""
    events: list[Event] = field(default_factory=list)
    children: list[Summary] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    called: list[Called] = field(default_factory=list)
    ended: bool = False
    """A certain break was met on the way."""
    marked: bool = False
    done: bool = False

    def mark_skipped(self) -> None:
        """A caller gives its whole frame up for the breaks in here. Visits each summary once."""
        stack = [self]
        while stack:
            current = stack.pop()
            if current.marked:
                continue
            current.marked = True
            for event in current.events:
                event.frame_skipped = True
            stack.extend(current.children)

    def add_operations(self, count: int) -> None:
        """`count` operations run next."""
        if self.steps and isinstance(self.steps[-1], int):
            self.steps[-1] += count
        else:
            self.steps.append(count)


class Frame:
    """The walk through one function."""

    __slots__ = (
        "bound_class",
        "branch",
        "broken",
        "caught",
        "closure",
        "engine",
        "env",
        "globals",
        "info",
        "loop",
        "module",
        "muted",
        "once",
        "passes",
        "reach",
        "results",
        "skip",
        "stores",
        "summary",
        "times",
    )

    def __init__(self, engine: Engine, info: FunctionInfo | None, module: ModuleInfo, env: dict[str, Value]) -> None:
        self.engine = engine
        self.info = info
        self.module = module
        self.env = env
        self.closure: list[dict[str, Value]] = []
        self.bound_class: ClassInfo | None = info.owner if info else None
        self.globals: set[str] = set()
        self.summary = Summary(info=info)
        self.results: list[Value] = []
        self.loop = 0
        self.skip = 0
        self.branch = False
        """Whether the walk is on one side of a test that nothing here decides."""
        self.muted = 0
        self.passes = 1
        self.reach = CERTAIN
        self.once = False
        self.times = 1
        self.caught: list[str] = []
        self.broken: Event | None = None
        """At which event the graph ended last."""
        self.stores: dict[str, Value] | None = None
        """Where `self.name = value` goes while a constructor is read; None elsewhere."""

    def lookup(self, name: str) -> Value | None:
        """A local or enclosing variable."""
        value = self.env.get(name)
        if value is not None:
            return value
        for scope in self.closure:
            value = scope.get(name)
            if value is not None:
                return value
        return None

    def origin(self, node: ast.AST, reason: str = "") -> Origin:
        """The origin of a value made at a node of this frame."""
        return Origin(node, self.module, reason)

    def tensor(
        self,
        node: ast.AST,
        dtype: str = "",
        scalar: bool | None = None,
        sure: int = CERTAIN,
        made: str = "computed",
        of: Value | None = None,
    ) -> Tensor:
        """A tensor computed at a node, out of `of` where that is one."""
        base = of.origin if isinstance(of, Tensor) else None
        return Tensor(dtype, scalar, sure, Origin(node, self.module, "", base), made)

    def made_here(self, value: Tensor) -> int:
        """CERTAIN for a tensor that this very function makes, LIKELY for one that it was given.

        As the input of a graph of its own, a 0-d tensor can stand where one computed in the same graph cannot.
        """
        node, info = (value.origin.node if value.origin else None), self.info
        line = getattr(node, "lineno", 0)
        end = getattr(info.node, "end_lineno", 0) if info is not None else 0
        here = info is not None and value.origin is not None and value.origin.module is self.module
        return CERTAIN if here and info is not None and info.node.lineno <= line <= (end or 0) else LIKELY

    def operations(self, count: int = 1, at: ast.AST | None = None) -> None:
        """Count tensor operations, for the score; those of the very node that ended the graph run in none."""
        if self.muted:
            return
        if at is not None and self.broken is not None and at is self.broken.node:
            self.summary.steps.append(Alone(count * self.times, self.broken.key))
        else:
            self.summary.add_operations(count * self.times)

    def calls(self, name: str, node: ast.AST, kind: str = "operator") -> None:
        """Note a call of an operator or of native code."""
        if not self.muted:
            self.summary.called.append(Called(name, self.module, node, kind))

    def emit(
        self,
        name: str,
        node: ast.AST,
        sure: int = CERTAIN,
        *,
        value: Value | None = None,
        subject: ast.AST | str | None = None,
        callee: str = "",
        ids: tuple[str, ...] = (),
        skip: bool = False,
        needs: str = "",
        splits: bool = True,
        module: ModuleInfo | None = None,
    ) -> None:
        """Record an event at a node; `skip`: this one always gives up the whole frame."""
        if self.muted or (needs and self.engine.settings.torch_config.get(needs)):
            return
        if isinstance(value, Tensor):
            sure = min(sure, value.sure)
        if splits and self.summary.ended:
            sure = min(sure, LIKELY)  # what comes behind a break may be reached in another way, or never
        origin = getattr(value, "origin", None)
        skipped = splits and (skip or self.skip > 0)
        event = Event(
            name,
            module or self.module,
            node,
            min(sure, self.reach_of_breaks if splits else self.reach),
            self.info.qualname if self.info else "<module>",
            self.loop > 0,
            skipped,
            origin,
            subject,
            callee,
            ids,
            needs,
            splits,
        )
        self.summary.events.append(self.engine.record(event))
        if event.sure > POSSIBLE:
            self.summary.steps.append(Met(event, skipped, self.branch))
            if splits:
                self.summary.ended = self.summary.ended or event.sure == CERTAIN
                self.broken = event

    @property
    def reach_of_breaks(self) -> int:
        """How surely a break here is met again and again; one that runs once for an object is no more than possible."""
        return POSSIBLE if self.once else self.reach

    def attach(self, child: Summary, node: ast.AST, replaced: bool = False) -> None:
        """A call of an analysed function at a node; `replaced`: a decorator may have put another in its place."""
        if self.muted:
            return
        self.summary.children.append(child)
        site = (self.module.path, getattr(node, "lineno", 1), getattr(node, "col_offset", 0), "runs", "")
        self.summary.steps.append(Call(child, site, self.times, self.skip > 0, self.branch, replaced))
        if self.skip:
            child.mark_skipped()

    def inside(
        self,
        *,
        loop: int = 0,
        skip: int = 0,
        reach: int = CERTAIN,
        times: int = 1,
        once: bool = False,
        branch: bool = False,
    ) -> _Inside:
        """Walk a part of the body under further conditions: a context manager."""
        return _Inside(self, loop, skip, reach, times, once, branch)


class _Inside:
    """Further conditions of a part of a body, for as long as it is walked."""

    __slots__ = ("conditions", "frame", "saved")

    def __init__(self, frame: Frame, *conditions: int) -> None:
        self.frame = frame
        self.conditions = conditions

    def __enter__(self) -> None:
        frame = self.frame
        loop, skip, reach, times, once, branch = self.conditions
        self.saved = (frame.loop, frame.skip, frame.reach, frame.times, frame.once, frame.branch)
        frame.loop += loop
        frame.skip += skip
        if reach < frame.reach:
            frame.reach = reach
        frame.once = frame.once or bool(once)
        frame.branch = frame.branch or bool(branch)
        if times != 1:
            frame.times = min(frame.times * times, 10_000)

    def __exit__(self, *exc: object) -> None:
        frame = self.frame
        frame.loop, frame.skip, frame.reach, frame.times, frame.once, frame.branch = self.saved
