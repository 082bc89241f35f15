"""Code actions: suppressing a finding on its line or in its file, with or without a reason to fill in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compile_lint.findings import Finding
from compile_lint.suppress.insert import Insertion, in_file, on_line

REASON = "TODO: say why"
"""What stands for the reason until it is written."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action: its title and what it puts into the text."""

    title: str
    insertion: Insertion


def actions(finding: Finding, text: str, python: str, scope: str = "file") -> Iterator[Action]:
    """The actions for one finding.

    Args:
        finding: with lines that are those of the text.
        text: of the file, or of the cell.
        python: the same without magics, line for line.
        scope: what `file-ignore` speaks of: a file or a notebook.
    """
    code = finding.code
    if code == "CL900":  # nothing silences a file that is not valid Python
        return
    line = on_line(python, finding.line, finding.end_line, code)
    if line is not None:
        yield Action(f"Suppress {code} on this line", line)
    reasoned = on_line(python, finding.line, finding.end_line, code, REASON)
    if reasoned is not None:
        yield Action(f"Suppress {code} on this line, with a reason", reasoned)
    yield Action(f"Suppress {code} in this {scope}", in_file(text, code))
    yield Action(f"Suppress {code} in this {scope}, with a reason", in_file(text, code, REASON))
