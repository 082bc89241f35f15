"""From files to a run that can be reported: analysis, suppression, choice, score."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from compile_lint.cells import in_cell
from compile_lint.config.options import Options
from compile_lint.config.selectors import Selectors
from compile_lint.discover import File, Found, Given, Sources
from compile_lint.discover.globs import Globs
from compile_lint.effort import Effort
from compile_lint.findings import CONFIDENCES, Cell, FileError, Finding, Source
from compile_lint.report import Run
from compile_lint.report.paths import repository
from compile_lint.rulebook import Rule, Rulebook
from compile_lint.score import run_score
from compile_lint.settings import Settings
from compile_lint.suppress import OWN_CODE, apply, may_hold

if TYPE_CHECKING:
    from compile_lint.cache import Folder

Narrow = Callable[[Sequence[Finding], Sequence[Finding], Sources], tuple[Finding, ...]]
"""Of the findings that would be shown, those that are: given all that the analysis found, those, and the texts."""

SYNTAX_ERROR = "CL900"
"""Always shown: of a file that cannot be parsed, nothing else can be said."""


def lint(
    found: Found,
    given: Sequence[Source],
    options: Options,
    rulebook: Rulebook,
    look_for_idle: bool,
    progress: Callable[[int, int], None] | None = None,
    fingerprints: bool = False,
    narrow: Narrow | None = None,
    context: Given | None = None,
    cache: Folder | None = None,
) -> tuple[Run, Sources]:
    """Analyse the files and keep what the settings show.

    Args:
        found: the files, and what went wrong in finding them.
        given: sources that are no files.
        options: the merged settings.
        rulebook: all rules, the user's own too.
        look_for_idle: whether suppressions that silence nothing are findings.
        progress: told of files done, and of all files.
        fingerprints: whether the run tells what its findings are known by.
        narrow: leaves out findings that are not new.
        context: where imports are followed, what is read in place of files that are not named.
        cache: where results are remembered.

    Returns:
        The run, and the sources, for the lines of code that a report shows.
    """
    texts: dict[str, str] = {}
    cells: dict[str, tuple[Cell, ...]] = {}

    def watch(source: Source) -> None:
        if source.cells:
            cells[source.path] = source.cells
        if may_hold(source.text):
            texts[source.path] = source.text

    settings = options.settings
    effort = Effort(cache, options.jobs)
    if options.follow_imports:
        from compile_lint.cli.follow import analyzed_with_imports

        sources, report = analyzed_with_imports(
            found.files, given, context or {}, options, rulebook, watch, progress, effort
        )
    else:
        from compile_lint.analysis import analyze

        sources = Sources(found.files, given, watch)
        report = analyze(sources, settings, rulebook, progress, effort)
    chosen, shown, silenced = choose(report.findings, texts, settings, rulebook, look_for_idle)
    if options.follow_imports and look_for_idle:
        placed = {in_cell(finding, cells): finding for finding in shown}
        idle = _truly_idle(tuple(placed), found.files, given, context or {}, options, rulebook)
        shown = tuple(placed[finding] for finding in idle)
    new = shown if narrow is None else narrow(report.findings, shown, sources)
    cwd = os.getcwd()
    root = repository(cwd, os.environ)
    run = Run(
        findings=tuple(in_cell(finding, cells) for finding in new),
        scores=report.scores,
        score=run_score((score.score, score.ops) for score in report.scores),
        errors=_errors(found.errors, sources.errors, report.errors),
        files=report.files,
        target_torch=settings.target_torch,
        silenced=silenced,
        hidden=len(chosen) - len(shown),
        known=len(shown) - len(new),
        rules=_rules(settings, rulebook),
        cwd=cwd,
        root=root,
    )
    if fingerprints:
        from compile_lint.fingerprints import identities

        # of all findings, so that a comment that silences one does not count the others anew
        everything = tuple(dict.fromkeys((*report.findings, *chosen)))
        known = identities(everything, sources.text, run.named)
        prints = {in_cell(f, cells): one.fingerprint for f, one in zip(everything, known, strict=True)}
        run = replace(run, fingerprints=prints)
    return run, sources


def _truly_idle(
    shown: tuple[Finding, ...],
    files: Sequence[File],
    given: Sequence[Source],
    context: Given,
    options: Options,
    rulebook: Rulebook,
) -> tuple[Finding, ...]:
    from compile_lint.cli.follow import idle_everywhere, whole_project

    alone = replace(options, follow_imports=False)

    def lint_all(named: Sequence[File], texts: Sequence[Source], but: Collection[str]) -> Sequence[Finding]:
        return lint(whole_project(named, but, options), texts, alone, rulebook, True)[0].findings

    return idle_everywhere(shown, files, given, context, lint_all)


def choose(
    findings: Sequence[Finding], texts: Mapping[str, str], settings: Settings, rulebook: Rulebook, look_for_idle: bool
) -> tuple[list[Finding], tuple[Finding, ...], int]:
    """The findings that the settings choose, those of them that are sure enough to show, and how many were silenced.

    Args:
        findings: all that the analysis found.
        texts: the sources, by path, that may hold comments which silence.
        settings: of the run.
        rulebook: all rules, the user's own too.
        look_for_idle: whether suppressions that silence nothing are findings.
    """
    selectors = Selectors({rule.code: rule.name for rule in rulebook.rules})
    result = apply(findings, texts, selectors, rulebook.get(OWN_CODE) if look_for_idle else None)
    chosen = _chosen(result.kept, settings)
    rank = CONFIDENCES.index(settings.min_confidence)
    shown = tuple(finding for finding in chosen if CONFIDENCES.index(finding.confidence) >= rank)
    return chosen, shown, result.silenced


def exit_code(run: Run, options: Options) -> int:
    """0: clean. 1: findings of a kind that fails, or a score that is too low. 2: something was not linted as asked."""
    if any(error.fatal for error in run.errors):
        return 2
    settings = options.settings
    if options.exit_zero:
        return 0
    if any(finding.kind in settings.fail_on for finding in run.findings):
        return 1
    return int(settings.fail_under is not None and run.score < settings.fail_under)


def _chosen(findings: Sequence[Finding], settings: Settings) -> list[Finding]:
    """The findings of enabled rules, without those that are left out in their file."""
    ignores = [(Globs([glob]), frozenset(codes)) for glob, codes in settings.per_file_ignores]
    left_out: dict[str, frozenset[str]] = {}
    kept = []
    for finding in findings:
        if finding.path not in left_out:
            absolute = os.path.abspath(finding.path).replace(os.sep, "/")
            sets = [codes for globs, codes in ignores if globs.match_within(absolute)]
            left_out[finding.path] = frozenset().union(*sets)
        if finding.code == SYNTAX_ERROR or (
            settings.enabled(finding.code) and finding.code not in left_out[finding.path]
        ):
            kept.append(finding)
    return kept


def _rules(settings: Settings, rulebook: Rulebook) -> tuple[Rule, ...]:
    """The rules that hold for the torch of the run and are enabled."""
    return tuple(
        rule
        for rule in rulebook.rules
        if rule.code == SYNTAX_ERROR or (settings.enabled(rule.code) and rule.valid_for(settings.target_torch))
    )


def _errors(*groups: Sequence[FileError]) -> tuple[FileError, ...]:
    """The errors of all stages, each once, by path."""
    unique = {(error.path, error.message): error for group in groups for error in group}
    return tuple(sorted(unique.values(), key=lambda error: (error.path, error.message)))
