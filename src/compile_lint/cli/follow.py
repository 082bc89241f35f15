"""Linting some files of a project with what they import, so that the result does not depend on which others are named.

The entries are those of the files named. What they reach in other files is analysed with them, and a finding there is
theirs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence

from compile_lint.config.options import Options
from compile_lint.discover import File, Found, Given, Sources, excluded, find, imported, read
from compile_lint.discover.globs import Globs
from compile_lint.effort import Effort
from compile_lint.findings import Finding, Report, Source
from compile_lint.rulebook import Rulebook
from compile_lint.suppress import OWN_CODE

LintAll = Callable[[Sequence[File], Sequence[Source], Collection[str]], Sequence[Finding]]
"""The findings of the whole project, of which some files and sources are named and others are left out."""

_OPERATORS = "torch.ops"


def analyzed_with_imports(
    files: Sequence[File],
    given: Sequence[Source],
    context: Given,
    options: Options,
    rulebook: Rulebook,
    watch: Callable[[Source], None],
    progress: Callable[[int, int], None] | None,
    effort: Effort,
) -> tuple[Sources, Report]:
    """The sources, those that are only imported among them, and what the analysis says.

    Args:
        files: that are named.
        given: sources in place of files; they count as named.
        context: what is read in place of files that are not named.
        options: the merged settings.
        rulebook: all rules.
        watch: sees each source as it passes.
        progress: told of files done, and of all files.
        effort: what is remembered, and how many processes share the work.
    """
    from compile_lint.analysis import analyze

    cwd = os.getcwd()
    exclude = Globs(options.exclude)
    own = {os.path.realpath(source.path): source for source in given}
    starts = [*files, *(File(source.path, os.path.abspath(source.path)) for source in given)]
    others = imported(starts, {**context, **own}, cwd, lambda path: excluded(path, exclude, cwd))
    others = (*others, *_declaring(starts, others, own, options, cwd))
    texts = {file.path: text for file in others if (text := context.get(os.path.realpath(file.real))) is not None}
    on_disk = [file for file in others if file.path not in texts]
    sources = Sources((*files, *on_disk), (*given, *texts.values()), watch)
    named = {file.path for file in starts}
    return sources, analyze(sources, options.settings, rulebook, progress, effort, named)


def idle_everywhere(
    shown: Sequence[Finding], files: Sequence[File], given: Sequence[Source], context: Given, lint_all: LintAll
) -> tuple[Finding, ...]:
    """The findings without those about comments that silence something after all: what others reach in the file.

    Those of files that are not named are left out. The whole project is linted only if one is left.

    Args:
        shown: the findings of the run.
        files: that are named.
        given: sources in place of files; they count as named.
        context: what is read in place of files that are not named.
        lint_all: the findings of other files and sources, without following imports.
    """
    named = {*(file.path for file in files), *(source.path for source in given)}
    kept = [finding for finding in shown if finding.code != OWN_CODE or finding.path in named]
    if not any(finding.code == OWN_CODE for finding in kept):
        return tuple(kept)
    replaced = {os.path.realpath(source.path): source for source in given}
    texts = {**context, **replaced}
    everywhere = lint_all(
        [file for file in files if os.path.realpath(file.real) not in texts],
        [*given, *(text for real, text in context.items() if text is not None and real not in replaced)],
        frozenset(texts),
    )
    idle = {(finding.path, finding.line, finding.column, finding.message) for finding in everywhere}
    return tuple(
        finding
        for finding in kept
        if finding.code != OWN_CODE or (finding.path, finding.line, finding.column, finding.message) in idle
    )


def whole_project(files: Sequence[File], but: Collection[str], options: Options) -> Found:
    """These files and all below the working directory, but not those at some absolute paths without links."""
    cwd = os.getcwd()
    below = find([cwd], options.exclude, options.respect_gitignore, cwd).files
    found = {os.path.realpath(file.real): file for file in (*below, *files)}
    return Found(tuple(sorted((file for real, file in found.items() if real not in but), key=lambda file: file.path)))


def _declaring(
    starts: Sequence[File], others: Sequence[File], own: Given, options: Options, cwd: str
) -> Iterator[File]:
    """Files that declare custom operators, if one of the files calls some: nothing need import those."""
    from compile_lint.customops.declared import MARKS

    known = {os.path.realpath(file.real) for file in (*starts, *others)}
    if not any(_OPERATORS in _text(file, own) for file in (*starts, *others)):
        return
    for file in find([cwd], options.exclude, options.respect_gitignore, cwd).files:
        if os.path.realpath(file.real) not in known and any(mark in _text(file, own) for mark in MARKS):
            yield file


def _text(file: File, own: Given) -> str:
    source = own.get(os.path.realpath(file.real)) or read(file)
    return source.text if isinstance(source, Source) else ""
