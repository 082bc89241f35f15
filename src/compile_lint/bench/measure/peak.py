"""Peak memory of a stretch of work: of the device on CUDA, of this process on the CPU."""

from __future__ import annotations

import re
import sys

import torch


class Peak:
    """The peak since the last `reset`; `read` gives None where the system does not tell."""

    def __init__(self, cuda: bool) -> None:
        self.cuda = cuda
        self._can = cuda

    def reset(self) -> None:
        """Begin anew."""
        if self.cuda:
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
        elif sys.platform.startswith("linux"):
            try:
                with open("/proc/self/clear_refs", "w") as file:
                    file.write("5")  # proc(5): resets the peak resident set size
                self._can = True
            except OSError:
                self._can = False

    def read(self) -> int | None:
        """Bytes."""
        if not self._can:
            return None
        if self.cuda:
            torch.cuda.synchronize()
            return int(torch.cuda.max_memory_allocated())
        with open("/proc/self/status") as file:
            found = re.search(r"^VmHWM:\s+(\d+) kB", file.read(), re.MULTILINE)
        return int(found[1]) * 1024 if found else None
