"""One folder of the workspace: when it is linted, and the state that the answers come from."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from compile_lint.findings import Source
from compile_lint.server.linter import Cancelled, Linter, Result
from compile_lint.server.worker import Worker


class Folder:
    """Lints what is open in a folder some time after the last change. Used on the event loop's thread alone."""

    def __init__(self, path: str, worker: Worker) -> None:
        self.path = path
        self.settings: Mapping[str, Any] = {}
        """What the editor says for this folder."""
        self.told: frozenset[str] = frozenset()
        """Problems that the user was told of."""
        self._linter = Linter(path)
        self._worker = worker
        self._ticket = 0
        self._timer: asyncio.TimerHandle | None = None
        self._start: Callable[[], None] | None = None
        self._settled = asyncio.Event()
        self._settled.set()

    def schedule(self, delay: float, start: Callable[[], None]) -> None:
        """Call `start`, which calls `lint`, after `delay` seconds without another change. What runs is cancelled."""
        self.cancel()
        self._settled.clear()
        self._start = start
        self._timer = asyncio.get_running_loop().call_later(delay, self._fire)

    def cancel(self) -> None:
        """Want no result of what waits or runs."""
        self._ticket += 1
        self._start = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._settled.set()

    async def settled(self) -> None:
        """Wait until what is open now is linted, without the delay."""
        while not self._settled.is_set():  # it may change again meanwhile
            self._fire()
            await self._settled.wait()

    def lint(
        self,
        opened: Mapping[str, Source],
        editor: Mapping[str, Any],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Lint on the other thread, and call `done` or `failed` on this one, unless something has changed since."""
        ticket, loop = self._ticket, asyncio.get_running_loop()

        def later(call: Callable[[], None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it the server
                loop.call_soon_threadsafe(finish, call)

        def finish(call: Callable[[], None]) -> None:
            if ticket != self._ticket:
                return
            try:
                call()
            finally:
                self._settled.set()

        def job() -> None:
            try:
                result = self._linter.lint(opened, editor, lambda: ticket != self._ticket)
            except Cancelled:
                return
            except Exception as error:  # a server goes on, whatever happens
                fault = error
                later(lambda: failed(fault))
            else:
                later(lambda: done(result))

        self._worker.submit(job)

    def _fire(self) -> None:
        start, self._start = self._start, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if start is not None:
            start()
