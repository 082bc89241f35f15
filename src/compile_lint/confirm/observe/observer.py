"""Observes one target in this process: eager, explained, compiled."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import torch
import torch._dynamo

from compile_lint.confirm.exceptions import is_out_of_memory
from compile_lint.confirm.observation import Observation, OperatorSeen, Raised
from compile_lint.confirm.observe import agreement, explained, itself, lines, raised, state, summary
from compile_lint.confirm.observe.agreement import Watch
from compile_lint.confirm.observe.called import Called, Recorder
from compile_lint.confirm.observe.listener import Heard, enabled, listening
from compile_lint.confirm.observe.metadata import copy
from compile_lint.confirm.observe.metrics import Metrics
from compile_lint.confirm.observe.operations import Capture, CountOperations, in_place_of_backends, named_backend
from compile_lint.confirm.observe.places import Files, Places
from compile_lint.confirm.observe.subject import Prepared, Subject
from compile_lint.confirm.target import Target

_GRAD: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "grad": torch.enable_grad,
    "no-grad": torch.no_grad,
    "inference-mode": torch.inference_mode,
}


def observe(
    subject: Subject,
    target: Target,
    *,
    phase: Callable[[str], None] | None = None,
    report: Callable[[Observation], None] | None = None,
) -> Observation:
    """Run the subject without and with compilation, and say all that was seen. What the subject raises is a result.

    `phase` is told the name of each phase as it begins (`load`, `eager`, `explain`, `compile`, `later_calls`);
    `report` is given what is known after each. Settings, random numbers, logging, modes and defaults of torch are put
    back; the caches of TorchDynamo are emptied. A backend or a setting that torch does not have is the status
    `unsupported`.
    """
    with state.preserved():
        return _Observer(subject, target, phase or _ignore, report or _ignore).run()


def called(subject: Subject, target: Target, *, phase: Callable[[str], None] | None = None) -> list[Called]:
    """The custom operators that the eager calls of a subject call, with copies of the arguments of their samples.

    What the calls raise ends them: the operators up to there are given.
    """
    with state.preserved():
        return _Observer(subject, target, phase or _ignore, _ignore).called()


def _ignore(_value: object) -> None:
    pass


class _Stop(Exception):  # noqa: N818 - it is no error
    """The observation ends here, with what was seen."""


@dataclass(slots=True)
class _Ran:
    """One call: what it gave, what it changed of its arguments, or what it raised."""

    result: Any = None
    changed: dict[str, Any] = field(default_factory=dict)
    error: BaseException | None = None


class _Observer:
    def __init__(
        self,
        subject: Subject,
        target: Target,
        phase: Callable[[str], None],
        report: Callable[[Observation], None],
    ) -> None:
        self.subject = subject
        self.target = target
        self.phase = phase
        self.report = report
        self.project = tuple(dict.fromkeys((*subject.project, *target.project)))
        self.places = Places(self.project)
        self.fake: Any = _fake_mode() if target.fake else None
        self.seconds: dict[str, float] = {}
        self.seen = Observation(name=subject.name, torch=str(torch.__version__), project=self.project)
        self.operations = 0
        self.eager: list[_Ran] = []
        self.eager_state: dict[str, Any] = {}
        self.compiled: list[_Ran] = []
        self.itself = False

    def run(self) -> Observation:
        """All phases, as far as they come."""
        begun = time.perf_counter()
        with contextlib.suppress(_Stop):
            backend = self._configured()
            torch._dynamo.reset()
            self._eagerly()
            if self.seen.status == "ok":
                self._explain()
            self._compile(backend)
        self.seconds["total"] = time.perf_counter() - begun
        return self._said()

    def _configured(self) -> Callable[..., Any] | None:
        """Apply the settings; gives the backend that was asked for."""
        try:
            state.configure(self.target.torch_config)
            return named_backend(self.target.backend, self.target.mode, self.target.dynamic)
        except LookupError as error:
            self._said(status="unsupported", message=str(error.args[0]))
            raise _Stop from None

    # what every phase needs

    @contextlib.contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        self.phase(name)
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun

    def _said(self, **more: Any) -> Observation:
        self.seen = replace(self.seen, seconds={k: round(v, 4) for k, v in self.seconds.items()}, **more)
        return self.seen

    def _fresh(self) -> Prepared:
        with self._phase("load"):
            state.seed(self.target.seed)
            try:
                prepared = self.subject.fresh(self.fake)
            except raised.CATCHABLE as error:
                self._ended_by(error, "while it was made")
        return prepared

    def _ended_by(self, error: BaseException, when: str) -> None:
        """Give up for an exception of the user's code or for want of memory."""
        said = raised.raised(error, self.places, 0)
        status = "out-of-memory" if is_out_of_memory(error) else "user-error"
        self._said(status=status, message=_one_line(said, when), traceback=said.traceback)
        raise _Stop from None

    def _failed(self, error: BaseException, when: str) -> None:
        """An exception of the user's code that does not end the observation."""
        said = raised.raised(error, self.places, 0)
        self._said(status="user-error", message=_one_line(said, when), traceback=said.traceback)

    def _call(
        self,
        function: Callable[..., Any],
        prepared: Prepared,
        number: int,
        within: AbstractContextManager[Any] | None = None,
    ) -> _Ran:
        """One call with its seeds, its modes and its own context; `within` is entered last."""
        args, kwargs = prepared.calls[number]
        around = prepared.around or self.subject.around
        ran = _Ran()
        named = agreement.arguments(prepared.callable, args, kwargs)
        watch = Watch(lambda: named) if self.fake is None else None
        state.seed(self.target.seed + number)
        try:
            with contextlib.ExitStack() as stack:
                stack.enter_context(_GRAD[self.target.grad]())
                if self.fake is not None:
                    stack.enter_context(self.fake)
                if around is not None:
                    stack.enter_context(around(number))
                if within is not None:
                    stack.enter_context(within)
                result = function(*args, **kwargs)
        except raised.CATCHABLE as error:
            ran.error = error
        else:
            ran.result = agreement.kept(result) if self.fake is None else None
        if watch is not None:
            ran.changed = watch.changed()
        return ran

    # the phases

    def _eagerly(self) -> None:
        prepared = self._fresh()
        self._said(
            entry=itself.entry(prepared.callable),
            device=self.subject.device or _device(prepared),
            calls=len(prepared.calls),
        )
        if not prepared.calls:
            self._said(status="unsupported", message="there is no call to make: the target has no input sets")
            raise _Stop
        self.itself = itself.compiled_already(prepared.callable)
        recorder = lines.recorder(Files(os.path.dirname(torch.__file__)).recorded)
        eager = itself.Eager(self.places)
        count = CountOperations()
        operators = Recorder(self.places, first=lambda name: self._first_call(operators, name))
        before = Watch(lambda: agreement.state(prepared.callable)) if self.fake is None else None
        with self._phase("eager"), eager.running():
            recorder.start()
            try:
                for number in range(len(prepared.calls)):
                    within = _both(operators.recording(), count) if number == 0 else operators.recording()
                    ran = self._call(prepared.callable, prepared, number, within)
                    self.eager.append(ran)
                    if ran.error is not None:
                        break
            finally:
                recorder.stop()
        self.operations = count.count
        self.itself = self.itself or eager.compiles_itself
        self.eager_state = before.changed() if before is not None else {}
        self._said(covered={path: tuple(sorted(each)) for path, each in recorder.lines.items() if each})
        self._said(operators=operators.operators if not operators.was_blind else self._again(operators))
        self._eager_error()
        self.report(self.seen)

    @contextlib.contextmanager
    def _first_call(self, operators: Recorder, name: str) -> Iterator[None]:
        """Tell which operator runs before it does, as it may end the process."""
        self._said(operators=operators.operators)
        self.report(self.seen)
        self.phase(f"operator {name}")
        try:
            yield
        finally:
            self.phase("eager")

    def called(self) -> list[Called]:
        """The operators of the eager calls, as far as those come."""
        recorder = Recorder(self.places, copy)
        with contextlib.suppress(_Stop):
            self._configured()
            self._record(recorder)
            if recorder.was_blind:
                self._record(recorder)
        return list(recorder.called.values())

    def _record(self, recorder: Recorder) -> None:
        prepared = self._fresh()
        with self._phase("eager"), itself.Eager(self.places).running():
            for number in range(len(prepared.calls)):
                if self._call(prepared.callable, prepared, number, recorder.recording()).error is not None:
                    break

    def _again(self, operators: Recorder) -> tuple[OperatorSeen, ...]:
        """The operators of the first call once more, now that what it registered is there."""
        prepared = self._fresh()
        with self._phase("eager"), itself.Eager(self.places).running():
            self._call(prepared.callable, prepared, 0, operators.recording())
        return operators.operators

    def _eager_error(self) -> None:
        error = self.eager[-1].error
        if error is None:
            return
        number = len(self.eager) - 1
        if self.fake is not None and raised.data_dependent(error):
            self._said(seen_until=raised.first_place(error, self.places))
        elif is_out_of_memory(error):
            self._ended_by(error, f"in eager mode, on call {number}")
        else:  # what is compiled up to there is still worth knowing
            self._failed(error, f"in eager mode, on call {number}")

    def _explain(self) -> None:
        if self.itself:
            return
        prepared = self._fresh()
        found = []

        def explain(*args: Any, **kwargs: Any) -> None:
            found.append(explained.explain(prepared.callable, args, kwargs))

        with self._phase("explain"):
            self._call(explain, prepared, 0)
        self._said(explain=found[0] if found else None)
        self.report(self.seen)

    def _compile(self, backend: Callable[..., Any] | None) -> None:
        heard = Heard()
        capture = Capture(heard, backend)
        metrics = Metrics()
        with in_place_of_backends(capture):
            prepared = self._fresh()
            function: Any = prepared.callable
            if not self.itself:
                function = torch.compile(function, backend=capture, dynamic=self.target.dynamic)
            before = Watch(lambda: agreement.state(prepared.callable)) if self.fake is None else None
            with listening(heard):
                for number in range(len(self.eager)):
                    with self._phase("compile" if number == 0 else "later_calls"):
                        heard.call = number
                        enabled()
                        self.compiled.append(self._call(function, prepared, number))
                    self._heard(heard, capture, metrics)
                    if number == 0:
                        self.report(self.seen)
                    self._memory_error()
        self._compare(before.changed() if before is not None else {})
        self.report(self.seen)

    def _memory_error(self) -> None:
        error = self.compiled[-1].error
        if error is not None and is_out_of_memory(error):
            self._ended_by(error, f"compiled, on call {len(self.compiled) - 1}")

    def _heard(self, heard: Heard, capture: Capture, metrics: Metrics) -> None:
        """Put what was heard until now into the observation."""
        ran = capture.ran(0)
        found = summary.breaks(heard.breaks, self.places)
        inside = sum(graph.operations for graph in ran)
        whole = bool(ran) and not any(each.call == 0 for each in found)
        self.seconds["tracing"] = metrics.tracing()
        self._said(
            graphs=tuple(graph.nodes for graph in ran),
            ops_outside_graphs=0 if whole else max(0, self.operations - inside),
            compiled_graphs=len(capture.graphs),
            guards=metrics.guards(),
            breaks=found,
            recompiles=summary.recompiles(
                heard.recompiles, _opened(heard, capture), self.places, tuple(self.seen.covered)
            ),
            recompile_limit_hit=bool(heard.limits),
            error=self._compiled_error(),
        )

    def _compiled_error(self) -> Raised | None:
        for number, (eager, compiled) in enumerate(zip(self.eager, self.compiled, strict=False)):
            if compiled.error is not None and eager.error is None:
                return raised.raised(compiled.error, self.places, number)
        return None

    def _compare(self, state_changed: dict[str, Any]) -> None:
        if self.fake is not None:
            return
        said: list[str] = []
        for number, (eager, compiled) in enumerate(zip(self.eager, self.compiled, strict=True)):
            if eager.error is not None:
                continue
            if compiled.error is not None:
                said.append(f"call {number}: raises {type(compiled.error).__name__} only where it is compiled")
                continue
            said += agreement.differences(f"call {number}: the result", eager.result, compiled.result)
            said += agreement.changes(f"call {number}: input", eager.changed, compiled.changed)
        if not any(each.error for each in (*self.eager, *self.compiled)):
            said += agreement.changes("after all calls: attribute", self.eager_state, state_changed)
        compared = [[each.result, each.changed] for each in self.eager if each.error is None]
        if not compared:
            return
        self._said(
            same_result=not said, differences=tuple(said), tolerance=agreement.tolerance([compared, self.eager_state])
        )


def _opened(heard: Heard, capture: Capture) -> list[bool | None]:
    """For each recompilation, whether the graph captured next leaves something open; None where none was captured."""
    ends = [*heard.graphs_before[1:], len(capture.graphs)]
    return [
        capture.graphs[start].symbolic if start < end else None
        for start, end in zip(heard.graphs_before, ends, strict=False)
    ]


@contextlib.contextmanager
def _both(outer: AbstractContextManager[Any], inner: AbstractContextManager[Any]) -> Iterator[None]:
    with outer, inner:
        yield


def _fake_mode() -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode(allow_non_fake_inputs=True)


def _device(prepared: Prepared) -> str:
    """Where the first tensor of the module or of its arguments lies."""
    function: Any = prepared.callable
    parameters = function.parameters() if isinstance(function, torch.nn.Module) else iter(())
    values = [value for args, kwargs in prepared.calls for value in (*args, *kwargs.values())]
    tensor = next(parameters, None)
    if tensor is None:
        tensor = next((value for value in values if isinstance(value, torch.Tensor)), None)
    if tensor is None or tensor.device.type != "cuda":
        return "cpu" if tensor is None else str(tensor.device)
    name = torch.cuda.get_device_name(tensor.device) if torch.cuda.is_available() else "no such device here"
    return f"cuda:{tensor.device.index or 0} ({name})"


def _one_line(said: Raised, when: str) -> str:
    text = said.message.partition("\n")[0]
    where = f" ({said.place.path}:{said.place.line})" if said.place else ""
    return f"{said.kind}: {text}{where}, {when}" if text else f"{said.kind}{where}, {when}"
