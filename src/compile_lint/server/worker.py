"""The thread that lints, so that the editor is answered meanwhile."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable

STACK = 128 * 1024 * 1024
"""Bytes, taken only as used: deeply nested code needs more than the half megabyte that macOS gives a thread."""


class Worker:
    """Does one job after the other. A job catches its own exceptions."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="compile-lint", daemon=True)
        before = threading.stack_size()
        with contextlib.suppress(ValueError, RuntimeError):  # a system that knows no such size
            threading.stack_size(STACK)
        try:
            self._thread.start()
        finally:
            threading.stack_size(before)

    def submit(self, job: Callable[[], None]) -> None:
        """Do it after those that wait."""
        self._jobs.put(job)

    def stop(self, timeout: float) -> None:
        """Do nothing more; wait at most `timeout` seconds for the job that runs."""
        self._jobs.put(None)
        self._thread.join(timeout)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
