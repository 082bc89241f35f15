"""What the analysis of each file gave, as plain values, and the one report that they add up to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from compile_lint.checks.candidate import Candidate
from compile_lint.checks.messages import message
from compile_lint.findings import CONFIDENCES, EntryScore, FileError, Finding, Report
from compile_lint.inference.values import LIKELY
from compile_lint.plain import PASSING
from compile_lint.project.reads import Reads
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.rulebook.model import Rule


@dataclass(slots=True)
class FileResult:
    """What the entries of one file gave. Candidates may stand in other files: in what the entries call."""

    path: str
    candidates: list[Candidate] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    """What needs no look at the concrete tree: syntax errors, and how torch.compile is called."""
    scores: list[EntryScore] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)
    reads: Reads = field(default_factory=Reads, metadata={PASSING: True})

    def without_reads(self) -> FileResult:
        """The same, and no longer than it must be: what was read is many times what was found."""
        self.reads = Reads()
        return self


def report_of(results: Iterable[FileResult], rules: Rulebook) -> Report:
    """Join the results of all files, in the order of the files: it decides which of two equal places is shown."""
    findings: list[Finding] = []
    scores: list[EntryScore] = []
    errors: dict[tuple[str, str], FileError] = {}
    held: dict[tuple[str, int, int, str, str], Candidate] = {}
    files = 0
    for result in results:
        files += 1
        findings.extend(result.findings)
        scores.extend(result.scores)
        for error in result.errors:
            errors.setdefault((error.path, error.message), error)
        for candidate in result.candidates:
            known = held.setdefault(candidate.key, candidate)
            if known is not candidate and known.merge(candidate):
                known.steps = candidate.steps
    findings.extend(finding for candidate in held.values() if (finding := _finding(candidate, rules)) is not None)
    unique = {(f.place, f.message): f for f in findings}
    return Report(
        tuple(sorted(unique.values(), key=lambda f: f.place)),
        tuple(sorted(scores, key=lambda s: (s.path, s.cell or 0, s.line, s.entry))),
        tuple(errors.values()),
        files,
    )


def rule_for(rules: Rulebook, event: str, callee: str, ids: tuple[str, ...]) -> Rule | None:
    """The rule that answers to an event; a more special event falls back to the general one for calls."""
    found = rules.for_event(event, callee, ids)
    return found or (rules.for_event("call", callee, ids) if callee else None)


def rank(sure: int, rule: Rule) -> int:
    """The rank of a finding's confidence: as sure as the event, at most what the rule allows."""
    return min(sure - 1, CONFIDENCES.index(rule.confidence))


def _finding(event: Candidate, rules: Rulebook) -> Finding | None:
    """The finding of a candidate; None where no rule answers or its file could not be looked at."""
    rule, span = rule_for(rules, event.event, event.callee, event.ids), event.span
    if rule is None or span is None:
        return None
    # a node that the concrete tree does not show at its place is never certain
    confidence = CONFIDENCES[rank(event.sure if event.shown else min(event.sure, LIKELY), rule)]
    return Finding(
        code=rule.code,
        name=rule.name,
        kind=rule.kind,
        confidence=confidence,
        path=event.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=message(rule, event),
        why=rule.why.strip(),
        instead=rule.instead.strip(),
        function=event.function,
        entry=_entry_name(event),
        in_loop=event.in_loop,
        frame_skipped=event.frame_skipped and rule.kind in ("break", "error"),
        graph_break_ids=event.ids or rule.graph_break_ids,
        steps=event.steps,
    )


def _entry_name(event: Candidate) -> str:
    return event.function if event.function in event.entries else min(event.entries, default=event.function)
