"""The words and marks of a schema's text, with their columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<space>\s+|#[^\n]*)|(?P<name>[A-Za-z_]\w*)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?)"
    r"|(?P<string>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')|(?P<mark>->|\.\.\.|[()\[\],:.=?!*|-])",
    re.ASCII | re.DOTALL,
)


class SchemaError(ValueError):
    """A text that is no schema: what was expected, and the column (from 1, in characters) where it is missing."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"column {column}: {message}")
        self.message = message
        self.column = column


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark: its kind is `name`, `number`, `string`, `mark` or `end`."""

    kind: str
    text: str
    column: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else f"`{self.text}`"


def tokens(text: str) -> list[Token]:
    """Split a text; the last token has the kind `end`. Raises SchemaError at a character that has no meaning."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise SchemaError(f"`{text[at]}` has no meaning in a schema", at + 1)
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup or "", match.group(), at + 1))
        at = match.end()
    return [*found, Token("end", "", len(text) + 1)]
