"""Putting texts into Markdown so that it shows them as they are. For every report that is Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compile_lint.report.paint import safe

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~@&!])")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(safe(part) for part in text.split()))


def code(text: str) -> str:
    """Text as code, whatever backticks it holds; `|` would end a cell."""
    plain = " ".join(safe(part) for part in text.split()).replace("|", "\\|")
    if not plain:
        return ""
    fence = _fence(plain, 1)
    pad = " " if len(fence) > 1 else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def fenced(text: str) -> Iterator[str]:
    """The lines of a block of code, an empty line after it. Nothing for an empty text."""
    if text.strip():
        fence = _fence(text, 3)
        yield fence
        yield from (safe(line.expandtabs(4)) for line in text.rstrip().splitlines())
        yield fence
        yield ""


def html(text: str) -> str:
    """Text for an HTML element, on one line."""
    from html import escape

    return escape(" ".join(safe(part) for part in text.split()))


def prose(text: str) -> str:
    """Text of one line in which backticks set code, as the messages of rules have it; all the rest as it is."""
    parts = re.split(r"(`[^`]+`)", text)
    return " ".join("".join(_part(part) for part in parts).split())


def _part(part: str) -> str:
    if len(part) > 2 and part.startswith("`") and part.endswith("`") and part[1:-1].strip():
        return code(part[1:-1])
    lead, trail = " " * part[:1].isspace(), " " * part[-1:].isspace()
    return f"{lead}{escaped(part)}{trail}"


def _fence(text: str, least: int) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(least, longest + 1)
