"""Calls in a piece of C++, by tree-sitter; the libraries are imported when first needed."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

_RAW = re.compile(r'R"([^()\\\s]{0,16})\((.*)\)\1"\Z', re.DOTALL)
_LITERALS = ("string_literal", "raw_string_literal", "concatenated_string")


@dataclass(frozen=True, slots=True)
class Text:
    """The text that an argument stands for; `names` are macros and variables that stand in it as they are written."""

    value: str
    names: tuple[str, ...] = ()
    literals: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A call `receiver.first(...).method(arguments)`; no receiver in `f(...)`."""

    receiver: str
    first: Call | None
    """The call that the chain begins with; none in `f(...)` and `receiver.method(...)`."""
    method: str
    arguments: tuple[Any, ...]
    """Of each argument its nodes: several where literals and macros stand side by side."""
    offset: int
    """Of the method's name in the piece, in characters."""

    def text(self, index: int, known: Mapping[str, str]) -> Text | None:
        """The text of an argument, None where there is none; `known` are names that stand for literals."""
        return text_of(self.arguments[index], known) if index < len(self.arguments) else None

    def source(self, index: int) -> str:
        """An argument as it is written, in one line; empty where there is none."""
        return " ".join(" ".join(map(_source, self.arguments[index])).split()) if index < len(self.arguments) else ""

    @property
    def sources(self) -> list[str]:
        """All arguments as they are written."""
        return [self.source(index) for index in range(len(self.arguments))]


@cache
def parser() -> Any:
    """The parser of C++. Raises ImportError without tree-sitter."""
    import tree_sitter
    import tree_sitter_cpp

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def calls(piece: str) -> list[Call]:
    """All calls of a piece of code, in the order of its text. Raises ImportError without tree-sitter.

    Signs outside ASCII are read as `?`, so that bytes and characters count alike.
    """
    tree = parser().parse(piece.replace("\\\n", " \n").replace("\\\r\n", " \r\n").encode("ascii", "replace"))
    chains = _Chains()
    found = [call for node in _nodes(tree.root_node) if (call := _call(node, chains)) is not None]
    return sorted(found, key=lambda call: call.offset)


def _nodes(root: Any) -> list[Any]:
    left, found = [root], []
    while left:
        node = left.pop()
        if node.type == "call_expression":
            found.append(node)
        left.extend(node.children)
    return found


def _call(node: Any, chains: _Chains) -> Call | None:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.type not in ("argument_list", "initializer_list"):
        return None
    receiver, named = "", function
    first: Call | None = None
    if function.type == "field_expression":
        named = function.child_by_field_name("field")
        receiver, first = chains.before(function.child_by_field_name("argument"))
    return None if named is None else Call(receiver, first, _name(named), _split(arguments), named.start_byte)


class _Chains:
    """What chains of calls begin with; each is walked once, for they may be as long as a file."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[str, Call | None]] = {}

    def before(self, node: Any) -> tuple[str, Call | None]:
        """The receiver and the first call of the chain that the node is, if it is one."""
        walked: list[int] = []
        receiver, first = "", None
        while node is not None:
            if node.id in self._known:
                receiver, first = self._known[node.id]
                break
            if node.type != "call_expression":
                receiver = _source(node)
                break
            walked.append(node.id)
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if function is None or function.type != "field_expression":
                first = Call("", None, _name(function), _split(arguments), node.start_byte)
                break
            named = function.child_by_field_name("field")
            start = node.start_byte if named is None else named.start_byte
            first = Call("", None, _name(named), _split(arguments), start)
            node = function.child_by_field_name("argument")
        self._known.update((one, (receiver, first)) for one in walked)
        return receiver, first


def _name(node: Any) -> str:
    """A function's name without template arguments."""
    return _source(node).partition("<")[0].strip() if node is not None else ""


def _source(node: Any) -> str:
    return str(node.text.decode("ascii", "replace"))


def _split(arguments: Any) -> tuple[Any, ...]:
    found: list[list[Any]] = [[]]
    for child in arguments.children if arguments is not None else ():
        if child.type == ",":
            found.append([])
        elif child.type not in ("(", ")", "{", "}", "comment") and not child.type.startswith("preproc"):
            found[-1].append(child)
    return tuple(tuple(nodes) for nodes in found if nodes)


def text_of(nodes: tuple[Any, ...], known: Mapping[str, str]) -> Text:
    """Adjacent literals joined; a call around text alone (`TORCH_SELECTIVE_SCHEMA("...")`) is looked through."""
    parts: list[str] = []
    names: list[str] = []
    literals = 0
    left = list(reversed(nodes))
    while left:
        node = left.pop()
        source = _source(node)
        inside = _one_argument(node)
        if node.type == "string_literal":
            parts.append(_unquoted(source))
            literals += 1
        elif node.type == "raw_string_literal":
            raw = _RAW.search(source)
            parts.append(raw.group(2) if raw else "")
            literals += 1
        elif node.type in ("concatenated_string", "parenthesized_expression"):
            left.extend(reversed(node.children))
        elif node.type == "ERROR":
            left.extend(reversed(node.named_children))
        elif inside is not None:
            left.append(inside)
        elif source in known:
            parts.append(known[source])
            literals += 1
        elif node.type not in ("(", ")", "comment"):
            parts.append(source)
            names.append(source)
    return Text("".join(parts), tuple(names), literals)


def _one_argument(node: Any) -> Any:
    arguments = node.child_by_field_name("arguments") if node.type == "call_expression" else None
    given = [child for child in arguments.named_children if child.type != "comment"] if arguments else []
    return given[0] if given and given[0].type in _LITERALS else None


def _unquoted(source: str) -> str:
    inner = source[source.index('"') + 1 : source.rindex('"')] if source.count('"') >= 2 else source
    if "\\" not in inner:
        return inner
    try:
        return str(ast.literal_eval(f'"{inner}"'))
    except (SyntaxError, ValueError):
        return inner
