"""What the page says, in words of one language and without markup: HTML and Markdown are made from the same values.

A text may set code in backticks, as the messages of rules do.
"""

from __future__ import annotations

from dataclasses import dataclass

from compile_lint.bench.record import BenchRecord, TargetBench
from compile_lint.decision.model import Decision, Verdict, Weight
from compile_lint.report_page.drawing import Drawing


@dataclass(frozen=True, slots=True)
class Subject:
    """One target that is reported on: the decision, and what was measured where anything was."""

    decision: Decision
    bench: TargetBench | None = None
    record: BenchRecord | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and what it is; `assumed` where it was typed in and not measured."""

    name: str
    value: str
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first cell of a row is its heading."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: int = 1
    """From this column on, counted from 0, cells are numbers."""
    links: tuple[str, ...] = ()
    """Where the first cell of each row leads to within the page; empty for nowhere."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of numbers, the same in a sentence or two, and the numbers themselves."""

    title: str
    words: str
    drawing: Drawing
    table: Table


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a source file from `first` (1-based) on, of which `marked` is the one that is meant."""

    first: int
    lines: tuple[str, ...]
    marked: int


@dataclass(frozen=True, slots=True)
class Remedy:
    """What a rule's page says: why, and what to write instead, in English; or the break that has told it before."""

    code: str
    name: str
    why: str = ""
    instead: str = ""
    told_at: str = ""


@dataclass(frozen=True, slots=True)
class BreakView:
    """One line at which a graph ends."""

    place: str
    function: str
    facts: tuple[str, ...]
    reason: str
    hint: str
    excerpt: Excerpt | None
    remedies: tuple[Remedy, ...]
    link: str = ""
    """The page of PyTorch on this graph break; empty where there is none, or its address is no plain one."""
    link_name: str = ""


@dataclass(frozen=True, slots=True)
class ReasonView:
    """One reason of the verdict, with where it comes from."""

    weight: Weight
    weight_name: str
    text: str
    evidence: str
    link: str
    """The part of the page that shows it, such as `#model-1-figures`."""


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the checklist."""

    text: str
    evidence: str
    link: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class ModelView:
    """Everything about one target."""

    anchor: str
    name: str
    verdict: Verdict
    verdict_name: str
    sentence: str
    facts: tuple[Fact, ...]
    reasons: tuple[ReasonView, ...]
    charts: tuple[Chart, ...]
    tables: tuple[Table, ...]
    troubles: tuple[str, ...]
    """What compiling does besides breaks: an error, recompilations, other results; a sentence each."""
    breaks: tuple[BreakView, ...]
    no_breaks: str
    """What stands where there are none: that none was seen, or that nobody looked."""
    checklist: tuple[Item, ...]
    method: tuple[Fact, ...]
    formulas: tuple[str, ...]
    assumptions: tuple[str, ...]
    """What the formulas take for granted."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page."""

    language: str
    title: str
    sentence: str
    overview: Table | None
    models: tuple[ModelView, ...]
    written_by: str
