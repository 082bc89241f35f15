"""All processes that a worker started, near and far: their memory, and their end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time

import psutil

MARK = "COMPILE_LINT_WORKER"
"""The variable, inherited by whatever a worker starts, that tells its processes from all others."""
_END_SECONDS = 5.0
"""So long, at most, it takes until killed processes are gone."""
_GONE = (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess, OSError)


class Family:
    """A worker and what it started, those that left its process group and those that lost their parent among them."""

    def __init__(self, worker: subprocess.Popen[bytes], mark: str) -> None:
        """`mark` is the value of MARK in the worker's environment."""
        self.worker = worker
        self.mark = mark
        self.started = 0.0
        self.known: dict[psutil.Process, None] = {}
        with contextlib.suppress(*_GONE):
            process = psutil.Process(worker.pid)
            self.known[process] = None
            self.started = process.create_time()

    def look(self) -> list[psutil.Process]:
        """The processes below the worker now; they stay known when their parents end."""
        with contextlib.suppress(*_GONE):
            for process in psutil.Process(self.worker.pid).children(recursive=True):
                self.known[process] = None
        return [process for process in self.known if _lives(process)]

    def memory(self) -> int:
        """Bytes of memory that they hold. Where that adds up what forks share, the shares are asked for too."""
        return sum(_bytes(process, shared=False) for process in self.look())

    def memory_shared_once(self) -> int:
        """The same with what several of them share counted once, which costs more; Linux only, else `memory`."""
        return sum(_bytes(process, shared=True) for process in self.look())

    def kill(self) -> None:
        """End them all, the worker too, and return when they are gone."""
        end = time.monotonic() + _END_SECONDS
        while True:
            self._kill_group()
            living = self._all()
            for process in living:
                with contextlib.suppress(*_GONE):
                    process.kill()
            if not living or time.monotonic() > end:
                break
            psutil.wait_procs(living, timeout=0.1)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.worker.wait(_END_SECONDS)

    def _kill_group(self) -> None:
        """At once for the whole group: processes that fork all the time are quicker than a loop over them."""
        # While the worker is not waited for, no other process can get its number.
        if self.worker.returncode is None and hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.worker.pid, signal.SIGKILL)

    def _all(self) -> list[psutil.Process]:
        """Those below the worker, those known from before, and those that carry the mark."""
        self.look()
        own = os.getpid()
        for process in psutil.process_iter():
            with contextlib.suppress(*_GONE):
                if process.pid != own and process.create_time() >= self.started and process not in self.known:
                    if process.environ().get(MARK) == self.mark:
                        self.known[process] = None
        return [process for process in self.known if _lives(process)]


def has_ended(worker: subprocess.Popen[bytes]) -> bool:
    """Whether the worker has ended. Its number stays taken until it is waited for, where the system can do that."""
    if worker.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return worker.poll() is not None
    try:
        return os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except _GONE:
        return False


def _bytes(process: psutil.Process, *, shared: bool) -> int:
    with contextlib.suppress(*_GONE):
        if shared:
            full = process.memory_full_info()
            return int(getattr(full, "pss", full.rss))
        return int(process.memory_info().rss)
    return 0
