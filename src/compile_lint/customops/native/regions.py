"""Where native code registers anything: blocks and statements found in the text, so that only those need a parser.

A whole file of templates and CUDA launches costs seconds to parse and confuses a C++ grammar; a statement does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compile_lint.customops.native.text import LONGEST_ARGUMENTS, arguments, closing, statement_end

MARKS = ("TORCH_LIBRARY", "RegisterOperators", "PYBIND11_", "NB_MODULE", "Library", "module", "class_<")
"""A file without one of these, and without a macro that holds one, registers nothing."""
_BLOCK = re.compile(r"\b(?P<macro>\w*TORCH_LIBRARY\w*|PYBIND11_(?:EMBEDDED_)?MODULE|NB_MODULE)\s*(?=\()")
_FUNCTION = re.compile(
    r"\b(?P<function>\w+)\s*(?P<open>\()[^;{}()]{0,2000}?\b(?P<type>(?:torch|at|c10)::(?:stable::)?Library"
    r"|(?:py|pybind11|nb|nanobind)::module_?)\s*&{0,2}\s*(?P<variable>\w+)\s*(?=[,)])"
)
_OLD = re.compile(r"\b(?:(?:torch|c10)::(?:jit::)?)?RegisterOperators\b(?:\s+\w+)?\s*(?=[=({])")
_CLASS = re.compile(r"\btorch::(?:jit::)?class_\s*<")
_BODY = re.compile(r"(?:\s|\\\n|const\b|noexcept\b|override\b)*\{")


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of code that registers something, by characters of the text."""

    kind: str
    """`library`, `module`, `old` (RegisterOperators) or `class`."""
    macro: str
    namespace: str
    key: str
    variable: str
    function: str
    """The function whose body it is, where it is no macro's block."""
    start: int
    end: int


def regions(text: str, code: str) -> list[Region]:
    """Regions of a text and its code (from `code_only`, macros' definitions blank), in order; none lies in another.

    A body that nothing closes ends where the next block begins.
    """
    starts = [match.start() for match in _BLOCK.finditer(code)]
    found = [*_blocks(text, code, starts), *_functions(code), *_statements(code)]
    found.sort(key=lambda region: (region.start, -region.end))
    kept: list[Region] = []
    for region in found:
        if not kept or region.start >= kept[-1].end:
            kept.append(region)
    return kept


def _blocks(text: str, code: str, starts: list[int]) -> Iterator[Region]:
    for index, match in enumerate(_BLOCK.finditer(code)):
        limit = starts[index + 1] if index + 1 < len(starts) else len(code)
        given = arguments(text, code, match.end(), limit)
        body = _BODY.match(code, given[1]) if given else None
        macro = match["macro"]
        kind = "library" if "TORCH_LIBRARY" in macro else "module"
        of_key = kind == "library" and "_IMPL" in macro
        if given is None or body is None or len(given[0]) < (3 if of_key else 2):
            continue
        names = given[0]
        start = body.end() - 1
        end = closing(code, start, limit)
        yield Region(kind, macro, names[0], names[1] if of_key else "", names[2 if of_key else 1], "", start, end)


def _functions(code: str) -> Iterator[Region]:
    """Functions that take the library or the module to register at."""
    at = 0
    for match in _FUNCTION.finditer(code):
        if match.start() < at:
            continue
        close = closing(code, match.start("open"), match.start("open") + LONGEST_ARGUMENTS)
        body = _BODY.match(code, close)
        if body is not None:
            kind = "library" if match["type"].endswith("Library") else "module"
            at = closing(code, body.end() - 1)
            yield Region(kind, "", "", "", match["variable"], match["function"], body.end() - 1, at)


def _statements(code: str) -> Iterator[Region]:
    for pattern, kind in ((_OLD, "old"), (_CLASS, "class")):
        at = 0
        for match in pattern.finditer(code):
            if match.start() < at:
                continue
            start = match.end() if kind == "old" else match.start()
            at = statement_end(code, start)
            yield Region(kind, "", "", "", "", "", start, at)
