"""Lines and columns of a finding as a client counts them."""

from __future__ import annotations

from lsprotocol import types

from compile_lint.discover.sources import split_lines
from compile_lint.findings import Finding


class Positions:
    """One text. Lines end where both the protocol and Python end them: at `\\n`, `\\r\\n` and `\\r` alone."""

    def __init__(self, text: str, encoding: str) -> None:
        """`encoding` is the unit of columns that was agreed on: utf-8, utf-16 or utf-32."""
        self._lines = split_lines(text)
        self._encoding = encoding

    def position(self, line: int, column: int) -> types.Position:
        """A 1-based line and column in characters, as the client has it. Past an end it is that end."""
        if line > len(self._lines):
            line, column = len(self._lines), len(self._lines[-1]) + 1
        before = self._lines[line - 1][: max(column - 1, 0)]
        return types.Position(line - 1, units(before, self._encoding))

    def range(self, finding: Finding) -> types.Range:
        """The span of a finding."""
        start = self.position(finding.line, finding.column)
        end = self.position(finding.end_line, finding.end_column)
        return types.Range(start, max(start, end, key=at))

    def whole(self) -> types.Range:
        """From the start to the end of the text."""
        return types.Range(types.Position(0, 0), self.position(len(self._lines) + 1, 1))


def at(position: types.Position) -> tuple[int, int]:
    """A position to compare by."""
    return position.line, position.character


def meet(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges have a place in common; an empty one is the place between two characters."""
    return at(one.start) <= at(other.end) and at(other.start) <= at(one.end)


def units(text: str, encoding: str) -> int:
    """How many units a text takes."""
    if encoding == types.PositionEncodingKind.Utf32 or text.isascii():
        return len(text)
    if encoding == types.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
