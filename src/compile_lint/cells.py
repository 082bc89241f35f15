"""From the lines of the module that a notebook's cells make to the cells and back."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from compile_lint.findings import Cell, Finding, Step

_ON_LINE = re.compile(r"\b(on )?line (\d+)")


def locate(cells: Sequence[Cell], line: int) -> tuple[int | None, int]:
    """The number of the cell that a line of the module belongs to, and the line in it; (None, line) without cells."""
    if not cells:
        return None, line
    at = max(bisect.bisect_right([cell.first for cell in cells], line) - 1, 0)
    cell = cells[at]
    return cell.number, min(max(line - cell.first + 1, 1), cell.lines)


def line_in_words(cells: Sequence[Cell], line: int) -> str:
    """`line 3`, or `cell 2, line 3`."""
    number, inside = locate(cells, line)
    return f"line {inside}" if number is None else f"cell {number}, line {inside}"


def in_cell(finding: Finding, cells: Mapping[str, Sequence[Cell]]) -> Finding:
    """The finding with the cell that it stands in, and its lines counted there.

    Args:
        finding: with lines of the module.
        cells: those of each notebook, by its path.
    """
    steps = tuple(_step(step, cells) for step in finding.steps)
    finding = finding if steps == finding.steps else replace(finding, steps=steps)
    mine = cells.get(finding.path, ())
    number, line = locate(mine, finding.line)
    if number is None:
        return finding
    other, end_line = locate(mine, finding.end_line)
    if other != number:  # a syntax error may reach over the end of its cell
        end_line = next(cell.lines for cell in mine if cell.number == number)
    message = finding.message
    if finding.code == "CL900":  # in Python's own words, which name lines of the module
        message = _ON_LINE.sub(lambda found: ("in " if found[1] else "") + line_in_words(mine, int(found[2])), message)
    return replace(finding, line=line, end_line=max(line, end_line), message=message, cell=number)


def _step(step: Step, cells: Mapping[str, Sequence[Cell]]) -> Step:
    number, line = locate(cells.get(step.path, ()), step.line)
    return step if number is None else replace(step, line=line, cell=number)
