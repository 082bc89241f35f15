"""Where a comment that silences a finding may stand, so that the code stays what it was."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

from compile_lint.suppress.comments import LINE_END
from compile_lint.suppress.statements import Statements

_OURS = re.compile(r"#\s*compile-lint\s*:\s*ignore\s*\[(?P<codes>[^\]#]*)\]", re.IGNORECASE)
_HEAD = re.compile(r"#!|%%|\s*#.*?coding[:=]")
"""A line that counts only at the top: for the shell, for IPython, for Python's decoder."""
_WORDS = re.compile(r"[\r\n#]+")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text to put in before a place: 1-based line and column, in characters."""

    line: int
    column: int
    text: str


def on_line(text: str, line: int, end_line: int, code: str, reason: str = "") -> Insertion | None:
    """A suppression of one rule for what stands on some lines; None where the code cannot be read.

    It goes to the end of the finding's first line, or of another line of its own where that one ends inside a string or
    with a backslash; else it gets a line above the statement. A suppression of other rules that is there takes the code
    in.
    """
    lines = LINE_END.split(text)
    ends = _comment_ends(text)
    if ends is None or not 1 <= line <= len(lines):
        return None
    first = Statements(text).first_line(line)
    for candidate in dict.fromkeys((line, first, *range(line, min(end_line, len(lines)) + 1))):
        if candidate in ends:
            return _at_end(lines[candidate - 1], candidate, ends[candidate], code, reason)
    body = lines[first - 1]
    indent = body[: len(body) - len(body.lstrip())]
    return Insertion(first, 1, f"{indent}{_comment('ignore', code, reason)}{_line_end(text)}")


def in_file(text: str, code: str, reason: str = "") -> Insertion:
    """A suppression of one rule in the whole file: a line at its top, below what must stand there."""
    lines = LINE_END.split(text)
    line = 1 + max((i for i, head in enumerate(lines[:-1][:2], 1) if _HEAD.match(head)), default=0)
    return Insertion(line, 1, _comment("file-ignore", code, reason) + _line_end(text))


def _at_end(body: str, line: int, comment: int | None, code: str, reason: str) -> Insertion:
    ours = _OURS.search(body, comment) if comment is not None else None
    if ours is not None and not reason:
        return Insertion(line, ours.end("codes") + 1, f", {code}" if ours["codes"].strip() else code)
    column = len(body.rstrip())
    return Insertion(line, column + 1, f"  {_comment('ignore', code, reason)}")


def _comment(form: str, code: str, reason: str) -> str:
    words = " ".join(_WORDS.sub(" ", reason).split())
    return f"# compile-lint: {form}[{code}]{' ' + words if words else ''}"


def _line_end(text: str) -> str:
    found = LINE_END.search(text)
    return found[0] if found else "\n"


def _comment_ends(text: str) -> dict[int, int | None] | None:
    """The lines that may end in a comment, each with the column (0-based) of the one that is there."""
    ends: dict[int, int | None] = {}
    comments: dict[int, int] = {}
    plain = LINE_END.sub("\n", text)  # what tokenize calls a line, for `\r` too
    try:
        for token in tokenize.generate_tokens(io.StringIO(plain).readline):
            if token.type == tokenize.COMMENT:
                comments[token.start[0]] = token.start[1]
            elif token.type in (tokenize.NEWLINE, tokenize.NL):
                ends[token.start[0]] = comments.get(token.start[0])
    except (tokenize.TokenError, SyntaxError):  # IndentationError is one
        return None
    return ends
