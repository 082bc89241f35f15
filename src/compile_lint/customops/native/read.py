"""What one native source registers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace

from compile_lint.customops.native.bodies import Bodies
from compile_lint.customops.native.found import Binding, Found, Owner, Passed
from compile_lint.customops.native.regions import MARKS, Region, regions
from compile_lint.customops.native.registrations import Line, Site, class_statement, library_call, old_call
from compile_lint.customops.native.syntax import Call, calls
from compile_lint.customops.native.text import (
    LONGEST_ARGUMENTS,
    Macro,
    arguments,
    closing,
    code_only,
    expanded,
    macros,
    statement_end,
)
from compile_lint.customops.native.values import NativeError

_REGISTERING = re.compile(r"\bTORCH_LIBRARY|\bRegisterOperators\b|\bPYBIND11_MODULE\b|(?:\.|->)\s*(?:def|impl|op)\s*\(")
_SHARED = re.compile(rf"{_REGISTERING.pattern}|##|\A\s*\w+\s*\([\w\s,]*\)\s*\Z")
"""What macros hold that other files may use: registrations, pasted names, or another macro alone."""
_CONSTANT = re.compile(r"\b(\w+)\s*(?:\[\s*\])?\s*[={]\s*(?=\")")
_LITERALS = re.compile(r'\s*(?:"(?:\\.|[^"\\\n])*"\s*)+(?=[;}]|\Z)')
_BRANCH = re.compile(r"^[ \t]*#[ \t]*(if|else|elif|endif)[^\n]*", re.MULTILINE)
_DEFINING = ("def", "define", "impl", "class_", "op")
_PYTHON_MODULE = ("set_python_module", "impl_abstract_pystub")
_MOST_READ = 3
"""Of a file's text, so many times its length is parsed; statements that nothing ends are parsed again and again."""
_LEAST_READ = 40_000
_DEEPEST = 8
"""Macros that expand to macros, this many times."""


def registering_macros(text: str) -> list[Macro]:
    """The macros of a text that register something, or paste names: other files may use them."""
    if "define" not in text:
        return []
    found, _ = macros(text, code_only(text))
    return [one for one in found if one.parameters is not None and _SHARED.search(one.body)]


def read_source(path: str, text: str, shared: Mapping[str, Macro]) -> Found:
    """Read a file's registrations; nothing in the text makes it raise. Raises ImportError without tree-sitter.

    `shared` are macros of other files, by name.
    """
    using = any(name in text for name, macro in shared.items() if _REGISTERING.search(macro.body))
    if not using and not any(mark in text for mark in MARKS):
        return Found()
    code = code_only(text)
    own, code = macros(text, code)
    known = {**shared, **{one.name: one for one in own if one.parameters is not None}}
    reader = _Reader(path, Bodies(code), known, _constants(text, code, own), len(text))
    lines = [match.start() for match in re.finditer("\n", text)]
    reader.whole(text, code, lambda offset: bisect_right(lines, offset - 1) + 1)
    return reader.found


def _constants(text: str, code: str, own: list[Macro]) -> dict[str, str]:
    """Names that stand for text in this file: `const char* kSchema = "..."`, `#define SCHEMA "..."`; each said once."""
    found: dict[str, list[str]] = {}
    for match in _CONSTANT.finditer(code):
        literals = _LITERALS.match(text, match.end())
        found.setdefault(match[1], []).append(literals.group() if literals else "")
    for macro in own:
        if macro.parameters is None and macro.body.strip():
            found.setdefault(macro.name, []).append(macro.body)
    values: dict[str, str] = {}
    for name, bodies in found.items():
        if len(set(bodies)) == 1 and (text_ := _joined(bodies[0])) is not None:
            values[name] = text_
    return values


def _joined(literals: str) -> str | None:
    whole = _LITERALS.fullmatch(literals)
    return "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', literals)) if whole else None


def first_branch(piece: str) -> str:
    """A statement with the first branch of each `#if` inside it alone, every character where it was."""
    out, at, skipping = [], 0, 0
    for match in _BRANCH.finditer(piece):
        kept = piece[at : match.start()]
        out.append(re.sub(r"[^\n]", " ", kept) if skipping else kept)
        out.append(" " * len(match.group()))
        at = match.end()
        if match[1] == "if":
            skipping += 1 if skipping else 0
        elif match[1] == "endif":
            skipping = max(skipping - 1, 0)
        elif not skipping:
            skipping = 1
    return "".join([*out, piece[at:]])


class _Reader:
    """Collects what the regions of one file register."""

    def __init__(
        self, path: str, bodies: Bodies, known: Mapping[str, Macro], constants: Mapping[str, str], length: int
    ) -> None:
        self.found = Found()
        self._path = path
        self._site = Site(path, self.found, bodies, constants)
        self._macros = known
        self._uses = _pattern(name for name, one in known.items() if _REGISTERING.search(one.body))
        self._expanding: list[str] = []
        self._left = _LEAST_READ + _MOST_READ * length

    def whole(self, text: str, code: str, line: Line) -> None:
        """A file, or what a macro at its top level expands to."""
        found = regions(text, code)
        for region in found:
            self._region(region, text, code, line)
        starts = [region.start for region in found]
        for match in self._uses.finditer(code) if self._uses else ():
            before = bisect_right(starts, match.start()) - 1
            if before < 0 or match.start() >= found[before].end:
                self._expand(match, text, code, line, None)

    def _calls(self, piece: str, line: int) -> list[Call]:
        """The calls of a piece of code; none once too much has been read, which code that nobody wrote may lead to."""
        if self._left <= 0:
            return []
        self._left -= len(piece) + 50
        if self._left <= 0:
            words = "its brackets or quotes do not match; what is registered from this line on is not listed"
            self.found.errors.append(NativeError(self._path, line, words))
            return []
        return calls(piece)

    def _region(self, region: Region, text: str, code: str, line: Line) -> None:
        namespace = self._pasted(region.namespace)
        owner = Owner(namespace, region.key, region.macro, region.function)
        if region.kind == "class":
            class_statement(self._site, text[region.start : region.end], line(region.start))
        elif region.kind == "old":
            piece = text[region.start : region.end]
            before = "auto _ " if piece.lstrip().startswith("=") else "auto _ = RegisterOperators"
            for call in self._calls(before + first_branch(piece), line(region.start)):
                old_call(self._site, call, line(region.start + max(call.offset - len(before), 0)))
        else:
            if region.kind == "module" and not region.function:
                self.found.modules.append((owner, self._path, line(region.start)))
            self._block(region, owner, text, code, line)

    def _pasted(self, name: str) -> str:
        """A namespace that a macro pastes of names: `CONCAT(TORCH_EXTENSION_NAME, _ops)`."""
        for _ in range(_DEEPEST):
            match = re.match(r"(\w+)\s*(\()", name)
            macro = self._macros.get(match[1]) if match else None
            given = arguments(name, name, match.start(2)) if match else None
            if macro is None or given is None:
                break
            name = expanded(macro, given[0]).strip()
        return name

    def _block(self, region: Region, owner: Owner, text: str, code: str, line: Line) -> None:
        variables = {region.variable: ""}
        if region.kind == "module":
            variables.update(_submodules(code[region.start : region.end], text, region, variables))
        names = "|".join(re.escape(name) for name in variables if name)
        if not names:
            return
        events = re.compile(
            rf"\b(?P<variable>{names})\s*(?:\.|->)\s*(?P<method>\w+)|\b(?P<called>\w+)\s*\((?:[^();]*,)?\s*[&*]?(?:{names})\s*[,)]"
        )
        self._site.python_module = ""
        done: set[int] = set()
        found = [*events.finditer(code, region.start, region.end)]
        if self._uses:
            found += self._uses.finditer(code, region.start, region.end)
        for match in sorted(found, key=lambda match: match.start()):
            groups = match.groupdict()
            if groups.get("macro"):
                self._expand(match, text, code, line, (region, owner))
            elif groups.get("called"):
                if groups["called"] not in self._macros and groups["called"] not in ("if", "while", "for", "return"):
                    self.found.passed.append(Passed(owner, groups["called"]))
            elif match.start("method") not in done and self._left > 0:
                submodule = variables[groups["variable"]]
                self._statement(region, owner, submodule, match, text, code, line, done)

    def _statement(
        self,
        region: Region,
        owner: Owner,
        submodule: str,
        match: re.Match[str],
        text: str,
        code: str,
        line: Line,
        done: set[int],
    ) -> None:
        """A statement that begins with the library or the module: all calls of its chain."""
        start = match.start()
        end = statement_end(code, start, region.end)
        if code[end - 1] != ";":
            end = min(end, start + LONGEST_ARGUMENTS)
            self._left -= 3 * (end - start)  # such statements overlap, and cost the most
        before = "void _() { "
        seen = False
        for call in self._calls(f"{before}{first_branch(text[start:end])}; }}", line(start)):
            offset = start + call.offset - len(before)
            if call.receiver == match["variable"] and offset not in done:
                done.add(offset)
                seen = seen or offset == match.start("method")
                self._call(region, owner, submodule, call, line(offset))
        if (
            not seen
            and self._left > 0
            and match["method"] in _DEFINING
            and code[match.end() :].lstrip()[:1] in ("(", "<")
        ):
            words = f"`{match['variable']}.{match['method']}` cannot be read here; what it registers is not listed"
            self.found.errors.append(NativeError(self._path, line(start), words))

    def _call(self, region: Region, owner: Owner, submodule: str, call: Call, line: int) -> None:
        if call.method in _PYTHON_MODULE:
            given = call.text(0, self._site.constants)
            self._site.python_module = given.value if given else ""
        elif region.kind == "library":
            library_call(self._site, owner, call, line)
        elif call.method == "def" and (call.first is None or call.first.method == "def"):
            self._bind(owner, submodule, call, line)

    def _bind(self, owner: Owner, submodule: str, call: Call, line: int) -> None:
        name = call.text(0, self._site.constants)
        if name is None or not name.literals:
            words = f"binds a function whose name is made at run time, `{call.source(0)}`; it is not listed"
            self.found.errors.append(NativeError(self._path, line, words))
        else:
            self.found.bindings.append(Binding(owner, submodule, name.value, self._path, line))

    def _expand(
        self, match: re.Match[str], text: str, code: str, line: Line, block: tuple[Region, Owner] | None
    ) -> None:
        """What a macro registers, as if it stood at its use."""
        macro = self._macros[match["macro"]]
        given = arguments(text, code, match.end() - 1)
        if given is None or macro.name in self._expanding or len(self._expanding) == _DEEPEST:
            return
        self._expanding.append(macro.name)
        at = line(match.start())
        body = expanded(macro, given[0])
        self._left -= len(body)
        if self._left <= 0:
            self._expanding.pop()
            return
        if block is None:
            body += " " + _body_after(text, code, given[1])
            self.whole(body, code_only(body), lambda _: at)
        else:
            region, owner = block
            code_ = code_only(body)
            self._block(replace(region, start=0, end=len(body)), owner, body, code_, lambda _: at)
        self._expanding.pop()


def _body_after(text: str, code: str, end: int) -> str:
    """The block that follows a macro which stands for `TORCH_LIBRARY(...)`; lines in it are those of the macro."""
    if not code[end : end + 200].lstrip().startswith("{"):
        return ""
    start = code.index("{", end)
    return text[start : closing(code, start)]


def _pattern(names: Iterator[str]) -> re.Pattern[str] | None:
    listed = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(rf"\b(?P<macro>{listed})\s*\(") if listed else None


def _submodules(code: str, text: str, region: Region, variables: Mapping[str, str]) -> dict[str, str]:
    """Variables of submodules with their dotted names: `auto sub = m.def_submodule("sub")`."""
    found = dict(variables)
    for match in re.finditer(r"\b(\w+)\s*=\s*(\w+)\s*\.\s*def_submodule\s*(\()", code):
        given = arguments(text[region.start : region.end], code, match.start(3))
        if match[2] in found and given and given[0]:
            found[match[1]] = f"{found[match[2]]}.{given[0][0].strip(chr(34))}".strip(".")
    return found
