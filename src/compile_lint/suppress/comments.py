"""Suppression comments: finding them, and reading what they say."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, cast

from compile_lint.config.nearest import hint
from compile_lint.config.selectors import ALL, Selectors, covers

Form = Literal["ignore", "file-ignore", "skip-function", "noqa"]
FORMS = ("ignore", "file-ignore", "skip-function")

LINE_END = re.compile(r"\r\n|\r|\n")
_MAY_HOLD = re.compile(r"#[^\n\r]*?(?:compile-lint|noqa)", re.IGNORECASE)

# Strings come first, so that a `#` inside one opens no comment. One pattern over the text costs far less than tokenize,
# which would also stop at the first thing that is no Python.
_STRING_OR_COMMENT = re.compile(
    r"""'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'''|\Z)"""
    r'''|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\Z)'''
    r"""|'[^'\\\n\r]*(?:\\(?:\r\n|.)[^'\\\n\r]*)*'?"""
    r"""|"[^"\\\n\r]*(?:\\(?:\r\n|.)[^"\\\n\r]*)*"?"""
    r"""|(?P<comment>\#[^\n\r]*)""",
    re.DOTALL,
)
_OWN = re.compile(
    r"#\s*compile-lint\s*:\s*(?P<form>[\w-]*)(?:\s*(?P<codes>\[[^\]#]*\]?)|(?P<colon>\s*[:=]))?", re.IGNORECASE
)
_NOQA = re.compile(r"#\s*noqa\b(?:\s*:\s*(?P<codes>[A-Z]+\d+(?:[\s,]+[A-Z]+\d+)*)|(?!\s*:))", re.IGNORECASE)


@dataclass(eq=False, slots=True)
class Comment:
    """One suppression. Lines and columns are 1-based; no `selectors` means every rule."""

    form: Form
    line: int
    column: int
    text: str
    alone: bool
    """Nothing else stands on its line."""
    selectors: tuple[str, ...] = ()
    """Codes and prefixes, canonical."""
    complaints: tuple[str, ...] = ()
    """What it says that means nothing."""
    used: set[str] = field(default_factory=set)
    """The selectors that silenced something; ALL for a comment that names none."""

    @property
    def blanket(self) -> bool:
        """Whether it speaks of every rule."""
        return not self.selectors and not self.complaints

    def silences(self, code: str) -> bool:
        """Whether it speaks of that code. Those of its selectors that do count as used from now on."""
        speaking = [ALL] if self.blanket else [selector for selector in self.selectors if covers(selector, code)]
        self.used.update(speaking)
        return bool(speaking)

    def names(self, code: str) -> bool:
        """Whether one of its selectors speaks of that code."""
        return any(covers(selector, code) for selector in self.selectors)


def may_hold(text: str) -> bool:
    """Whether the file can hold a suppression at all: one search, so that most files cost nothing more."""
    return _MAY_HOLD.search(text) is not None


def comments(text: str, selectors: Selectors) -> list[Comment]:
    """The suppressions in a file, in order. Code that does not parse may hold some too."""
    if not may_hold(text):
        return []
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    found = []
    for match in _STRING_OR_COMMENT.finditer(text):
        comment = match["comment"]
        if comment is None or not _MAY_HOLD.match(comment):
            continue
        line = bisect.bisect_right(starts, match.start())
        before = text[starts[line - 1] : match.start()]
        for made in _read(comment, selectors):
            made.line = line
            made.column += len(before)
            made.alone = not before.strip()
            found.append(made)
    return found


def _read(comment: str, selectors: Selectors) -> Iterator[Comment]:
    """The suppressions that one comment holds; lines are not known yet, and columns are counted from its start."""
    for match in _OWN.finditer(comment):
        yield _own(match, selectors)
    noqa = _NOQA.search(comment)
    if noqa is not None:
        codes = re.findall(r"[A-Za-z]+\d+", noqa["codes"] or "")
        known = [selectors.canonical(code) for code in codes]
        ours = tuple(dict.fromkeys(code for code in known if code is not None))
        if ours or not codes:  # codes of other linters are none of this one's business
            yield Comment("noqa", 0, noqa.start() + 1, noqa[0], False, ours)


def _own(match: re.Match[str], selectors: Selectors) -> Comment:
    form, codes = match["form"].lower(), match["codes"]
    text = match[0].rstrip()
    if form not in FORMS:
        return Comment(
            "ignore", 0, match.start() + 1, text, False, (), (f"`{form}` is no suppression{hint(form, FORMS)}",)
        )
    if match["colon"]:  # taken as a blanket one it would silence more than was meant
        return Comment("ignore", 0, match.start() + 1, text, False, (), (f"rules go into brackets: `{form}[CL101]`",))
    known, complaints = _codes(codes, text, selectors) if codes is not None else ((), ())
    return Comment(cast(Form, form), 0, match.start() + 1, text, False, known, complaints)


def _codes(brackets: str, text: str, selectors: Selectors) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The selectors between the brackets, and complaints about what is none."""
    if not brackets.endswith("]"):
        return (), (f"the bracket of `{text}` is not closed",)
    codes = [code.strip() for code in brackets[1:-1].split(",") if code.strip()]
    if not codes:
        return (), (f"`{text}` names no rule between its brackets",)
    known = {code: selectors.canonical(code) for code in codes}
    complaints = tuple(
        f"`{code}` is no rule{selectors.nearest(code)}" for code, found in known.items() if found is None
    )
    return tuple(dict.fromkeys(found for found in known.values() if found is not None)), complaints
