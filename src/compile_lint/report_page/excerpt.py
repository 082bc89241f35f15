"""Lines of source around the one that is meant, if the file at hand is still the one that was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from compile_lint.report_page.view import Excerpt

_AROUND = 2
_MOST_BYTES = 4 << 20
_WIDTH = 200

LinesOf = Callable[[str], Sequence[str] | None]
"""The lines of a file by its path as shown; None if it cannot be read."""


def excerpt(path: str, line: int, source: str, lines_of: LinesOf) -> Excerpt | None:
    """The line with those around it; the line alone, as recorded, where the file has changed or is not at hand.

    None where not even the line is recorded.
    """
    if not source.strip():
        return None
    lines = lines_of(path) or ()
    if not (1 <= line <= len(lines) and lines[line - 1].strip() == source.strip()):
        return Excerpt(line, (_cut(source.strip()),), line)
    first, last = max(1, line - _AROUND), min(len(lines), line + _AROUND)
    return Excerpt(first, tuple(_cut(one) for one in lines[first - 1 : last]), line)


def lines_of(path: str) -> list[str] | None:
    """The lines of a Python file; None where there is none, or one that is no text or far too long for source."""
    file = Path(path)
    try:
        if file.suffix != ".py" or not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        return file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def _cut(line: str) -> str:
    shown = line.expandtabs(4).rstrip()
    return shown if len(shown) <= _WIDTH else f"{shown[: _WIDTH - 3]}..."
