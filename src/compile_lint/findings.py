"""What the analysis says: plain frozen values without tree nodes, fit to be cached and sent between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["error", "wrong", "break", "recompile", "hazard"]
Confidence = Literal["certain", "likely", "possible"]

KINDS: tuple[Kind, ...] = ("error", "wrong", "break", "recompile", "hazard")
"""From the one that hurts most to the one that hurts least."""

CONFIDENCES: tuple[Confidence, ...] = ("possible", "likely", "certain")
"""Ascending, so that the index is a rank."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of how a value came to be a tensor. Line and column are 1-based."""

    path: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement that will not compile as hoped. Lines and columns are 1-based; `end_column` is exclusive."""

    code: str
    name: str
    kind: Kind
    confidence: Confidence
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    why: str
    instead: str
    function: str
    entry: str
    in_loop: bool = False
    frame_skipped: bool = False
    graph_break_ids: tuple[str, ...] = ()
    fix: None = None
    steps: tuple[Step, ...] = ()
    """How its value came to be a tensor, the first step first; the finding itself is no step."""

    @property
    def place(self) -> tuple[str, int, int, str]:
        """The order in which findings are shown."""
        return (self.path, self.line, self.column, self.code)


@dataclass(frozen=True, slots=True)
class Deduction:
    """What one finding costs an entry's score, in points of 100."""

    code: str
    line: int
    points: float
    reason: str


@dataclass(frozen=True, slots=True)
class EntryScore:
    """The readiness of one entry point: 0 to 100, with the predicted graphs and operations behind it."""

    entry: str
    path: str
    line: int
    score: float
    graphs: int
    ops: int
    deductions: tuple[Deduction, ...] = ()


@dataclass(frozen=True, slots=True)
class FileError:
    """A file or folder that could not be linted, and what to do about it. `fatal` ones make the exit code 2."""

    path: str
    message: str
    fatal: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run found, sorted by place."""

    findings: tuple[Finding, ...] = ()
    scores: tuple[EntryScore, ...] = ()
    errors: tuple[FileError, ...] = ()
    files: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """One file to lint: `path` as shown to the user, `text` decoded with its line ends kept."""

    path: str
    text: str
    encoding: str = "utf-8"
    root: str = field(default="", compare=False)
    """The folder that the file's dotted module name starts at."""
