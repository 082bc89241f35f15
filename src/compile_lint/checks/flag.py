"""The pass over the concrete syntax tree: it flags what the analysis proposes, and gives each finding its exact span.

Only the statements that hold a candidate are parsed and written out with positions: libcst parses 9 times slower than
`ast`, and recording positions for a whole file costs 24 times what `ast` does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

import libcst as cst
from libcst._nodes.internal import CodegenState

from compile_lint.checks.candidate import Candidate, Span
from compile_lint.checks.pieces import first_line as _first_line
from compile_lint.checks.pieces import piece_at

Place = tuple[int, int]
_WHITESPACE = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine, cst.Comment, cst.Newline)


class _Positions(CodegenState):
    """Writes code out while noting where each syntactic node begins and ends."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.line = 1
        self.column = 0
        self.starts: dict[int, Place] = {}
        self.spans: dict[tuple[Place, Place], cst.CSTNode] = {}
        self.named: dict[int, tuple[Place, Place]] = {}

    def add_token(self, value: str) -> None:
        super().add_token(value)
        self._advance(value)

    def add_indent_tokens(self) -> None:
        super().add_indent_tokens()
        for token in self.indent_tokens:
            self._advance(token)

    def _advance(self, value: str) -> None:
        parts = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if len(parts) == 1:
            self.column += len(value)
        else:
            self.line += len(parts) - 1
            self.column = len(parts[-1])

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> _Recorder:
        return _Recorder(self, node)


class _Recorder:
    __slots__ = ("node", "start", "state")

    def __init__(self, state: _Positions, node: cst.CSTNode) -> None:
        self.state = state
        self.node = node
        self.start: Place = (0, 0)

    def __enter__(self) -> None:
        self.start = (self.state.line, self.state.column)

    def __exit__(self, *exc: object) -> None:
        end = (self.state.line, self.state.column)
        self.state.spans.setdefault((self.start, end), self.node)
        self.state.named[id(self.node)] = (self.start, end)


Spans = dict[tuple[Place, Place], cst.CSTNode]


class Flagger:
    """Finds the concrete nodes of one file's candidates.

    The statement of a candidate is nearly always enough to see it; else its whole module-level statement is parsed.
    """

    def __init__(self, text: str, tree: ast.Module) -> None:
        # only what ends a line for Python: str.splitlines also breaks at form feeds and the like
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._tree = tree
        self._parsed: dict[int, cst.Module] = {}
        self._pieces: dict[str, Spans] = {}
        self._generated: dict[int, tuple[int, Spans]] = {}

    def span(self, candidate: Candidate) -> tuple[Span, bool]:
        """The span of a candidate's node, and whether the concrete tree shows a node just there.

        Where it does not (inside an f-string, before Python 3.12), the smallest node around that place stands for it.

        Raises:
            libcst.ParserSyntaxError: libcst cannot parse the statement.
        """
        start = (candidate.line, self._character(candidate.line, candidate.column))
        end = (candidate.end_line, self._character(candidate.end_line, candidate.end_column))
        if self._stands_alone(start, end):
            return Span(start[0], start[1] + 1, end[0], end[1] + 1), True
        offset, spans = self._spans_at(candidate.line)
        inner = ((start[0] - offset, start[1]), (end[0] - offset, end[1]))
        shown = inner in spans
        if not shown:
            around = [place for place in spans if place[0] <= inner[0] and inner[1] <= place[1]]
            inner = max(around, default=inner)
        (line, column), (end_line, end_column) = inner
        return Span(line + offset, column + 1, end_line + offset, end_column + 1), shown

    def _stands_alone(self, start: Place, end: Place) -> bool:
        """Whether the statement by itself shows a node just there."""
        piece = piece_at(self._tree, self._lines, start[0], end[0])
        if piece is None:
            return False
        spans = self._pieces.get(piece.text)
        if spans is None:
            spans = self._pieces[piece.text] = _spans_of(piece.text)
        return ((start[0] - piece.offset, start[1]), (end[0] - piece.offset, end[1])) in spans

    def _character(self, line: int, column: int) -> int:
        """The column in characters of a column in UTF-8 bytes."""
        if not 0 < line <= len(self._lines):
            return column
        text = self._lines[line - 1]
        return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))

    def _spans_at(self, line: int) -> tuple[int, Spans]:
        top = next((s for s in self._tree.body if _first_line(s) <= line <= (s.end_lineno or 0)), None)
        if top is None:
            return 0, {}
        path = _path_to([top], line)
        key = path[-1][1].lineno if path else top.lineno
        known = self._generated.get(key)
        if known is None:
            known = self._generated[key] = self._generate(top, path)
        return known

    def _generate(self, top: ast.stmt, path: list[tuple[int, ast.stmt]]) -> tuple[int, Spans]:
        """Write out the innermost definition on the path, indented as it stands, and align its lines."""
        module = self._module(top)
        state = _Positions(module)
        if not path:
            module._codegen(state)
            return _first_line(top) - 1, state.spans
        node = _follow(module.body, [index for index, _ in path])
        if node is None:
            return 0, {}
        definition = path[-1][1]
        state.indent_tokens.append(self._lines[definition.lineno - 1][: definition.col_offset])
        node._codegen(state)
        start = state.named.get(id(getattr(node, "name", node)), ((1, 0), (1, 0)))[0][0]
        line: int = definition.lineno
        return line - start, state.spans

    def _module(self, top: ast.stmt) -> cst.Module:
        first = _first_line(top)
        if first not in self._parsed:
            self._parsed[first] = cst.parse_module("\n".join(self._lines[first - 1 : top.end_lineno]) + "\n")
        return self._parsed[first]


def _path_to(body: list[ast.stmt], line: int) -> list[tuple[int, ast.stmt]]:
    """The definitions around a line, outermost first, each with its ordinal among its parent's definitions."""
    path: list[tuple[int, ast.stmt]] = []
    while True:
        inside = [(i, d) for i, d in enumerate(definitions(body)) if _first_line(d) <= line <= (d.end_lineno or 0)]
        if not inside:
            return path
        index, found = inside[-1]
        path.append((index, found))
        body = getattr(found, "body", [])


def _spans_of(text: str) -> Spans:
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return {}  # an `except`, a `case`: no statement by itself
    state = _Positions(module)
    module._codegen(state)
    return state.spans


def definitions(body: Iterable[ast.stmt]) -> list[ast.stmt]:
    """The functions and classes of a block, through `if`, `try` and the like, in order."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append(node)
            continue
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            for child in getattr(node, part, None) or []:
                found.extend(definitions([child] if isinstance(child, ast.stmt) else child.body))
    return found


def _follow(body: Iterable[cst.CSTNode], path: list[int]) -> cst.CSTNode | None:
    """The concrete definition at the end of a path of ordinals."""
    node: cst.CSTNode | None = None
    for ordinal in path:
        found = _concrete_definitions(body)
        if ordinal >= len(found):
            return None
        node = found[ordinal]
        block = getattr(node, "body", None)
        body = getattr(block, "body", [])
    return node


def _concrete_definitions(body: Iterable[cst.CSTNode]) -> list[cst.CSTNode]:
    found: list[cst.CSTNode] = []
    for node in body:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            found.append(node)
        elif isinstance(node, (cst.If, cst.Else, cst.Try, cst.TryStar, cst.For, cst.While, cst.With, cst.Match)):
            for part in _blocks(node):
                found.extend(_concrete_definitions(part))
    return found


def _blocks(node: cst.CSTNode) -> list[Iterable[cst.CSTNode]]:
    """The blocks of a compound statement in the order of the source."""
    blocks: list[Iterable[cst.CSTNode]] = []
    own = getattr(node, "body", None)
    if own is not None and hasattr(own, "body"):
        blocks.append(own.body)
    for handler in getattr(node, "handlers", ()):
        blocks.append(getattr(handler.body, "body", ()))
    for case in getattr(node, "cases", ()):
        blocks.append(getattr(case.body, "body", ()))
    for part in ("orelse", "finalbody"):
        child = getattr(node, part, None)
        if child is not None:
            blocks.append([child] if isinstance(child, cst.If) else getattr(child.body, "body", ()))
    return blocks
