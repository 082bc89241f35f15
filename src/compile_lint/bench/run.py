"""One target measured: which workers run in which order, and the record that their answers make."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from compile_lint.bench import remedies
from compile_lint.bench.figures import latency, settled_after
from compile_lint.bench.options import Options
from compile_lint.bench.plan import Answer
from compile_lint.bench.progress import Steps
from compile_lint.bench.record import Latency, Machine, Start, TargetBench, WarmUp
from compile_lint.bench.served import chosen
from compile_lint.bench.workers import Told, Workers
from compile_lint.confirm.join.model import Confirmation
from compile_lint.confirm.observation import Observation
from compile_lint.confirm.target import Target
from compile_lint.discover import shown

Join = Callable[[Observation], Confirmation]
_DISK = "the folder for compile caches is full ({folder}); TMPDIR says where it lies"
_COMPILER = (
    "nothing was compiled: inductor needs a C++ compiler on the CPU, and finds none ({why}); install g++ or clang++, "
    "or name one by CXX. Eager calls and graph breaks were measured"
)


def measure(target: Target, options: Options, join: Join, show: Callable[[str], None]) -> tuple[TargetBench, Machine]:
    """Measure one target.

    Args:
        target: what is measured, with a backend.
        options: how much of it.
        join: what the linter makes of an observation.
        show: is given a line that says what is being measured and how long is left, before each step.

    Raises:
        KeyboardInterrupt: a signal ended it; no process is left.
    """
    with tempfile.TemporaryDirectory(prefix="compile-lint-bench-", ignore_cleanup_errors=True) as folder:
        bench = Bench(Workers(target, folder), options, Steps(target.name, options, show))
        bench.all(join)
        return bench.made, bench.machine


def _shown(target: str) -> str:
    """The text of a target with its path as other reports give it: relative where it lies below the folder."""
    path, colon, name = target.rpartition(":")
    return f"{shown(path, os.getcwd())}:{name}" if colon and os.path.isabs(path) else target


_SIZES_CONFIRMED = 4
_NOISY = 1.5
"""Medians of two repeats that lie further apart are not explained by the model."""


class Bench:
    """The measurement of one target, part by part; `made` is the record as far as it came."""

    def __init__(self, workers: Workers, options: Options, steps: Steps) -> None:
        target = workers.target
        self.workers = workers
        self.options = options
        self.steps = steps
        self.target = target
        self.machine = Machine()
        self.seconds: dict[str, float] = {}
        self.measured = 0.0
        self.made = TargetBench(
            name=target.name,
            target=_shown(target.target),
            backend=target.backend,
            mode=target.mode,
            dynamic=target.dynamic,
            grad=target.grad,
            seed=target.seed,
        )

    def all(self, join: Join) -> None:
        """Every part that can be measured and was asked for."""
        begun = time.monotonic()
        if self._eager() and self._steady():
            self._starts()
            self._note_noise("eager", self.made.eager)
            self._note_noise("compiled", self.made.compiled)
            self._traffic()
        if self.options.confirm and self.made.status == "ok":
            self._confirm(join)
        self.seconds |= {"total": time.monotonic() - begun, "measured": self.measured}
        self.say(seconds={name: round(spent, 3) for name, spent in self.seconds.items()})

    def say(self, **more: Any) -> None:
        """Put something into the record."""
        self.made = replace(self.made, **more)

    def note(self, *words: str) -> None:
        """Say why something is missing, once."""
        self.say(notes=tuple(dict.fromkeys((*self.made.notes, *words))))

    def step(self, part: str, words: str, *args: Any, **plan: Any) -> Told:
        """One worker, its time noted."""
        self.steps.begin(part, words)
        told = self.workers.measure(*args, **plan)
        self.steps.done(part, told.seconds)
        self.seconds[part] = self.seconds.get(part, 0.0) + told.seconds
        self.measured += told.answer.measured
        self.note(*told.answer.notes)
        return told

    def _plan(self) -> dict[str, Any]:
        options = self.options
        results = os.path.join(self.workers.folder, "results")
        return {"repeats": options.repeats, "calls": options.calls, "seconds": options.seconds, "results": results}

    def _eager(self) -> bool:
        """The process without a compiler; whether the target can be called, and something compiled."""
        told = self.step("eager", "eager calls", "eager", self.workers.cache("none"), **self._plan())
        answer, seen = told.answer, told.seen
        self.machine = answer.machine
        self.say(
            status=seen.status,
            message=seen.message,
            inputs=answer.inputs,
            eager=Latency(answer.eager),
            eager_first_call=answer.calls[:1],
            eager_memory=answer.eager_memory,
        )
        if seen.status != "ok":
            return False
        if answer.not_finite:
            self.note("the eager result holds NaN or infinity: equal results say little then")
        if answer.compiler_missing:
            self.note(_COMPILER.format(why=answer.compiler_missing))
            self.steps.drop("steady", "cold", "warm", "artifacts", "sizes")
        return not answer.compiler_missing

    def _steady(self) -> bool:
        """A cold start and the calls in turn; whether the target could be compiled."""
        artifacts = os.path.join(self.workers.folder, "artifacts") if self.options.artifacts else ""
        cache = self.workers.cache("cold0")
        words = "cold start, then eager and compiled calls"
        told = self.step("steady", words, "steady", cache, **self._plan(), save_artifacts=artifacts)
        answer = told.answer
        self._warm_up("cold", answer)
        if answer.eager and answer.compiled:
            self.say(
                eager=Latency(answer.eager), compiled=Latency(answer.compiled), compiled_memory=answer.compiled_memory
            )
            self.say(calls_a_repeat=len(answer.compiled[0]))
        self.say(same_result=answer.same_result, differences=answer.differences, tolerance=answer.tolerance)
        self._failed(told)
        if self.made.compiled_error or self.made.status != "ok":
            self.steps.drop("cold", "warm", "artifacts", "sizes")
            return False
        self.steps.expect("cold", (told.seconds - self.options.seconds) * 0.9)
        return True

    def _note_noise(self, name: str, measured: Latency) -> None:
        found = latency(measured)
        if found is not None and found.high > found.low * _NOISY:
            self.note(
                f"the repeats of {name} calls differ by a factor of {found.high / found.low:.1f}: something else used "
                "the machine; measure again while it is quiet"
            )

    def _failed(self, told: Told) -> None:
        """What the compiled call raised, or what became of its process."""
        answer = told.answer
        if answer.disk_full:
            self.note(_DISK.format(folder=os.path.dirname(self.workers.folder)))
        if answer.error or told.problem:
            self.say(compiled_error=answer.error or told.problem)

    def _starts(self) -> None:
        """The other starts, each in a fresh process."""
        options, workers = self.options, self.workers
        for number in range(1, options.starts if options.cold else 1):
            self._start("cold", f"cold start {number + 1} of {options.starts}", workers.cache(f"cold{number}"))
            shutil.rmtree(workers.cache(f"cold{number}"), ignore_errors=True)
        for number in range(options.starts if options.warm else 0):
            self._start("warm", f"warm start {number + 1} of {options.starts}", workers.cache("cold0"))
        artifacts = os.path.join(workers.folder, "artifacts")
        if not os.path.exists(artifacts):
            self.steps.drop("artifacts")
            return
        for number in range(options.starts):
            words = f"start with cache artifacts {number + 1} of {options.starts}"
            cache = workers.cache(f"artifacts{number}")
            self._start("artifacts", words, cache, load_artifacts=artifacts)
            shutil.rmtree(cache, ignore_errors=True)

    def _start(self, start: Start, words: str, cache: str, **plan: Any) -> None:
        told = self.step(start, words, "start", cache, repeats=1, calls=self.made.calls_a_repeat, **plan)
        problem = told.answer.error or told.problem
        if problem:
            self.note(f"{words}: {problem}")
        else:
            self._warm_up(start, told.answer)
            made, answer = self.made, told.answer
            self.say(
                eager=Latency((*made.eager.repeats, *answer.eager)),
                compiled=Latency((*made.compiled.repeats, *answer.compiled)),
            )

    def _warm_up(self, start: Start, answer: Answer) -> None:
        """Add one process to the starts of its kind."""
        if not answer.calls:
            return
        found = {each.start: each for each in self.made.warm_ups}
        old = found.get(start, WarmUp(start))
        calls = (*old.calls, answer.calls)
        settled = [settled_after(each) for each in calls]
        found[start] = WarmUp(
            start,
            first_call=(*old.first_call, answer.calls[0]),
            phases=(*old.phases, answer.phases),
            calls=calls,
            steady_after=None if None in settled else max(each for each in settled if each is not None),
        )
        self.say(warm_ups=tuple(found.values()))

    def _traffic(self) -> None:
        """The traffic under each remedy, each in a fresh process with an empty cache."""
        if self.options.traffic is not None:
            self.say(traffic=remedies.measured(self, self.options.traffic))

    def _with_sizes(self) -> Target:
        """The target with a few sizes of the traffic as further calls: recompilations are seen at their lines."""
        traffic = self.options.traffic
        if traffic is None or len(traffic.dimensions) != 1:
            return self.target
        sizes = ",".join(str(values[0]) for values in chosen(traffic.sizes, _SIZES_CONFIRMED))
        return replace(self.target, vary=(f"{','.join(traffic.dimensions[0].split())}={sizes}",))

    def _confirm(self, join: Join) -> None:
        self.steps.begin("confirm", "graph breaks")
        begun = time.monotonic()
        seen = self.workers.observe(self._with_sizes())
        took = time.monotonic() - begun
        self.steps.done("confirm", took)
        self.seconds["confirm"] = took
        self.measured += sum(seen.seconds.get(name, 0.0) for name in ("eager", "explain", "compile", "later_calls"))
        self.say(confirmation=join(seen))
