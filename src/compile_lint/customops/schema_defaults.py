"""Which defaults a type of a schema can have, as torch 2.13's parser was measured to take them."""

from __future__ import annotations

import re

from compile_lint.customops.schema_values import Type

_NUMBERS = frozenset(("int", "SymInt", "float", "complex", "Scalar", "bool", "SymBool"))
_NAMED_NUMBERS = frozenset(("None", "True", "False", "Mean", "contiguous_format", "strided", "long", "float"))
_NUMERAL = re.compile(r"-?[\d.]")


def fits(type_: Type, text: str) -> bool:
    """Whether a default can be of the type: None passes for every number, and numbers pass for each other."""
    if type_.optional:
        return text == "None" or fits(type_.inner[0], text)
    if type_.name == "List":
        return text == "None" or _fits_list(type_, text)
    if type_.name == "Tensor":
        return text == "None"
    if type_.name in ("str", "Device"):
        return text[0] in "\"'"
    if type_.name in _NUMBERS:
        return _NUMERAL.match(text) is not None or text in _NAMED_NUMBERS
    return True


def _fits_list(type_: Type, text: str) -> bool:
    inner = type_.inner[0]
    if text[0] != "[":
        return type_.size is not None and fits(inner, text)
    return inner.name in _NUMBERS and all(fits(inner, one) for one in text[1:-1].split(", ") if one)
