"""The analysis of one file: entries, inference, candidates, scores."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from compile_lint._data import rules_root
from compile_lint.cells import locate
from compile_lint.checks.candidate import Candidate
from compile_lint.checks.compile_calls import compile_hazards
from compile_lint.checks.messages import because, subject_of
from compile_lint.checks.schemas import refused_schemas
from compile_lint.checks.steps import Way
from compile_lint.findings import CONFIDENCES, EntryScore, FileError, Finding
from compile_lint.inference.engine import Engine
from compile_lint.inference.frame import Event
from compile_lint.inference.graphs import events_of
from compile_lint.inference.tables import Tables
from compile_lint.inference.tables import load as load_tables
from compile_lint.inference.values import Func, Instance
from compile_lint.predicted import predict
from compile_lint.project.entries import Entry, compile_calls, entries_of
from compile_lint.project.modules import ModuleInfo
from compile_lint.project.project import BadSyntaxError, Project
from compile_lint.results import FileResult, rank, rule_for
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.rulebook.model import Rule
from compile_lint.settings import Settings

Key = tuple[str, int, int, str, str]
RECURSION = 8000
"""Enough for 500 nested expressions, at three calls each in the analysis and ten in libcst."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is the same for all files of a run."""

    project: Project
    tables: Tables
    settings: Settings
    rules: Rulebook
    """Those that hold for the target."""

    @classmethod
    def of(cls, project: Project, settings: Settings, rules: Rulebook) -> Task:
        """The task of a run, with its tables read."""
        return cls(project, load_tables(Path(rules_root()), settings.target_torch, rules), settings, rules)

    @property
    def least(self) -> int:
        """The rank of the least confidence that is reported."""
        return CONFIDENCES.index(self.settings.min_confidence)


@dataclass(slots=True)
class _Run:
    """What the analysis of one file collects."""

    task: Task
    engine: Engine
    result: FileResult
    held: dict[Key, Candidate] = field(default_factory=dict)


class QuietCollector:
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


def analyse_file(task: Task, path: str) -> FileResult:
    """The analysis of one file. Whatever goes wrong in it is among its errors, so that it never stops the others."""
    result = FileResult(path, reads=task.project.begin())
    try:
        _analyse(task, path, result)
    except Exception as error:
        result.errors.append(internal(path, error))
    task.project.trim()
    return result


def _analyse(task: Task, path: str, result: FileResult) -> None:
    settings, rules = task.settings, task.rules
    try:
        module = task.project.load(path)
    except BadSyntaxError as error:
        result.findings.append(_syntax_finding(path, error, rules))
        return
    if "torch" not in module.text and not settings.entry_points:
        return
    run = _Run(task, Engine(task.project, task.tables, settings), result)
    try:
        for start in starts_of(run.engine, module):
            _analyse_start(run, start)
        result.findings.extend(compile_hazards(module, rules))
        result.findings.extend(refused_schemas(module, run.engine.declared(module), rules))
    finally:
        _flag(task.project, run.held, result)
        run.engine.forget()


@dataclass(frozen=True, slots=True)
class Start:
    """A function that a compile region starts in, with what `Engine.analyse_entry` takes."""

    func: Func
    name: str
    explicit: bool
    known: bool = True


def starts_of(engine: Engine, module: ModuleInfo) -> Iterator[Start]:
    """Where the compile regions of a file start; each is meant to be analysed before the next is asked for."""
    patterns = engine.settings.entry_points
    entries = entries_of(engine.project, module, patterns)
    for entry in entries:
        func = _entered(engine, entry)
        if func is not None:
            yield Start(func, entry.name, entry.explicit, entry.known)
    if not patterns:
        for func, name in _compiled_functions(engine, module, entries):
            yield Start(func, name, True)


def _entered(engine: Engine, entry: Entry) -> Func | None:
    if entry.outer is not None:
        return engine.nested_function(entry.outer, entry.info.name)
    receiver = Instance(entry.receiver) if entry.receiver is not None and not entry.info.is_static else None
    return Func(entry.info, None if entry.info.is_classmethod else receiver)


def _analyse_start(run: _Run, start: Start) -> None:
    func, name = start.func, start.name
    try:
        summary = run.engine.analyse_entry(func, name, start.explicit, start.known)
    except RecursionError:
        path = func.info.module.path
        run.result.errors.append(
            FileError(path, f"`{name}` is nested too deeply to be analysed; it was left out", False)
        )
        return
    rules, least = run.task.rules, run.task.least
    events = events_of(summary)
    for event, rule in _answered(events, rules):
        if rank(event.sure, rule) < least:
            continue
        candidate, way = _candidate(event, name), Way(event)
        candidate.way = way.key
        held = run.held.setdefault(event.key, candidate)
        if held is candidate or held.merge(candidate):
            held.steps = way.steps()
    made = predict(summary, lambda event: rule_for(rules, event.name, event.callee, event.ids))
    module = func.info.module
    cell, line = locate(module.cells, func.info.node.lineno)
    score = EntryScore(name, module.path, line, made.score, made.graphs, made.ops, made.deductions, cell)
    run.result.scores.append(score)


def _answered(events: list[Event], rules: Rulebook) -> Iterator[tuple[Event, Rule]]:
    for event in events:
        rule = rule_for(rules, event.name, event.callee, event.ids)
        if rule is not None:
            yield event, rule


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


def _flag(project: Project, held: dict[Key, Candidate], result: FileResult) -> None:
    """Look at each candidate in the concrete tree, while the trees of their files are still held."""
    by_path: dict[str, list[Candidate]] = {}
    for candidate in held.values():
        by_path.setdefault(candidate.path, []).append(candidate)
    for path, candidates in by_path.items():
        from compile_lint.checks.flag import Flagger

        try:
            module = project.load(path)
            flagger = Flagger(module.text, module.tree)
            for candidate in candidates:
                candidate.span, candidate.shown = flagger.span(candidate)
        except Exception as error:
            result.errors.append(internal(path, error))
        else:
            result.candidates.extend(candidates)


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


def internal(path: str, error: Exception) -> FileError:
    """What went wrong in the analysis of a file, for the report."""
    if isinstance(error, RecursionError):
        return FileError(path, "nested too deeply to be analysed; split the code into smaller functions", False)
    if os.environ.get("COMPILE_LINT_TRACEBACK"):
        traceback.print_exception(error)
    return FileError(path, f"internal error ({type(error).__name__}: {error}); please report it with this file")
