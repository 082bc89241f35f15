"""The worker's side: loads and observes one target, leaves the observation and ends, whatever the target started."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from compile_lint.confirm.load.errors import LoadError, from_exception, leave_if_forked, own_process
from compile_lint.confirm.observation import Observation
from compile_lint.confirm.worker import mail
from compile_lint.confirm.worker.mail import Job

if TYPE_CHECKING:
    from compile_lint.confirm.observe.called import Called

LEAST_SECONDS = 0.01
_PR_SET_PDEATHSIG = 1
"""Of linux/prctl.h."""


def main() -> NoReturn:
    """Do the job on standard input. The process ends here, with all its threads."""
    own_process()
    job = mail.job(sys.stdin.buffer.read())
    _end_with(job.starter)
    _prepare_streams()
    # Both write through the file's descriptor without taking Python's lock, so that they work in a crash or a hang.
    stacks = open(os.path.join(job.folder, mail.STACKS), "w")  # noqa: SIM115
    faulthandler.enable(stacks)
    left = job.started + job.target.timeout - time.time()
    faulthandler.dump_traceback_later(max(left, LEAST_SECONDS), file=stacks)
    seen = _Worker(job).run()
    leave_if_forked()
    mail.write(job.folder, seen, done=True)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(0)  # threads that the target left must not keep the process


def _end_with(starter: int) -> None:
    """Let the system end this process when the one that started it is killed and can no longer do so; Linux only."""
    if not starter or not sys.platform.startswith("linux"):
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != starter:  # it was gone before that
        os._exit(1)


def _prepare_streams() -> None:
    """What is printed last must be out when the process dies; what an encoding lacks is spelt out."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]


class _Worker:
    def __init__(self, job: Job) -> None:
        self.job = job
        self.seen = Observation(name=job.target.name)

    def run(self) -> Observation:
        """The observation, or what was seen before something stood in the way."""
        try:
            return self._observed() if self.job.kind == "observe" else self._checked()
        except LoadError as error:
            return self._ended(error)
        except BaseException as error:
            # Observing catches what the target raises where it calls it; what comes here was raised in between,
            # such as want of memory, or by a thread's or signal handler's doing.
            return self._ended(from_exception(error, "observing it"))

    def _ended(self, error: LoadError) -> Observation:
        return replace(self.seen, status=error.status, message=error.message, traceback=error.traceback)

    def _checked(self) -> Observation:
        """The operators that the target calls, or that its samples name, each checked."""
        begun = time.perf_counter()
        found = {each.seen.qualified: each for each in self._operators()}
        seen = {name: each.seen for name, each in found.items()}
        self._report(replace(self.seen, operators=tuple(seen.values())))
        from compile_lint.confirm.observe.opcheck import checked

        for name in [name for name in found if name not in self.job.settled]:
            self._phase(mail.phase_of_operator(name))
            seen[name] = checked(found[name])
            self._report(replace(self.seen, operators=tuple(seen.values())))
        return replace(self.seen, seconds={"opcheck": round(time.perf_counter() - begun, 4)})

    def _operators(self) -> Sequence[Called]:
        from compile_lint.confirm.load.subject import check_files, check_torch, load

        self._phase("load")
        if self.job.kind != "samples":
            check_files(self.job.target)
        self.seen = replace(self.seen, torch=check_torch())
        if self.job.kind == "samples":
            from compile_lint.confirm.load.samples import samples

            return samples(self.job.target)
        subject = load(self.job.target)
        from compile_lint.confirm.observe.observer import called

        return called(subject, self.job.target, phase=self._phase)

    def _observed(self) -> Observation:
        from compile_lint.confirm.load.subject import check_files, check_torch, load

        begun = time.perf_counter()
        self._phase("load")
        check_files(self.job.target)
        self.seen = replace(self.seen, torch=check_torch())
        subject = load(self.job.target)
        self.seen = replace(self.seen, device=subject.device, project=subject.project)
        self._report(self.seen)
        if self.job.errand is not None:
            importlib.import_module(self.job.errand.work).run(
                self.job.target, subject, self.job.errand.plan, self._phase
            )
            return self.seen
        from compile_lint.confirm.observe import observe

        loaded = time.perf_counter() - begun
        seen = observe(subject, self.job.target, phase=self._phase, report=self._report)
        seconds = {name: seen.seconds.get(name, 0.0) + loaded for name in ("load", "total")}
        return replace(seen, seconds={**seen.seconds, **{name: round(value, 4) for name, value in seconds.items()}})

    def _phase(self, name: str) -> None:
        leave_if_forked()
        mail.write_phase(self.job.folder, name)

    def _report(self, seen: Observation) -> None:
        leave_if_forked()
        self.seen = seen
        mail.write(self.job.folder, seen, done=False)
