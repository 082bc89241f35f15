"""What a finding is known by from one run to the next, though lines move and code is formatted anew.

A finding is its rule, its file, its function, the text of its statement and an ordinal among those that are alike in
all of that. Of a compound statement (`if`, `for`, `def` and so on) the text is that of its head. The text is brought to
a form that formatters do not change, and that does not depend on the version of Python that runs the tool.
"""

from __future__ import annotations

import ast
import bisect
import hashlib
import io
import json
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from compile_lint.findings import Finding

TextOf = Callable[[str], str | None]
"""The text of a file by the path of its findings; None if it cannot be read any more."""

Place = tuple[int, int]
"""A line, counted from 1, and a column in characters, counted from 0."""

_LENGTH = 32
_LINE_END = re.compile(r"\r\n|\r|\n")
_STRING = re.compile(r"(?s)([A-Za-z]*)(\"\"\"|'''|\"|')(.*)\2")
_QUOTE = re.compile(r"\\?['\"]")
_LEFT_OUT = frozenset("()")
"""Signs that formatters add and remove. Without them unlike statements may look alike: then the ordinal tells."""
_CLOSING = frozenset(")]}")
_NO_TEXT = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)
_FORMATTED = frozenset(
    number
    for name in ("FSTRING_START", "FSTRING_END", "TSTRING_START", "TSTRING_END")
    if (number := getattr(tokenize, name, None)) is not None
)


class Identity(NamedTuple):
    """What one finding is known by. `path` has `/`; `source` is the normalised text of the statement."""

    code: str
    path: str
    function: str
    source: str
    ordinal: int
    """0 for the first of those that are alike in all the rest, in the order of their places."""

    @property
    def fingerprint(self) -> str:
        """The identity as 32 hexadecimal digits."""
        text = json.dumps(list(self), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:_LENGTH]


def fingerprint(finding: Finding, source: str, ordinal: int) -> str:
    """The fingerprint of a finding at a statement of that normalised text: 32 hexadecimal digits."""
    return _identity(finding, finding.path, source, ordinal).fingerprint


def identities(findings: Iterable[Finding], text_of: TextOf, named: Callable[[str], str] = str) -> list[Identity]:
    """The identities of the findings of a run, in the order given.

    Ordinals count in the order of places, whatever the order given. They are right only if no finding of a file is
    left out: give all findings, and choose afterwards.

    Args:
        findings: all of them.
        text_of: reads a file by the path of its findings.
        named: the path that an identity has for the path of a finding, such as the one from a certain folder.
    """
    given = list(findings)
    statements: dict[str, StatementTexts] = {}
    counts: Counter[Identity] = Counter()
    found: dict[int, Identity] = {}
    for index in sorted(range(len(given)), key=lambda at: (given[at].place, given[at].message)):
        finding = given[index]
        if finding.path not in statements:
            statements[finding.path] = StatementTexts(text_of(finding.path) or "")
        source = statements[finding.path].at(finding.line, finding.column)
        first = _identity(finding, named(finding.path), source, 0)
        found[index] = first._replace(ordinal=counts[first])
        counts[first] += 1
    return [found[index] for index in range(len(given))]


class StatementTexts:
    """The normalised texts of one file's statements, each made when it is asked for."""

    def __init__(self, text: str) -> None:
        # only what ends a line for Python: str.splitlines also breaks at form feeds and the like
        self._lines = _LINE_END.split(text)
        self._spans = sorted(_spans(_parse(text), self._lines))
        self._known: dict[int, str] = {}

    def at(self, line: int, column: int) -> str:
        """The text of the statement, or the head of one, at a place counted from 1; of no statement, the line's."""
        index = bisect.bisect_right(self._spans, ((line, column - 1), (len(self._lines) + 1, 0))) - 1
        if index < 0 or (line, column - 1) >= self._spans[index][1]:
            return " ".join(self._lines[line - 1].split()) if 0 < line <= len(self._lines) else ""
        if index not in self._known:
            self._known[index] = normalised(self._cut(*self._spans[index]))
        return self._known[index]

    def _cut(self, start: Place, end: Place) -> str:
        lines = self._lines[start[0] - 1 : end[0]]
        lines[-1] = lines[-1][: end[1]]
        lines[0] = lines[0][start[1] :]
        return "\n".join(lines).rstrip().removesuffix("@")  # the sign of the decorator that comes next


def normalised(source: str) -> str:
    """The text of one statement without what a formatter may change, in one line.

    Comments, line ends, spaces, parentheses, commas before a closing bracket, the kind of quotes, how a string is cut
    in pieces and the case of letters in numbers do not count.
    """
    try:
        parts = list(_parts(source))
    except (tokenize.TokenError, SyntaxError):
        return " ".join(source.split())
    kept = [
        part
        for part, after in zip(parts, [*parts[1:], ""], strict=True)
        if part not in _LEFT_OUT and not (part == "," and (after in _CLOSING or not after))
    ]
    return " ".join(kept)


def _identity(finding: Finding, path: str, source: str, ordinal: int) -> Identity:
    return Identity(finding.code, path.replace("\\", "/"), finding.function, source, ordinal)


def _parts(source: str) -> Iterator[str]:
    """The tokens of a statement, with neighbouring strings as one."""
    strings: list[str] = []
    for kind, text in _tokens(source):
        if kind == tokenize.STRING:
            strings.append(text)
            continue
        if strings:
            yield _string(strings)
            strings = []
        yield text.lower() if kind == tokenize.NUMBER else text
    if strings:
        yield _string(strings)


def _tokens(source: str) -> Iterator[tuple[int, str]]:
    """Kinds and texts of tokens. A formatted string is one string, as it was before Python 3.12."""
    lines = source.split("\n")
    depth, start = 0, (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _FORMATTED:
            opens = tokenize.tok_name[token.type].endswith("START")
            start = token.start if opens and not depth else start
            depth += 1 if opens else -1
            if not depth:
                yield tokenize.STRING, _between(lines, start, token.end)
        elif not depth and token.type not in _NO_TEXT and token.string:
            yield token.type, token.string


def _between(lines: list[str], start: Place, end: Place) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    inner = lines[start[0] : end[0] - 1]
    return "\n".join([lines[start[0] - 1][start[1] :], *inner, lines[end[0] - 1][: end[1]]])


def _string(pieces: list[str]) -> str:
    """A string from its pieces: what it holds between double quotes, after the letters that stand before any piece."""
    letters: set[str] = set()
    body = ""
    for piece in pieces:
        if match := _STRING.fullmatch(piece):
            letters.update(match[1].lower())
            body += _QUOTE.sub('"', match[3])
    return f'{"".join(sorted(letters - {"u"}))}"{body}"'.replace("\n", "\\n")


def _spans(tree: ast.Module, lines: list[str]) -> Iterator[tuple[Place, Place]]:
    """Where each statement, handler, case and decorator begins and ends; no two overlap. An explicit stack, for `elif`
    nests.
    """

    def place(line: int, column: int) -> Place:
        text = lines[line - 1]
        return line, column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))

    def start(node: ast.AST) -> Place:
        node = node.pattern if isinstance(node, ast.match_case) else node
        nodes = [node, *getattr(node, "decorator_list", ())]
        return place(*min((one.lineno, one.col_offset) for one in nodes))

    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        below = [child for name in _BLOCKS if isinstance(block := getattr(node, name, None), list) for child in block]
        stack.extend(below)
        if isinstance(node, ast.Module):
            continue
        for decorator in getattr(node, "decorator_list", ()):
            yield start(decorator), place(decorator.end_lineno, decorator.end_col_offset)
        where = node.pattern if isinstance(node, ast.match_case) else node
        begin = place(where.lineno, where.col_offset)  # type: ignore[attr-defined]
        end = start(below[0]) if below else place(where.end_lineno, where.end_col_offset)  # type: ignore[attr-defined]
        yield begin, end


_BLOCKS = ("body", "cases", "handlers", "orelse", "finalbody")


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
