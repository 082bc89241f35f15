"""Operator schemas: `ns::name.overload(Tensor(a!) x, int[2]? size=None, *, Device? d=None) -> (Tensor(a!), Tensor[])`.

One small grammar, that of torch's own parser (torch/csrc/jit/frontend/function_schema_parser.cpp and
schema_type_parser.cpp) without the refined tensor types of its intermediate representation. `str(parse_schema(text))`
is the text as torch prints it, but for defaults, which stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from compile_lint.customops.schema_defaults import fits
from compile_lint.customops.schema_tokens import SchemaError, Token, tokens
from compile_lint.customops.schema_values import Alias, Argument, Schema, Type

__all__ = ["BASE_TYPES", "Alias", "Argument", "Schema", "SchemaError", "Type", "parse_name", "parse_schema"]

BASE_TYPES = frozenset(
    re.findall(
        r"\w+",
        "Tensor Generator Dimname ScalarType Layout MemoryFormat Storage QScheme Quantizer ConstQuantizerPtr Device "
        "Stream Scalar str float complex int SymInt SymBool bool None NoneType Capsule Any AnyClassType AnyEnumType",
    )
)
RESERVED = frozenset(
    re.findall(
        r"\w+",
        "None True False and or not is in if elif else for while def return import with as class global del "
        "break continue assert raise pass",
    )
)
"""Words that torch's lexer keeps for itself: no argument can be called so."""
_WITH_ELEMENTS = {"Future": 1, "Await": 1, "RRef": 1, "Dict": 2, "Union": None}
_T = TypeVar("_T")


def parse_schema(text: str, *, type_variables: bool = False) -> Schema:
    """Read a schema; `type_variables` lets lower-case names (`t`) stand for types, as operators on lists use them.

    Torch takes such names from Python (`Library.define`) and refuses them from C++ (`m.def`).
    Raises SchemaError, which names the column.
    """
    parser = _Parser(text, type_variables)
    try:
        schema = parser.schema()
        parser.end()
    except RecursionError:
        raise SchemaError("types are nested too deeply", 1) from None
    return schema


def parse_name(text: str) -> tuple[str, str, str]:
    """Namespace, name and overload of `ns::name.overload`; the outer two may be missing. Raises SchemaError."""
    parser = _Parser(text, False)
    name = parser.name()
    parser.end()
    return name


class _Parser:
    """Recursive descent with one token of lookahead."""

    def __init__(self, text: str, type_variables: bool) -> None:
        self._left = tokens(text)
        self._at = 0
        self._type_variables = type_variables

    @property
    def _current(self) -> Token:
        return self._left[self._at]

    def _is(self, mark: str) -> bool:
        return self._current.kind == "mark" and self._current.text == mark

    def _take(self, mark: str) -> bool:
        if not self._is(mark):
            return False
        self._at += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise self._error(f"`{mark}`")

    def _error(self, wanted: str) -> SchemaError:
        return SchemaError(f"expected {wanted}, found {self._current}", self._current.column)

    def _word(self, wanted: str, kind: str = "name") -> str:
        token = self._current
        if token.kind != kind:
            raise self._error(wanted)
        self._at += 1
        return token.text

    def _separated(self, one: Callable[[], _T], separator: str = ",") -> list[_T]:
        found = [one()]
        while self._take(separator):
            found.append(one())
        return found

    def end(self) -> None:
        if self._current.kind != "end":
            raise self._error("the end")

    def schema(self) -> Schema:
        namespace, name, overload = self.name()
        self._expect("(")
        arguments, vararg = self._arguments()
        self._expect("->")
        returns, varret = self._returns()
        return Schema(namespace, name, overload, arguments, returns, vararg, varret)

    def name(self) -> tuple[str, str, str]:
        parts = [self._word("the operator's name")]
        if self._take(":"):
            self._expect(":")
            parts.append(self._word("the operator's name after `::`"))
        overload = ""
        if self._take("."):
            column = self._current.column
            overload = self._word("the overload's name after `.`")
            if overload == "default" or overload.startswith("__"):
                raise SchemaError(f"`{overload}` is no name that an overload may have", column)
        return (parts[0] if len(parts) == 2 else ""), parts[-1], overload

    def _arguments(self) -> tuple[tuple[Argument, ...], bool]:
        found: list[Argument] = []
        vararg = kwarg_only = False
        if self._take(")"):
            return (), False
        while True:
            if self._take("..."):
                vararg = True
                break
            if not kwarg_only and self._take("*"):
                kwarg_only = True
            else:
                found.append(self._argument(found, kwarg_only))
            if not self._take(","):
                break
        self._expect(")")
        return tuple(found), vararg

    def _argument(self, before: list[Argument], kwarg_only: bool) -> Argument:
        type_ = self._sized_type()
        column = self._current.column
        name = self._word(f"a name for the argument of type `{type_}`")
        if name in RESERVED:
            raise SchemaError(f"`{name}` is a reserved word, and no name for an argument", column)
        default = self._default(type_) if self._take("=") else None
        positional_default = any(one.default is not None and not one.kwarg_only for one in before)
        if default is None and not kwarg_only and positional_default and type_.name != "List":
            raise SchemaError(f"`{name}` has no default, and an argument before it has one", column)
        return Argument(name, type_, default, kwarg_only)

    def _returns(self) -> tuple[tuple[Argument, ...], bool]:
        if self._take("..."):
            return (), True
        if not self._take("("):
            return (self._returned(),), False
        found: list[Argument] = []
        if self._take(")"):
            return (), False
        while True:
            if self._take("..."):
                self._expect(")")
                return tuple(found), True
            found.append(self._returned())
            if not self._take(","):
                break
        self._expect(")")
        return tuple(found), False

    def _returned(self) -> Argument:
        type_ = self._sized_type()
        return Argument(self._word("a name") if self._current.kind == "name" else "", type_)

    def _sized_type(self) -> Type:
        """A length may be given only here, at an argument's own list."""
        type_ = self._type()
        if not self._take("["):
            return type_
        size = self._word("a length, or `]`", "number")
        if not size.isdigit():
            self._at -= 1
            raise self._error("a whole number as length")
        self._expect("]")
        type_ = Type("List", (type_,), int(size), self._alias())
        return Type("Optional", (type_,)) if self._take("?") else type_

    def _type(self) -> Type:
        type_ = self._single_type()
        while True:
            if self._is("[") and self._left[self._at + 1].text == "]":
                self._at += 2
                type_ = Type("List", (type_,), None, self._alias())
            elif self._take("?"):
                type_ = Type("Optional", (type_,))
            else:
                return type_

    def _single_type(self) -> Type:
        if self._take("("):
            inner = () if self._is(")") else tuple(self._separated(self._type))
            self._expect(")")
            return Type("Tuple", inner)
        token = self._current
        name = self._word("a type")
        if name in _WITH_ELEMENTS:
            return self._with_elements(name)
        if name == "__torch__":
            self._expect(".")
            parts = self._separated(lambda: self._word("a class's name"), ".")
            return Type(".".join((name, *parts)), alias=self._alias())
        if name not in BASE_TYPES and not (self._type_variables and name[0].islower()):
            raise SchemaError(f"`{name}` is no type of a schema", token.column)
        return Type(name, alias=self._alias())

    def _with_elements(self, name: str) -> Type:
        wanted = _WITH_ELEMENTS[name]
        self._expect("(")
        inner = self._separated(self._type)
        if wanted is not None and len(inner) != wanted:
            raise self._error(f"{wanted} type(s) in `{name}(...)`")
        self._expect(")")
        return Type(name, tuple(inner), alias=self._alias())

    def _alias(self) -> Alias | None:
        if self._take("!"):
            return Alias((), (), True)
        if not self._take("("):
            return None
        before = tuple(self._separated(self._alias_set, "|"))
        write = self._take("!")
        after = tuple(self._separated(self._alias_set, "|")) if self._take("->") else ()
        self._expect(")")
        return Alias(before, after, write)

    def _alias_set(self) -> str:
        return "*" if self._take("*") else self._word("the name of an alias set")

    def _default(self, type_: Type) -> str:
        """The text of a default value, which must be one that the type can have."""
        token = self._current
        text = self._value()
        if not fits(type_, text):
            raise SchemaError(f"`{text}` is no default for `{type_.plain}`", token.column)
        return text

    def _value(self) -> str:
        if self._take("["):
            inner = [] if self._is("]") else self._separated(self._value)
            self._expect("]")
            return f"[{', '.join(inner)}]"
        if self._take("("):
            inner = self._separated(self._value)
            self._expect(")")
            return f"({', '.join(inner)})"
        sign = "-" if self._take("-") else ""
        token = self._current
        if token.kind not in ("number", "name") and (sign or token.kind != "string"):
            raise self._error("a default value")
        self._at += 1
        if token.kind != "name":
            return sign + token.text
        parts = [token.text]
        while self._take("."):
            parts.append(self._word("a name after `.`"))
        return sign + ".".join(parts)
