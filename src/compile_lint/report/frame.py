"""The code frame under a finding: its lines, some around it, and the span underlined."""

from __future__ import annotations

from collections.abc import Sequence

from compile_lint.findings import Finding
from compile_lint.report.paint import Paint, expand

_BEFORE = 2
_AFTER = 1
_MOST = 6
"""Lines of a long span that are shown; the middle is left out."""
_WIDTH = 160
"""Cells of a line that are shown; a longer one (generated code) is cut around the span."""


def frame(finding: Finding, lines: Sequence[str], paint: Paint, color: str) -> list[str]:
    """The lines of the frame. Empty when the file has changed and no longer has the line."""
    first, last = finding.line, min(max(finding.line, finding.end_line), len(lines))
    if not 1 <= first <= len(lines):
        return []
    start = max(1, first - _BEFORE)
    end = min(len(lines), last + _AFTER)
    while start < first and not lines[start - 1].strip():
        start += 1
    while end > last and not lines[end - 1].strip():
        end -= 1
    gutter = len(str(end))
    out = [paint(" " * gutter + " |", "blue")]
    for number in range(start, end + 1):
        if _left_out(number, first, last):
            if number == first + _MOST - 2:
                out.append(paint(" " * gutter + " ...", "blue"))
            continue
        shown, under = _line(number, lines[number - 1], finding, last)
        out.append((paint(f"{number:>{gutter}} |", "blue") + f" {shown}").rstrip())
        if under:
            out.append(paint(" " * gutter + " |", "blue") + " " + _underline(under, paint, color))
    return out


def _left_out(number: int, first: int, last: int) -> bool:
    return last - first + 1 > _MOST and first + _MOST - 3 < number < last


def _line(number: int, line: str, finding: Finding, last: int) -> tuple[str, tuple[int, int] | None]:
    """A line as shown, cut if it is too long, with the cells to underline (start, end)."""
    shown, cells = expand(line)
    if not finding.line <= number <= last:
        return _cut(shown, 0), None
    left = finding.column - 1 if number == finding.line else len(line) - len(line.lstrip())
    right = finding.end_column - 1 if number == finding.end_line else len(line.rstrip())
    left = min(max(left, 0), len(line))
    right = min(max(right, left + 1), len(line))
    from_cell, to_cell = cells[left], max(cells[right], cells[left] + 1)
    if len(shown) <= _WIDTH:
        return shown, (from_cell, to_cell)
    skip = max(0, min(from_cell - _WIDTH // 4, len(shown) - _WIDTH))
    ellipsis = 3 if skip else 0
    to_cell = min(to_cell, skip + _WIDTH)
    return _cut(shown, skip), (from_cell - skip + ellipsis, to_cell - skip + ellipsis)


def _cut(shown: str, skip: int) -> str:
    part = shown[skip : skip + _WIDTH]
    return ("..." if skip else "") + part + ("..." if skip + _WIDTH < len(shown) else "")


def _underline(cells: tuple[int, int], paint: Paint, color: str) -> str:
    start, end = cells
    return " " * start + paint("^" * (end - start), color, "bold")
