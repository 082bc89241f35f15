"""The time that calls take: wall time on the CPU, events on the GPU, always until the work is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch


class Clock:
    """Times calls and adds up what they took."""

    def __init__(self, cuda: bool) -> None:
        self.cuda = cuda
        self.spent = 0.0
        """Seconds in all calls that were timed."""

    def wall(self, function: Callable[[], Any]) -> tuple[Any, float]:
        """What it returns, and milliseconds of wall time until the device is idle: for first calls."""
        self._idle()
        begun = time.perf_counter()
        result = function()
        self._idle()
        took = time.perf_counter() - begun
        self.spent += took
        return result, took * 1e3

    def steady(self, function: Callable[[], Any]) -> float:
        """Milliseconds of one call from an idle device to the end of its work."""
        if not self.cuda:
            return self.wall(function)[1]
        torch.cuda.synchronize()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        function()
        end.record()
        end.synchronize()
        took = float(begin.elapsed_time(end))
        self.spent += took / 1e3
        return took

    def _idle(self) -> None:
        if self.cuda:
            torch.cuda.synchronize()
