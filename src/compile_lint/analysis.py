"""One run over a tree: entries, inference, candidates, findings, scores."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from compile_lint._data import rules_root
from compile_lint.checks.candidate import Candidate
from compile_lint.checks.compile_calls import compile_hazards
from compile_lint.checks.messages import because, message, subject_of
from compile_lint.checks.steps import Way
from compile_lint.findings import CONFIDENCES, Deduction, EntryScore, FileError, Finding, Report, Source
from compile_lint.inference.engine import Engine
from compile_lint.inference.frame import Event, Summary
from compile_lint.inference.graphs import events_of, graphs_of
from compile_lint.inference.tables import Tables
from compile_lint.inference.tables import load as load_tables
from compile_lint.inference.values import LIKELY, Func, Instance
from compile_lint.project.entries import Entry, compile_calls, entries_of
from compile_lint.project.modules import ModuleInfo
from compile_lint.project.project import BadSyntaxError, Project
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.rulebook.model import Rule
from compile_lint.score import readiness
from compile_lint.settings import Settings

Key = tuple[str, int, int, str, str]
RECURSION = 8000
"""Enough for 500 nested expressions, at three calls each in the analysis and ten in libcst."""
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class _Run:
    """What one run collects: candidates by file, scores and errors."""

    least: int
    """The rank of the least confidence that is reported."""
    candidates: dict[str, dict[Key, Candidate]] = field(default_factory=lambda: defaultdict(dict))
    findings: list[Finding] = field(default_factory=list)
    scores: list[EntryScore] = field(default_factory=list)
    errors: list[FileError] = field(default_factory=list)


def analyze(
    sources: Iterable[Source], settings: Settings, rulebook: Rulebook, progress: Progress | None = None
) -> Report:
    """Analyse a tree of sources. Findings are of every rule and carry no suppressions yet.

    Candidates less sure than `settings.min_confidence` are dropped here, before their files are parsed a second time.
    """
    project = Project(sources)
    return analyze_project(project, list(project.sources), settings, rulebook, progress)


def analyze_project(
    project: Project, paths: Sequence[str], settings: Settings, rulebook: Rulebook, progress: Progress | None = None
) -> Report:
    """Analyse the entries of some files of a project; the others are read as far as those lead into them."""
    rules = rulebook.valid_for(settings.target_torch)
    tables = load_tables(Path(rules_root()), settings.target_torch, rules)
    run = _Run(CONFIDENCES.index(settings.min_confidence))
    with _QuietCollector():
        for done, path in enumerate(paths):
            if progress is not None:
                progress(done, len(paths))
            try:
                _analyse_file(project, path, tables, settings, rules, run)
            except Exception as error:  # one file that the analysis cannot take never stops the others
                run.errors.append(_internal(path, error))
        findings = [*run.findings, *_flag_all(project, run, rules)]
    unique = {(f.place, f.message): f for f in findings}
    return Report(
        tuple(sorted(unique.values(), key=lambda f: f.place)),
        tuple(sorted(run.scores, key=lambda s: (s.path, s.line, s.entry))),
        tuple(run.errors),
        len(paths),
    )


class _QuietCollector:
    """Trees are large and hold no cycles: collecting while they are built costs a tenth of the run.

    Deeply nested code needs more than Python's usual depth of calls.
    """

    def __enter__(self) -> None:
        self._was = gc.isenabled()
        self._depth = sys.getrecursionlimit()
        gc.disable()
        sys.setrecursionlimit(max(self._depth, RECURSION))

    def __exit__(self, *exc: object) -> None:
        sys.setrecursionlimit(self._depth)
        if self._was:
            gc.enable()


def _analyse_file(project: Project, path: str, tables: Tables, settings: Settings, rules: Rulebook, run: _Run) -> None:
    try:
        module = project.load(path)
    except BadSyntaxError as error:
        run.findings.append(_syntax_finding(path, error, rules))
        return
    if "torch" not in module.text and not settings.entry_points:
        return
    engine = Engine(project, tables, settings)
    entries = entries_of(project, module, settings.entry_points)
    for entry in entries:
        _analyse_entry(engine, entry, run, rules)
    if not settings.entry_points:
        for func, name in _compiled_functions(engine, module, entries):
            _analyse_function(engine, func, name, True, run, rules)
    run.findings.extend(compile_hazards(module, rules))
    project.trim()


def _analyse_entry(engine: Engine, entry: Entry, run: _Run, rules: Rulebook) -> None:
    receiver = Instance(entry.receiver) if entry.receiver is not None and not entry.info.is_static else None
    if entry.info.is_classmethod:
        receiver = None
    func = Func(entry.info, receiver)
    if entry.outer is not None:
        nested = engine.nested_function(entry.outer, entry.info.name)
        if nested is None:
            return
        func = nested
    _analyse_function(engine, func, entry.name, entry.explicit, run, rules, entry.known)


def _analyse_function(
    engine: Engine, func: Func, name: str, explicit: bool, run: _Run, rules: Rulebook, known: bool = True
) -> None:
    try:
        summary = engine.analyse_entry(func, name, explicit, known)
    except RecursionError:
        path = func.info.module.path
        run.errors.append(FileError(path, f"`{name}` is nested too deeply to be analysed; it was left out", False))
        return
    events = events_of(summary)
    for event, rule in _answered(events, rules):
        if _rank(event.sure, rule) < run.least:
            continue
        candidate, way = _candidate(event, name), Way(event)
        candidate.way = way.key
        held = run.candidates[event.module.path].setdefault(event.key, candidate)
        if held is candidate or held.merge(candidate):
            held.steps = way.steps()
    run.scores.append(_score(func, name, summary, events, rules))


def _answered(events: list[Event], rules: Rulebook) -> Iterator[tuple[Event, Rule]]:
    for event in events:
        rule = rule_for(rules, event.name, event.callee, event.ids)
        if rule is not None:
            yield event, rule


def _rank(sure: int, rule: Rule) -> int:
    """The rank of a finding's confidence: as sure as the event, at most what the rule allows."""
    return min(sure - 1, CONFIDENCES.index(rule.confidence))


def _candidate(event: Event, entry: str) -> Candidate:
    node, subject = event.node, subject_of(event)
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    return Candidate(
        event.name,
        event.module.path,
        line,
        column,
        getattr(node, "end_lineno", None) or line,
        getattr(node, "end_col_offset", None) or column,
        event.sure,
        event.function,
        event.in_loop,
        event.frame_skipped,
        subject,
        event.callee,
        event.ids,
        because(event, subject),
        {entry},
    )


def _score(func: Func, name: str, summary: Summary, events: list[Event], rules: Rulebook) -> EntryScore:
    graphs = graphs_of(summary)
    counted = [(event, rule) for event, rule in _answered(events, rules) if event.sure > 1]
    errors = any(r.kind == "error" for _, r in counted)
    recompiles = sum(r.kind == "recompile" for _, r in counted)
    score = readiness(graphs.sizes, graphs.outside, errors, recompiles)
    deductions = _deductions(counted, 100.0 - score)
    ops = sum(graphs.sizes) + graphs.outside
    node = func.info.node
    return EntryScore(name, func.info.module.path, node.lineno, round(score, 1), len(graphs.sizes), ops, deductions)


def _deductions(counted: list[tuple[Event, Rule]], lost: float) -> tuple[Deduction, ...]:
    """The lost points, shared out over the findings of the kind that costs most."""
    for kinds in (("error",), ("break", "recompile")):
        costly = [(e, r) for e, r in counted if r.kind in kinds]
        if costly and lost > 0:
            share = round(lost / len(costly), 1)
            made = [Deduction(r.code, getattr(e.node, "lineno", 1), share, r.summary) for e, r in costly]
            return tuple(sorted(made, key=lambda d: (d.line, d.code)))
    return ()


def _compiled_functions(engine: Engine, module: ModuleInfo, entries: list[Entry]) -> list[tuple[Func, str]]:
    """What the file's own torch.compile calls are given, where that can be told."""
    known = {engine.function_key(entry.info) for entry in entries}
    found: list[tuple[Func, str]] = []
    for value in engine.values_compiled(module, list(compile_calls(module))):
        if isinstance(value, Instance):
            value = engine.method(value, "forward") or engine.method(value, "__call__") or value
        if isinstance(value, Func) and engine.function_key(value.info) not in known:
            known.add(engine.function_key(value.info))
            found.append((value, value.info.qualname))
    return found


def rule_for(rules: Rulebook, event: str, callee: str, ids: tuple[str, ...]) -> Rule | None:
    """The rule that answers to an event; a more special event falls back to the general one for calls."""
    found = rules.for_event(event, callee, ids)
    return found or (rules.for_event("call", callee, ids) if callee else None)


def _flag_all(project: Project, run: _Run, rules: Rulebook) -> list[Finding]:
    findings: list[Finding] = []
    for path, events in run.candidates.items():
        matched = [
            (event, rule)
            for event in events.values()
            if (rule := rule_for(rules, event.event, event.callee, event.ids)) is not None
        ]
        if matched:
            try:
                findings.extend(_flag_file(project, path, matched))
            except Exception as error:
                run.errors.append(_internal(path, error))
            project.trim()
    return findings


def _flag_file(project: Project, path: str, matched: list[tuple[Candidate, Rule]]) -> list[Finding]:
    from compile_lint.checks.flag import Flagger

    module = project.load(path)
    flagger = Flagger(module.text, module.tree)
    findings = []
    for event, rule in matched:
        span, shown = flagger.span(event)
        # a node that the concrete tree does not show at its place is never certain
        confidence = CONFIDENCES[_rank(event.sure if shown else min(event.sure, LIKELY), rule)]
        findings.append(
            Finding(
                code=rule.code,
                name=rule.name,
                kind=rule.kind,
                confidence=confidence,
                path=path,
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
        )
    return findings


def _entry_name(event: Candidate) -> str:
    return event.function if event.function in event.entries else min(event.entries, default=event.function)


def _syntax_finding(path: str, error: BadSyntaxError, rules: Rulebook) -> Finding:
    rule = rules.get("CL900")
    return Finding(
        code="CL900",
        name=rule.name if rule else "syntax-error",
        kind="error",
        confidence="certain",
        path=path,
        line=error.line,
        column=max(error.column, 1),
        end_line=error.line,
        end_column=max(error.column, 1) + 1,
        message=f"cannot be parsed: {error.message}",
        why=rule.why.strip() if rule else "",
        instead=rule.instead.strip() if rule else "",
        function="",
        entry="",
    )


def _internal(path: str, error: Exception) -> FileError:
    if isinstance(error, RecursionError):
        return FileError(path, "nested too deeply to be analysed; split the code into smaller functions", False)
    if os.environ.get("COMPILE_LINT_TRACEBACK"):
        traceback.print_exception(error)
    return FileError(path, f"internal error ({type(error).__name__}: {error}); please report it with this file")
