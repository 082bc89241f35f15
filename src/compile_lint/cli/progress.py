"""How far a long run has come, on a terminal only."""

from __future__ import annotations

import os
import sys
import time

_PATIENCE = 0.6
"""Seconds before anything is shown: short runs stay quiet."""
_PAUSE = 0.1
"""Seconds between two changes of the line."""


class Progress:
    """One line on standard error, written over itself and wiped at the end. Silent where that is no terminal."""

    def __init__(self, wanted: bool = True) -> None:
        self._on = wanted and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """Note that so many of so many files are done."""
        if not self._on or (now := time.monotonic()) < self._next:
            return
        self._next = now + _PAUSE
        share = f"{done} of {total} files" if total else f"{done} files"
        self.show(f"linting {share}")

    def show(self, words: str) -> None:
        """Show a line at once. `words` must be safe to print."""
        if not self._on:
            return
        self._shown = True
        sys.stderr.write(f"\r\x1b[2K{words}")
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
