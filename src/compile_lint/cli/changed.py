"""Findings that a change brings in: those on its lines, and those that the files as they were did not have."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from compile_lint.changed import Changes, FileChange, from_diff, from_git
from compile_lint.changed.git import work_tree
from compile_lint.changed.scope import Functions, Span, touches
from compile_lint.cli.setup import start_folder
from compile_lint.config.errors import ConfigError
from compile_lint.discover import File, Found, Given, Sources, decode, module_root, read, shown
from compile_lint.findings import Finding, Source

Before = Callable[[Found, Sequence[Source], Given], Sequence[Finding]]
"""The findings of files and of sources, under the settings of the run; the last is what others are read from."""

_CODE = ".py"
_NOTEBOOK = ".ipynb"


def changes_asked_for(base: str | None, diff: str | None, paths: Sequence[str], stdin: Callable[[], bytes]) -> Changes:
    """The change that the options name, by a revision or by a diff.

    Raises:
        ConfigError: it cannot be had.
    """
    if base is not None and diff is not None:
        raise ConfigError("--diff: goes with no --diff-base; one of them says what has changed")
    if "-" in paths:
        raise ConfigError(f"-: what standard input holds goes with no {'--diff' if base is None else '--diff-base'}")
    folder = str(start_folder(paths))
    if base is not None:
        if not base.strip():
            raise ConfigError("--diff-base: names no revision")
        return from_git(base, folder, os.environ)
    top = work_tree(folder, os.environ)
    diff = diff or ""
    return from_diff(_diff(diff, stdin), [os.getcwd(), *([top] if top else [])], f"--diff: {diff}")


def _diff(name: str, stdin: Callable[[], bytes]) -> bytes:
    if name == "-":
        return stdin()
    try:
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise ConfigError(f"--diff: {name}: no such file") from None
    except OSError as error:
        raise ConfigError(f"--diff: {name}: cannot be read: {error.strerror or error}") from error


class _Text:
    """What must be known of the text of a changed file. Its functions are looked for when they are asked for."""

    def __init__(self, text: str) -> None:
        self.uncounted = "\r" in text.replace("\r\n", "")
        """Whether lines end where git sees no end."""
        self._text = text
        self._functions: Functions | None = None

    def around(self, line: int) -> Span | None:
        """The innermost function that a line belongs to."""
        self._functions = self._functions or Functions(self._text)
        return self._functions.around(line)


class OnlyChanged:
    """Keeps the findings that a change brings in.

    A finding on a line that is new or altered is one; with the scope `function`, also one in a function of which a line
    is new, altered or gone. Any other is one if the files as they were before did not have it: the same rule at the
    same place of the line that it stands on, which has not changed. That holds for a break that is newly reached (a new
    call, a new entry, a new decorator) and for what an edit elsewhere made a tensor, however long the way.
    """

    def __init__(self, changes: Changes, scope: str, before: Before, found: Found) -> None:
        self.changes = changes
        self.by_function = scope == "function"
        self.before = before
        self.found = found
        self.cwd = os.getcwd()
        self._linted = {os.path.realpath(file.real) for file in found.files}
        self._texts: dict[str, _Text] = {}

    def __call__(self, findings: Sequence[Finding], sources: Sources) -> tuple[Finding, ...]:
        """The findings that the change brings in, in the order given."""
        near = {finding for finding in findings if self._touched(finding, sources)}
        if len(near) == len(findings) or not any(map(self._counts, self.changes.files)):
            return tuple(finding for finding in findings if finding in near)
        old = {_key(finding) for finding in self.before(*self._as_it_was())}
        return tuple(finding for finding in findings if finding in near or self._old_key(finding) not in old)

    def _touched(self, finding: Finding, sources: Sources) -> bool:
        change = self.changes.of(finding.path)
        if change is None:
            return False
        if change.is_new or finding.path.endswith(_NOTEBOOK):
            return True  # the lines of a notebook's cells are not those that a diff counts
        text = self._text(finding.path, sources)
        if text.uncounted:
            return True
        return touches(change, finding.line, finding.end_line, text.around(finding.line) if self.by_function else None)

    def _text(self, path: str, sources: Sources) -> _Text:
        if path not in self._texts:
            self._texts[path] = _Text(sources.text(path) or "")
        return self._texts[path]

    def _old_key(self, finding: Finding) -> tuple[str, str, int, int]:
        change = self.changes.of(finding.path)
        if change is None:
            return _key(finding)
        return (finding.code, self._old_name(change, finding.path), change.old_line(finding.line), finding.column)

    def _as_it_was(self) -> tuple[Found, list[Source], Given]:
        """What was linted, before the change: files that are still the same, texts of the others, and all texts."""
        context = self._context()
        same, old = [], []
        for file in self.found.files:
            change = self.changes.of(file.real)
            if change is None:
                same.append(file)
            elif (source := context.get(change.old_path)) is not None:
                old.append(replace(source, path=self._old_name(change, file.path)))
        old.extend(source for change in self.changes.deleted() if (source := context.get(change.old_path)))
        return Found(tuple(same)), old, context

    def _context(self) -> dict[str, Source | None]:
        """What lay at the paths of the change."""
        found: dict[str, Source | None] = {change.path: None for change in self.changes.files if change.path}
        for change in self.changes.files:
            if change.old_path and not change.old_path.endswith(_NOTEBOOK):
                found[change.old_path] = self._old_source(change) if change.path else self._gone(change)
        return found

    def _old_source(self, change: FileChange) -> Source | None:
        source = read(File(change.path, change.path)) if self._counts(change) else None
        if not isinstance(source, Source):
            return None
        text = change.old_text(source.text, source.encoding)
        name = shown(change.old_path, self.cwd)
        return Source(name, text, source.encoding, module_root(change.old_path))

    def _counts(self, change: FileChange) -> bool:
        """Whether it is code: one of the linted files, which may have any suffix, or another that may be imported."""
        return change.path in self._linted or change.path.endswith(_CODE) or change.old_path.endswith(_CODE)

    def _gone(self, change: FileChange) -> Source | None:
        if not change.old_path.endswith(_CODE):
            return None
        data = b"\n".join(line.text for line in change.removed)
        source = decode(data, shown(change.old_path, self.cwd), module_root(change.old_path))
        return source if isinstance(source, Source) else None

    def _old_name(self, change: FileChange, name: str) -> str:
        """What a file was called: as it is called now, links and all, if it kept its name."""
        return name if change.old_path == change.path else shown(change.old_path, self.cwd)


def _key(finding: Finding) -> tuple[str, str, int, int]:
    return (finding.code, finding.path, finding.line, finding.column)
