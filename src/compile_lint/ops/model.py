"""What the inventory says, as plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compile_lint.findings import FileError

Verdict = Literal["ready", "splits", "raises", "risk", "unknown"]
VERDICTS: tuple[Verdict, ...] = ("raises", "risk", "splits", "unknown", "ready")
"""From the one that hurts most to the one that hurts least."""
BAD: frozenset[Verdict] = frozenset(("raises", "risk", "splits"))
Kind = Literal["operator", "pybind", "autograd-function", "triton-kernel", "foreign", "opt-out"]
KINDS: tuple[Kind, ...] = ("operator", "pybind", "autograd-function", "triton-kernel", "foreign", "opt-out")
"""An operator of torch's dispatcher; a function of a compiled extension module; a torch.autograd.Function; a Triton
kernel; code of another compiler or loaded by ctypes or cffi; and a function that torch.compile is told to leave alone.
"""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line, 1-based, of a file or of a notebook's cell (`nb.ipynb:cell 3`)."""

    path: str
    line: int


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A call inside a compile region, and the entry that leads there."""

    path: str
    line: int
    entry: str


@dataclass(frozen=True, slots=True)
class Row:
    """One operator. `name` is `ns::name`, or a dotted name where it is no operator of torch's dispatcher."""

    name: str
    overload: str
    schema: str
    """As torch prints it, names and all; empty where it cannot be told."""
    declared: Place | None
    """None for one that is used, and declared nowhere in these files."""
    kernels: tuple[str, ...]
    """Dispatch keys."""
    fake: bool
    autograd: bool
    vmap: bool
    mutates: tuple[str, ...]
    aliases: tuple[str, ...]
    """Arguments whose memory an output may share."""
    uses: tuple[Use, ...]
    verdict: Verdict
    reason: str
    kind: Kind = "operator"

    @property
    def full_name(self) -> str:
        """With the overload, where there is one."""
        return f"{self.name}.{self.overload}" if self.overload else self.name


@dataclass(frozen=True, slots=True)
class Inventory:
    """All operators of a project, by name, and what could not be read."""

    rows: tuple[Row, ...] = ()
    errors: tuple[FileError, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """How many have a verdict."""
        return sum(row.verdict == verdict for row in self.rows)
