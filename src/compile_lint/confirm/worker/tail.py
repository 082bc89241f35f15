"""The end of what a process prints: the rest is read and forgotten, so that it neither blocks nor fills memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import IO

MOST = 64 << 10
"""Bytes that are kept."""
_BLOCK = 1 << 16


class Tail:
    """Reads a pipe in a thread until its end, and keeps the end of it."""

    def __init__(self, pipe: IO[bytes], at_end: Callable[[], None]) -> None:
        """`at_end` is called, in the thread, when all who could write have gone."""
        self._pipe = pipe
        self._kept = b""
        self._at_end = at_end
        self._thread = threading.Thread(target=self._read, daemon=True, name="output of a worker")
        self._thread.start()

    def _read(self) -> None:
        try:
            while block := os.read(self._pipe.fileno(), _BLOCK):
                self._kept = (self._kept + block)[-MOST:]
        except (OSError, ValueError):
            pass  # closed
        finally:
            self._at_end()

    def text(self, seconds: float) -> str:
        """What was kept; waits so long for the end of the output."""
        self._thread.join(seconds)
        if not self._thread.is_alive():
            self._pipe.close()
        return self._kept.decode("utf-8", "replace")
