"""Colours, and keeping what is shown from steering the terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}

KIND_COLORS = {"error": "red", "wrong": "magenta", "break": "yellow", "recompile": "cyan", "hazard": "blue"}

_PLAIN = re.compile(r"[ -~]*")
_TAB = 4


@dataclass(frozen=True, slots=True)
class Paint:
    """Puts colours on text, or leaves it as it is."""

    on: bool = False

    def __call__(self, text: str, *styles: str) -> str:
        """`text` in the given styles: names of colours, `bold`, `dim`."""
        if not self.on or not text:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


def wants_color(mode: str, is_terminal: bool, environ: Mapping[str, str]) -> bool:
    """Whether to colour: `always` and `never` as they say; `auto` by NO_COLOR, FORCE_COLOR and what is written to."""
    if mode != "auto":
        return mode == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"


def safe(text: str) -> str:
    """The text with everything that is not for printing spelt out: control characters, direction marks, surrogates.

    Line ends and tabs are spelt out too: what may hold them is split or expanded first.
    """
    if _PLAIN.fullmatch(text):
        return text
    return "".join(char if char.isprintable() else _spelt(char) for char in text)


def safe_lines(text: str) -> list[str]:
    """The lines of a text of the tool's own or of a rule, each safe."""
    return [safe(line.expandtabs(_TAB).rstrip()) for line in text.strip("\n").split("\n")]


def expand(line: str) -> tuple[str, list[int]]:
    """A source line ready to show, and the cell that each of its columns starts at (0-based, one past the end too)."""
    if _PLAIN.fullmatch(line):
        return line, list(range(len(line) + 1))
    out, cells, at = [], [], 0
    for char in line:
        shown = " " * (_TAB - at % _TAB) if char == "\t" else char if char.isprintable() else _spelt(char)
        cells.append(at)
        out.append(shown)
        at += sum(_width(part) for part in shown)
    return "".join(out), [*cells, at]


def _width(char: str) -> int:
    """Cells that a character takes on a terminal: Chinese, Japanese and Korean ones two, combining ones none."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _spelt(char: str) -> str:
    number = ord(char)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
