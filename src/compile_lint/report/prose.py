"""Setting texts of rules and messages in lines that a terminal can show."""

from __future__ import annotations

import re
from textwrap import wrap

from compile_lint.report.paint import safe_lines

WIDTH = 100
"""Characters in a line of prose."""

_SENTENCE_END = re.compile(r"[.!?](?=\s)")
_ITEM = re.compile(r"[-*] |\d+\. ")


def fill(text: str, width: int = WIDTH, first: int = 0) -> list[str]:
    """The lines of a text, safe to show: prose set anew to the width, indented lines (code) and list items as they are.

    Args:
        text: lines of prose; an empty line parts paragraphs.
        width: characters in a line.
        first: characters that are taken already in the first line.
    """
    out: list[str] = []
    prose: list[str] = []

    def close() -> None:
        if prose:
            taken = " " * (first if not out else 0)
            lines = wrap(" ".join(prose), width, initial_indent=taken, break_long_words=False, break_on_hyphens=False)
            out.extend([lines[0][len(taken) :], *lines[1:]])
            prose.clear()

    for line in safe_lines(text.strip()) if text.strip() else ():
        if not line or line.startswith(" ") or _ITEM.match(line):
            close()
            out.append(line)
        else:
            prose.append(line)
    close()
    return out


def first_sentence(text: str) -> str:
    """The first sentence of a text. A full stop between backticks ends none."""
    text = text.strip()
    for end in _SENTENCE_END.finditer(text):
        if text.count("`", 0, end.start()) % 2 == 0:
            return text[: end.end()]
    return text
