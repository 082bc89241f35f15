"""Lints snippets: `# <- CL101` marks the lines that must be flagged; lines without a mark must not be."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from compile_lint._data import rules_root
from compile_lint.analysis import analyze
from compile_lint.findings import Finding, Report, Source
from compile_lint.rulebook import Rulebook, load
from compile_lint.rulebook.model import marks
from compile_lint.settings import Settings

TORCH = "2.13"
"""What snippets are linted for, unless they say otherwise."""


@cache
def rulebook() -> Rulebook:
    return load(rules_root())


@dataclass(frozen=True)
class Linted:
    """The report on some snippets."""

    files: Mapping[str, str]
    report: Report

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.report.findings

    @property
    def pairs(self) -> set[tuple[int, str]]:
        """(line, code) of every finding, for a single file."""
        assert len(self.files) == 1
        return {(finding.line, finding.code) for finding in self.findings}

    @property
    def places(self) -> set[tuple[str, int, str]]:
        """(path, line, code) of every finding."""
        return {(finding.path, finding.line, finding.code) for finding in self.findings}

    @property
    def marked(self) -> set[tuple[str, int, str]]:
        """What the marks say there is to find."""
        return set(_marked(self.files))

    def one(self, code: str) -> Finding:
        """The only finding of a rule."""
        (found,) = [finding for finding in self.findings if finding.code == code]
        return found

    def text(self, finding: Finding) -> str:
        """The code that a finding of one line spans."""
        line = re.split("\r\n|\r|\n", self.files[finding.path])[finding.line - 1]
        return line[finding.column - 1 : finding.end_column - 1]


def lint(files: str | Mapping[str, str], **settings: object) -> Linted:
    """Lint one snippet (as `model.py`), or files by path. Settings as in `Settings`, torch 2.13 by default."""
    tree = {"model.py": files} if isinstance(files, str) else dict(files)
    tree = {path: textwrap.dedent(text) for path, text in tree.items()}
    sources = [Source(path, text) for path, text in tree.items()]
    chosen = Settings(**{"target_torch": TORCH, **settings})  # type: ignore[arg-type]
    return Linted(tree, analyze(sources, chosen, rulebook()))


def check(files: str | Mapping[str, str], **settings: object) -> Linted:
    """Lint, and hold the findings against the marks."""
    linted = lint(files, **settings)
    assert linted.report.errors == ()
    missed = sorted(linted.marked - linted.places)
    marked = linted.marked
    more = [(f.path, f.line, f.code, f.message) for f in linted.findings if (f.path, f.line, f.code) not in marked]
    assert (missed, more) == ([], []), f"missed: {missed}; not marked: {more}"
    return linted


def _marked(files: Mapping[str, str]) -> Iterator[tuple[str, int, str]]:
    for path, text in files.items():
        for line, codes in marks(text).items():
            for code in codes:
                yield path, line, code
