"""What the analysis proposes to flag: plain values, so that no tree outlives the analysis of its file."""

from __future__ import annotations

from dataclasses import dataclass, field

from compile_lint.findings import Step


@dataclass(slots=True)
class Candidate:
    """An event detached from its tree. Lines are 1-based, columns are 0-based and count UTF-8 bytes, as in `ast`."""

    event: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    sure: int
    function: str
    in_loop: bool
    frame_skipped: bool
    subject: str
    callee: str
    ids: tuple[str, ...]
    reason: str
    entries: set[str] = field(default_factory=set)
    way: tuple[object, ...] = ()
    """The key of the way that `steps` tells; the smaller one counts."""
    steps: tuple[Step, ...] = ()

    def merge(self, other: Candidate) -> bool:
        """Take in what another entry says of the same place. Whether its steps count from now on."""
        mine, theirs = (self.sure, self.reason), (other.sure, other.reason)
        better = theirs > mine or (theirs == mine and other.way < self.way)
        if better:
            self.sure, self.reason, self.way = other.sure, other.reason, other.way
        self.in_loop = self.in_loop or other.in_loop
        self.frame_skipped = self.frame_skipped or other.frame_skipped
        self.entries |= other.entries
        return better
