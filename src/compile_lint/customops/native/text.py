"""Native sources as text: comments and literals blanked, brackets matched, arguments split, macros collected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_UNCODE = re.compile(
    r"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)|(?<![A-Za-z0-9_])(?:u8|[uUL])?R\"(?P<mark>[^()\\\s]{0,16})\("
    r"|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
_NOT_LINE = re.compile(r"[^\n]")
_BRACKETS = re.compile(r"[(){}\[\]]|^[ \t]*#[ \t]*(?:if|else|elif|endif)", re.MULTILINE)
_ENDS = re.compile(r"[(){}\[\];]")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^()\n]*\))?((?:\\\r?\n|[^\n])*)", re.MULTILINE)
LONGEST_ARGUMENTS = 20_000
"""No list of a macro's arguments is longer, in characters."""


@dataclass(frozen=True, slots=True)
class Macro:
    """`#define name(parameters) body`; no parameters is None."""

    name: str
    parameters: tuple[str, ...] | None
    body: str


def code_only(text: str) -> str:
    """The text with comments and literals blank but for the quotes, every character and line where it was."""
    pieces: list[str] = []
    at = 0
    open_ended: set[str] = set()
    while (match := _UNCODE.search(text, at)) is not None:
        end = match.end()
        if match["mark"] is not None:
            close = f'){match["mark"]}"'
            found = -1 if close in open_ended else text.find(close, end)
            if found < 0:
                open_ended.add(close)
            else:
                end = found + len(close)
        pieces += [text[at : match.start()], _blank(text[match.start() : end])]
        at = end
    return "".join([*pieces, text[at:]])


def _blank(piece: str) -> str:
    blank = _NOT_LINE.sub(" ", piece)
    return '"' + blank[1:-1] + '"' if piece[-1] == '"' and piece[0] not in "/'" and len(piece) > 1 else blank


def macros(text: str, code: str) -> tuple[list[Macro], str]:
    """The macros of a text, and its code (from `code_only`) with their definitions blank."""
    found: list[Macro] = []
    spans: list[tuple[int, int]] = []
    for match in _DEFINE.finditer(code):
        body = text[match.start(3) : match.end(3)].replace("\\\r\n", " ").replace("\\\n", " ")
        given = match[2]
        parameters = None if given is None else tuple(part.strip() for part in given[1:-1].split(",") if part.strip())
        found.append(Macro(match[1], parameters, body))
        spans.append(match.span())
    if not spans:
        return found, code
    pieces, at = [], 0
    for start, end in spans:
        pieces += [code[at:start], _NOT_LINE.sub(" ", code[start:end])]
        at = end
    return found, "".join([*pieces, code[at:]])


def closing(code: str, start: int, limit: int | None = None) -> int:
    """The end of the bracketed text that opens at `start`; branches of `#if` each count from the same depth.

    The limit (a position) where nothing closes it before.
    """
    depth = 0
    conditions: list[int] = []
    end = len(code) if limit is None else min(limit, len(code))
    for match in _BRACKETS.finditer(code, start, end):
        mark = match.group()
        if mark[-1] in "([{":
            depth += 1
        elif mark[-1] in ")]}":
            depth -= 1
            if depth <= 0:
                return match.end()
        else:
            depth = _condition(mark.strip(" \t#"), depth, conditions)
    return end


def _condition(word: str, depth: int, conditions: list[int]) -> int:
    if word == "if":
        conditions.append(depth)
    elif word == "endif":
        if conditions:
            conditions.pop()
    elif conditions:
        return conditions[-1]
    return depth


def statement_end(code: str, start: int, limit: int | None = None) -> int:
    """The end of the statement that goes on at `start`: its semicolon, or the bracket that closes around it."""
    depth = 0
    end = len(code) if limit is None else min(limit, len(code))
    for match in _ENDS.finditer(code, start, end):
        mark = match.group()
        if mark == ";" and depth <= 0:
            return match.end()
        depth += 1 if mark in "([{" else -1 if mark in ")]}" else 0
        if depth < 0:
            return match.start()
    return end


def split(code: str, start: int, end: int) -> list[tuple[int, int]]:
    """The arguments between two positions, at commas outside brackets, as positions; angle brackets do not count."""
    depth, at = 0, start
    found: list[tuple[int, int]] = []
    for position in range(start, end):
        sign = code[position]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign == "," and depth == 0:
            found.append((at, position))
            at = position + 1
    if code[at:end].strip() or found:
        found.append((at, end))
    return found


def arguments(text: str, code: str, opening: int, limit: int | None = None) -> tuple[list[str], int] | None:
    """The arguments of the call whose `(` is at `opening`, as text, and where it ends; None if nothing closes it."""
    end = closing(code, opening, min(opening + LONGEST_ARGUMENTS, len(code) if limit is None else limit))
    if code[end - 1 : end] != ")":
        return None
    return [text[start:stop].strip() for start, stop in split(code, opening + 1, end - 1)], end


def expanded(macro: Macro, given: list[str]) -> str:
    """A macro's body for arguments, once: `#x` is a literal and `a ## b` one word, as the preprocessor has it."""
    names = macro.parameters or ()
    values = dict(zip(names, given, strict=False))
    if names and names[-1].endswith("..."):
        values["__VA_ARGS__"] = ", ".join(given[len(names) - 1 :])
    return re.sub(r"\s*##\s*", "", "".join(_substituted(macro.body, values)))


_PIECES = re.compile(r'(#?)\s*\b([A-Za-z_]\w*)\b|"(?:\\.|[^"\\\n])*"|##|[^\w"#]+|.', re.DOTALL)


def _substituted(body: str, values: Mapping[str, str]) -> Iterator[str]:
    pasting = False
    for match in _PIECES.finditer(body):
        name = match[2]
        if name and name in values:
            quoted = match[1] == "#" and not pasting
            yield f' "{_escaped(values[name])}" ' if quoted else match.group().removesuffix(name) + values[name]
        else:
            yield match.group()
        pasting = match.group() == "##" or (pasting and match.group().isspace())


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
