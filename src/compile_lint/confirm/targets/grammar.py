"""The grammar of `--input` and `--init`.

argument: [NAME '='] value
value:    [NUMBER '<='] DTYPE '[' [INT (',' INT)*] ']' ['<' NUMBER]
        | 'none' | 'true' | 'false' | NUMBER | STRING
        | '(' values ')' | '[' values ']' | '{' (value ':' value)* '}'
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.confirm.targets.specs import DTYPES, SHORT, Argument, TensorSpec, dtype_name

WORDS: dict[str, Any] = {
    "none": None, "None": None, "true": True, "True": True, "false": False, "False": False,
    "inf": float("inf"), "nan": float("nan"),
}  # fmt: skip

_TOKEN = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
    |(?P<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<sign><=|[][(){},:<=+-])
    |(?P<end>$))""",
    re.VERBOSE,
)
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*=")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DEEPEST = 50
"""Containers within each other; more is a slip, and would exhaust Python's stack."""
_EXAMPLE = "x=float32[2,3]"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int
    """From 1."""


def input_argument(text: str, place: str) -> Argument:
    """One `--input`. `place` names the option or the key.

    Raises:
        ConfigError: it is not of the grammar; the text says where and what would be right.
    """
    name, start = _name(text)
    parser = _Parser(text, start, place, tensors=True)
    return Argument(name, parser.whole())


def init_argument(text: str, place: str) -> Argument:
    """One `--init`: a name and a literal.

    Raises:
        ConfigError: it is not of that form.
    """
    name, start = _name(text)
    if not name:
        raise ConfigError(f"{place}: {text!r}: at 1: expected NAME=VALUE, such as dim=64")
    return Argument(name, _Parser(text, start, place, tensors=False).whole())


def _name(text: str) -> tuple[str, int]:
    found = _NAME.match(text)
    return (found[1], found.end()) if found else ("", 0)


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str, start: int, place: str, *, tensors: bool) -> None:
        self.text = text
        self.place = place
        self.tensors = tensors
        self.depth = 0
        self.tokens = self._tokens(start)
        self.index = 0

    def _tokens(self, at: int) -> list[_Token]:
        found: list[_Token] = []
        while True:
            match = _TOKEN.match(self.text, at)
            if match is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip())
                if self.text[at] in "'\"":
                    raise self.wrong(at + 1, "a string that does not end")
                raise self.wrong(at + 1, f"{self.text[at]!r} has no meaning here")
            kind = match.lastgroup or ""
            found.append(_Token(kind, match[kind], match.start(kind) + 1))
            if kind == "end":
                return found
            at = match.end()

    def wrong(self, at: int, words: str) -> ConfigError:
        return ConfigError(f"{self.place}: {self.text!r}: at {at}: {words}")

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def take(self) -> _Token:
        token = self.token
        self.index += token.kind != "end"
        return token

    def accept(self, sign: str) -> bool:
        if self.token.kind == "sign" and self.token.text == sign:
            self.index += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.accept(sign):
            raise self.wrong(self.token.at, f"expected {sign!r}, not {_shown(self.token)}")

    def whole(self) -> Any:
        value = self.value()
        if self.token.kind != "end":
            raise self.wrong(self.token.at, f"expected the end, not {_shown(self.token)}")
        return value

    def value(self) -> Any:
        token = self.token
        if token.kind == "name":
            return self.word()
        if token.kind == "number" or token.text in ("-", "+"):
            number = self.number()
            if not self.accept("<="):
                return number
            if self.token.kind != "name":
                raise self.wrong(
                    self.token.at, f"expected a tensor after '<=', such as 0<=int64[2]<10, not {_shown(self.token)}"
                )
            return self.tensor(self.take(), number)
        if token.kind == "string":
            self.take()
            return self.literal(token)
        if token.kind == "sign" and token.text in _CLOSING:
            return self.container()
        raise self.wrong(token.at, f"expected a value, such as {self.example()}, not {_shown(token)}")

    def example(self) -> str:
        return f"{_EXAMPLE}, none, 3 or 'text'" if self.tensors else "64, 0.5, none, true or 'text'"

    def literal(self, token: _Token) -> Any:
        try:
            return ast.literal_eval(token.text)
        except (ValueError, SyntaxError):
            raise self.wrong(token.at, f"{token.text} is not a literal of Python") from None

    def number(self) -> int | float:
        sign = -1 if self.accept("-") else 1
        if sign == 1:
            self.accept("+")
        token = self.take()
        if token.kind == "name" and token.text in ("inf", "nan"):
            return float(WORDS[token.text]) * sign
        if token.kind != "number":
            raise self.wrong(token.at, f"expected a number, not {_shown(token)}")
        number: int | float = self.literal(token)
        return number * sign

    def word(self) -> Any:
        token = self.take()
        if token.text in WORDS and not (self.token.kind == "sign" and self.token.text == "["):
            return WORDS[token.text]
        return self.tensor(token, None)

    def tensor(self, word: _Token, low: int | float | None) -> TensorSpec:
        dtype = dtype_name(word.text)
        brackets = self.token.kind == "sign" and self.token.text == "["
        if dtype is None and not brackets:
            raise self.wrong(word.at, f"{word.text!r} is no value; a string needs quotes: '{word.text}'")
        if not self.tensors:
            raise self.wrong(word.at, "a tensor cannot be given here, only literals")
        if dtype is None:
            raise self.wrong(word.at, f"unknown dtype {word.text!r}{hint(word.text, [*DTYPES, *SHORT])}")
        if not brackets:
            raise self.wrong(word.at, f"{word.text!r} needs a shape: {word.text}[2,3], or {word.text}[] for a scalar")
        return self.bounded(word, dtype, self.shape(), low)

    def shape(self) -> tuple[int, ...]:
        self.expect("[")
        sizes: list[int] = []
        while not self.accept("]"):
            token = self.take()
            if token.kind != "number" or not token.text.replace("_", "").isdigit():
                raise self.wrong(token.at, f"expected a size, a whole number from 0, or ']', not {_shown(token)}")
            sizes.append(int(token.text))
            if not self.accept(",") and not (self.token.kind == "sign" and self.token.text == "]"):
                raise self.wrong(self.token.at, f"expected ',' or ']', not {_shown(self.token)}")
        return tuple(sizes)

    def bounded(self, word: _Token, dtype: str, shape: tuple[int, ...], low: int | float | None) -> TensorSpec:
        at = self.token.at
        high = self.number() if self.accept("<") else None
        if low is None and high is None:
            return TensorSpec(dtype, shape)
        if dtype == "bool" or dtype.startswith("complex"):
            raise self.wrong(word.at, f"{dtype} takes no bounds")
        if dtype.startswith(("int", "uint")) and not all(
            bound is None or isinstance(bound, int) for bound in (low, high)
        ):
            raise self.wrong(word.at, f"the bounds of {dtype} must be whole numbers")
        if high is None:
            raise self.wrong(at, f"a lower bound needs an upper one: {low}<={dtype}[2]<10")
        if not (low or 0) < high:
            raise self.wrong(at, f"the upper bound is exclusive and must be above {low or 0}, not {high}")
        return TensorSpec(dtype, shape, low, high)

    def container(self) -> Any:
        opening = self.take()
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.wrong(opening.at, f"more than {_DEEPEST} containers within each other")
        closing = _CLOSING[opening.text]
        items: list[Any] = []
        comma = False
        while not self.accept(closing):
            items.append(self.pair() if opening.text == "{" else self.value())
            comma = self.accept(",")
            if not comma and not (self.token.kind == "sign" and self.token.text == closing):
                raise self.wrong(self.token.at, f"expected ',' or {closing!r}, not {_shown(self.token)}")
        self.depth -= 1
        if opening.text == "{":
            return dict(items)
        if opening.text == "[":
            return items
        return items[0] if len(items) == 1 and not comma else tuple(items)

    def pair(self) -> tuple[Any, Any]:
        token = self.token
        key = self.value()
        if not isinstance(key, (str, int, float, bool, type(None))):
            raise self.wrong(token.at, "a key must be a string or a number")
        self.expect(":")
        return key, self.value()


def _shown(token: _Token) -> str:
    return "the end" if token.kind == "end" else repr(token.text) if token.kind != "string" else token.text
