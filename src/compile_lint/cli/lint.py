"""From files to a run that can be reported: analysis, suppression, choice, score."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from compile_lint.config.options import Options
from compile_lint.config.selectors import Selectors
from compile_lint.discover import Found, Sources
from compile_lint.discover.globs import Globs
from compile_lint.effort import Effort
from compile_lint.findings import CONFIDENCES, FileError, Finding, Source
from compile_lint.report import Run
from compile_lint.rulebook import Rulebook
from compile_lint.score import run_score
from compile_lint.settings import Settings
from compile_lint.suppress import OWN_CODE, apply, may_hold

if TYPE_CHECKING:
    from compile_lint.cache import Folder

SYNTAX_ERROR = "CL900"
"""Always shown: of a file that cannot be parsed, nothing else can be said."""


def lint(
    found: Found,
    given: Sequence[Source],
    options: Options,
    rulebook: Rulebook,
    look_for_idle: bool,
    progress: Callable[[int, int], None] | None = None,
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
        cache: where results are remembered.

    Returns:
        The run, and the sources, for the lines of code that a report shows.
    """
    from compile_lint.analysis import analyze

    texts: dict[str, str] = {}

    def watch(source: Source) -> None:
        if may_hold(source.text):
            texts[source.path] = source.text

    settings = options.settings
    sources = Sources(found.files, given, watch)
    report = analyze(sources, settings, rulebook, progress, Effort(cache, options.jobs))
    chosen, shown, silenced = choose(report.findings, texts, settings, rulebook, look_for_idle)
    run = Run(
        findings=shown,
        scores=report.scores,
        score=run_score((score.score, score.ops) for score in report.scores),
        errors=_errors(found.errors, sources.errors, report.errors),
        files=report.files,
        target_torch=settings.target_torch,
        silenced=silenced,
        hidden=len(chosen) - len(shown),
    )
    return run, sources


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


def _errors(*groups: Sequence[FileError]) -> tuple[FileError, ...]:
    """The errors of all stages, each once, by path."""
    unique = {(error.path, error.message): error for group in groups for error in group}
    return tuple(sorted(unique.values(), key=lambda error: (error.path, error.message)))
