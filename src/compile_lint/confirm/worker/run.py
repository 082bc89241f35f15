"""Runs many targets, so many at a time, and ends everything at once when told to."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.observation import Observation
from compile_lint.confirm.target import Target
from compile_lint.confirm.worker.checking import Checks, unchecked, wanted

if TYPE_CHECKING:
    from compile_lint.confirm.worker.mail import Errand, Kind
    from compile_lint.confirm.worker.process import Process

_WAIT_SECONDS = 0.05
_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or another signal that ends the run. Every worker is gone."""

    def __init__(self, observations: Sequence[Observation], signal_number: int) -> None:
        super().__init__("interrupted")
        self.observations = list(observations)
        """What was done before, in the order of the targets."""
        self.signal_number = signal_number


def confirm_all(
    targets: Sequence[Target],
    *,
    jobs: int = 1,
    on_start: Callable[[Target], None] | None = None,
    on_done: Callable[[Observation], None] | None = None,
    kind: Kind = "observe",
    errand: Errand | None = None,
) -> list[Observation]:
    """Observe each target in a process of its own, `jobs` at a time; the observations in the order of the targets.

    The custom operators that a target calls are checked afterwards, in another process; where `kind` is `samples` the
    targets are samples of operators, and checking these is all there is to do.

    `on_start` and `on_done` are called in this thread, as workers start and end. No process is left when this returns
    or raises. With an `errand` each worker does that in place of observing; its observation only says how that ended.

    Raises:
        Interrupted: (a KeyboardInterrupt) at Ctrl-C, SIGTERM or SIGHUP where this is the main thread.
        ConfigError: what workers need is not installed.
    """
    try:
        import compile_lint.confirm.worker.process  # noqa: F401
    except ModuleNotFoundError as error:
        raise ConfigError(f"confirm needs {error.name}: pip install 'compile-lint[confirm]'") from error
    with tempfile.TemporaryDirectory(prefix="compile-lint-", ignore_cleanup_errors=True) as folder:
        run = _Run(targets, folder, on_start or _ignore, on_done or _ignore, kind, errand)
        with run.signals():
            run.all(max(jobs, 1))
        return run.observations()


def _ignore(_: object) -> None:
    pass


class _Run:
    """One run: what waits, what runs and what is done, by position."""

    def __init__(
        self,
        targets: Sequence[Target],
        folder: str,
        on_start: Callable[[Target], None],
        on_done: Callable[[Observation], None],
        kind: Kind,
        errand: Errand | None,
    ) -> None:
        self.targets = targets
        self.errand = errand
        self.folder = folder
        self.on_start = on_start
        self.on_done = on_done
        self.kind = kind
        self.wake = threading.Event()
        self.stopped_by = 0
        self.ending = False
        self.waiting = list(range(len(targets)))[::-1]
        self.running: dict[int, Process] = {}
        self.checks: dict[int, Checks] = {}
        self.done: dict[int, Observation] = {}

    def observations(self) -> list[Observation]:
        """Those that there are, in the order of the targets."""
        found = {**{number: checks.result("interrupted") for number, checks in self.checks.items()}, **self.done}
        return [found[number] for number in sorted(found)]

    def all(self, jobs: int) -> None:
        """Run until all is done. Interrupted if a signal says so; the workers are gone whatever happens."""
        try:
            while self.waiting or self.running:
                self._check()
                while self.waiting and len(self.running) < jobs:
                    self._start(self.waiting.pop())
                    self._check()
                self._collect()
            self._check()
        finally:
            self.ending = True
            for process in self.running.values():
                process.end()

    def _check(self) -> None:
        if self.stopped_by:
            raise Interrupted(self.observations(), self.stopped_by)

    def _start(self, number: int) -> None:
        from compile_lint.confirm.worker import outcome
        from compile_lint.confirm.worker.process import Process

        target = self.targets[number]
        folder = os.path.join(self.folder, str(number))
        os.mkdir(folder)
        self.on_start(target)
        if self.kind != "observe":
            self.checks[number] = Checks(target, Observation(target.name), self.kind)
        try:
            self.running[number] = Process(target, folder, self.wake.set, self.kind, errand=self.errand)
        except OSError as error:
            self.checks.pop(number, None)
            self._finish(number, outcome.not_started(target, error))

    def _collect(self) -> None:
        """Take what has ended; wait a moment if nothing has."""
        ended = {number: seen for number, process in self.running.items() if (seen := process.poll()) is not None}
        for number, seen in ended.items():
            self._after(number, self.running.pop(number), seen)
        if not ended:
            self.wake.wait(_WAIT_SECONDS)
            self.wake.clear()

    def _after(self, number: int, process: Process, seen: Observation) -> None:
        """What one worker leaves: the end of its target, or work for another one that checks operators."""
        checks = self.checks.get(number)
        if checks is None:
            if not wanted(process.target, seen):
                self._finish(number, unchecked(process.target, seen))
                return
            checks = self.checks[number] = Checks(process.target, seen, "operators")
        elif not checks.take(seen, process.seconds):
            self._finish(number, self.checks.pop(number).result())
            return
        self._start_checking(number, checks)

    def _start_checking(self, number: int, checks: Checks) -> None:
        from compile_lint.confirm.worker import outcome
        from compile_lint.confirm.worker.process import Process

        folder = os.path.join(self.folder, f"{number}-{len(checks.settled)}")
        os.mkdir(folder)
        try:
            self.running[number] = Process(checks.target, folder, self.wake.set, checks.kind, checks.settled)
        except OSError as error:
            checks.take(outcome.not_started(checks.target, error), 0.0)
            self._finish(number, self.checks.pop(number).result())

    def _finish(self, number: int, seen: Observation) -> None:
        self.done[number] = seen
        self.on_done(seen)

    @contextlib.contextmanager
    def signals(self) -> Iterator[None]:
        """Hold signals that end the run back, so that they cannot strike between starting a worker and noting it.

        A second one is not held back, for a callback may hang; only the end of the workers is never broken off.
        """
        before = {}
        if threading.current_thread() is threading.main_thread():
            for name in _STOPPING:
                number = getattr(signal, name, None)
                if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, self._stop)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self.stopped_by and not self.ending:
            raise Interrupted(self.observations(), number)
        self.stopped_by = number
        self.wake.set()
