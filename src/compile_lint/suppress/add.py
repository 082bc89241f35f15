"""Writing suppressions into a text for some of its findings."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from compile_lint.config.selectors import Selectors
from compile_lint.findings import Finding
from compile_lint.project.project import BadSyntaxError, parse
from compile_lint.suppress.apply import apply
from compile_lint.suppress.comments import LINE_END
from compile_lint.suppress.insert import Insertion, on_line


@dataclass(frozen=True, slots=True)
class Added:
    """A text with suppressions, how many findings they silence, and those they do not, where they stand now."""

    text: str
    silenced: int
    left: tuple[Finding, ...]
    lines: tuple[int, ...] = ()
    """The lines that were put in, ascending, as they are numbered now."""

    def moved(self, line: int) -> int:
        """Where a line of the text stands now."""
        for new in self.lines:
            line += new <= line
        return line


def add(text: str, findings: Sequence[Finding], reason: str, selectors: Selectors) -> Added:
    """A text that silences its findings, with one comment for all that begin in one line.

    The code stays the same: where it would not, nothing is written.

    Args:
        text: of one file, without a byte-order mark.
        findings: of that file.
        reason: what stands behind each suppression.
        selectors: the rules that exist.
    """
    before = _dumped(text)
    if before is None:
        return Added(text, 0, tuple(findings))
    made = Added(text, 0, ())
    for line in sorted({finding.line for finding in findings}, reverse=True):
        made = _at(made, line, [finding for finding in findings if finding.line == line], reason)
    if _dumped(made.text) != before:
        return Added(text, 0, tuple(findings))
    moved = [_moved(finding, made) for finding in findings]
    left = apply(moved, {finding.path: made.text for finding in moved}, selectors, None).kept
    return Added(made.text, len(moved) - len(left), left, made.lines)


def _at(made: Added, line: int, findings: Sequence[Finding], reason: str) -> Added:
    """With one comment more, for findings that began in one line of the text as it was."""
    codes = ", ".join(sorted({finding.code for finding in findings}))
    last = min(finding.end_line for finding in findings)
    insertion = on_line(made.text, made.moved(line), made.moved(last), codes, reason)
    if insertion is None:
        return made
    text = _inserted(made.text, insertion)
    if not LINE_END.search(insertion.text):
        return replace(made, text=text)
    lines = sorted((insertion.line, *(new + (new >= insertion.line) for new in made.lines)))
    return replace(made, text=text, lines=tuple(lines))


def _inserted(text: str, insertion: Insertion) -> str:
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    at = starts[insertion.line - 1] + insertion.column - 1
    return text[:at] + insertion.text + text[at:]


def _moved(finding: Finding, made: Added) -> Finding:
    return replace(finding, line=made.moved(finding.line), end_line=made.moved(finding.end_line))


def _dumped(text: str) -> str | None:
    try:
        return ast.dump(parse(text, ""))
    except (BadSyntaxError, RecursionError):
        return None
