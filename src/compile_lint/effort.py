"""How a run goes about its work: what it remembers from earlier ones, and how many processes share it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compile_lint.cache import Folder

WORTHWHILE = 1_500_000
"""Characters of source for each process: below, its start (0.4 s of CPU) costs more than it gains."""
MOST_PROCESSES = 8
"""Unless more are asked for: each may take as much memory as a run of one."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Nothing in here changes what is found."""

    cache: Folder | None = None
    jobs: int | None = 1
    """How many processes; None for as many as pay."""

    def workers(self, sizes: Sequence[int]) -> int:
        """How many processes analyse files of these sizes."""
        if not sys.executable:
            return 1
        if self.jobs is not None:
            return min(self.jobs, len(sizes))
        return min(processors(), MOST_PROCESSES, len(sizes), max(sum(sizes) // WORTHWHILE, 1))


def processors() -> int:
    """The CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
