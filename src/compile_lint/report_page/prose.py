"""Texts as HTML: backticks set code, indented lines are blocks of code, all the rest is shown as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup, escape

from compile_lint.report.paint import safe

_CODE = re.compile(r"(`[^`]+`)")


def inline(text: str) -> Markup:
    """A text of one line."""
    return Markup("").join(_part(part) for part in _CODE.split(" ".join(text.split())) if part)


def blocks(text: str) -> Markup:
    """A text of several paragraphs, as rules have them."""
    found: list[Markup] = []
    for indented, group in groupby(text.splitlines(), key=lambda line: line.startswith("    ")):
        lines = list(group)
        if indented:
            found.append(Markup("<pre><code>{}</code></pre>").format(code([line[4:] for line in lines])))
            continue
        for blank, part in groupby(lines, key=lambda line: not line.strip()):
            if not blank:
                found.append(Markup("<p>{}</p>").format(inline(" ".join(part))))
    return Markup("\n").join(found)


def code(lines: Sequence[str]) -> Markup:
    """Lines of code; their ends and their indents stay."""
    return Markup("\n").join(escape(safe(line.expandtabs(4))) for line in lines)


def shown(value: object) -> object:
    """What a template writes: text without anything that is not for printing, and markup as it is."""
    return safe(" ".join(value.split())) if isinstance(value, str) and not isinstance(value, Markup) else value


def _part(part: str) -> Markup:
    if len(part) > 2 and part.startswith("`") and part.endswith("`"):
        return Markup("<code>{}</code>").format(safe(part[1:-1]))
    return escape(safe(part))
