"""Proposes calls: source text of expressions, the most telling first, until one of them works eagerly."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from compile_lint.confirm.probe.parameters import Parameter, Signature, signatures
from compile_lint.confirm.probe.target import Target
from compile_lint.confirm.probe.texts import RECEIVERS, SERIES, SHAPES, TABLES

ENOUGH = 90
"""Calls tried for one target."""


def proposals(target: Target) -> Iterator[str]:
    """Expressions that call `target`, without repeats, at most ENOUGH."""
    if target.form in ("attribute", "expression"):
        return iter(_attributes(target))
    calls = (f"{head}({arguments})" for head, arguments in _pairs(target))
    return itertools.islice(dict.fromkeys(itertools.islice(calls, 4 * ENOUGH)), ENOUGH)


def _attributes(target: Target) -> list[str]:
    if target.form == "expression":
        return [target.head]
    if target.head.startswith("y."):
        return [f"{receiver}{target.head[1:]}" for receiver in RECEIVERS]
    return [target.head]


def _pairs(target: Target) -> Iterator[tuple[str, str]]:
    named = list(_from_signatures(target))
    series = SERIES[target.family]
    if not target.head.startswith("y."):
        yield from ((target.head, text) for text in named[:50])
        yield from ((target.head, text) for text in series)
        yield from ((target.head, text) for text in named[50:])
        return
    tails = [*named[:20], *(("", "y2", "0", "2", "ii", "b", "0, i", "0, ii, y2", "v", "torch.float32", "nothing"))]
    for receiver in RECEIVERS:
        head = f"({receiver}){target.head[1:]}" if "(" in receiver else f"{receiver}{target.head[1:]}"
        yield from ((head, text) for text in tails[: 24 if receiver == "y" else 5])


def _from_signatures(target: Target) -> Iterator[str]:
    by_name, by_type = TABLES[target.family]
    found = signatures(target.name, target.value, target.method)
    if target.family in ("tensor", "numbers"):
        return
    for signature in found[:6]:
        yield from _filled(signature, by_name, by_type)
    if target.family == "torch":
        for signature in found[:6]:
            for text in itertools.islice(_filled(signature, by_name, by_type), 2):
                yield from (re.sub(r"\by2?\b", shape, text) for shape in SHAPES)


def _filled(
    signature: Signature, by_name: dict[str, tuple[str, ...]], by_type: dict[str, tuple[str, ...]]
) -> Iterator[str]:
    """The required parameters with their first values, then with one of them varied."""
    needed = [parameter for parameter in signature if parameter.required]
    choices = [values(parameter, by_name, by_type) for parameter in needed]
    first = [options[0] for options in choices]
    yield _text(needed, first)
    for at, options in enumerate(choices):
        for option in options[1:]:
            yield _text(needed, [*first[:at], option, *first[at + 1 :]])


def values(
    parameter: Parameter, by_name: dict[str, tuple[str, ...]], by_type: dict[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Source texts to try for a parameter."""
    typed = by_type.get(parameter.type, by_type["any"])
    named = by_name.get(parameter.name, ())
    if parameter.type in ("any", "tensor", "function"):
        return (*named, *(text for text in typed if text not in named))
    if parameter.type in ("int", "ints", "number", "float"):
        named = tuple(text for text in named if re.match(r"[\d(.-]", text))
    return (*named, *(text for text in typed if text not in named))


def _text(parameters: list[Parameter], texts: list[str]) -> str:
    return ", ".join(f"{p.name}={t}" if p.keyword_only else t for p, t in zip(parameters, texts, strict=True))
