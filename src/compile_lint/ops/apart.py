"""What is no operator of torch's dispatcher: extension modules, autograd functions, kernels, opt-outs, foreign code."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from compile_lint.cells import locate
from compile_lint.findings import where
from compile_lint.ops import extensions, others
from compile_lint.ops.extensions import Extension
from compile_lint.ops.model import VERDICTS, Place, Row, Use
from compile_lint.ops.native import Function, Native, Part
from compile_lint.ops.others import FOREIGN, Declared
from compile_lint.ops.uses import Uses, Wanted
from compile_lint.ops.verdicts import Judged
from compile_lint.project.project import Project

_NAMED_BY_BUILD = "TORCH_EXTENSION_NAME"
_WRAP = "wrap it in torch.library.custom_op with a fake kernel"
_PYBIND: Judged = ("splits", f"it is native code past torch's dispatcher, which TorchDynamo cannot look into; {_WRAP}")
_LOADED: Judged = ("splits", f"it is native code loaded by ctypes or cffi, which TorchDynamo cannot look into; {_WRAP}")
_UNSEEN: Judged = ("unknown", "what it binds is not among these files; name its C++ sources too")


class Apart:
    """All of it that a project declares, and then with where it is called."""

    def __init__(
        self, declared: list[Declared], built: list[Extension], places: dict[int, Place], native: Native
    ) -> None:
        self._declared = declared
        self._built = built
        self._places = places
        self._native = native

    @classmethod
    def read(cls, project: Project, native: Native, pyprojects: Iterable[tuple[str, str]]) -> Apart:
        """Read the Python files that hold some, and what builds extension modules."""
        declared: list[Declared] = []
        built: list[Extension] = []
        places: dict[int, Place] = {}
        for source in project.holding((*others.MARKS, *extensions.MARKS)):
            module = project.module_at(source.path)
            if module is None:
                continue  # its error is told with the uses
            if any(mark in source.text for mark in others.MARKS):
                declared += others.declared_in(project, module)
            builds = any(mark in source.text for mark in extensions.MARKS)
            for one in extensions.extensions_in(module) if builds else ():
                cell, line = locate(module.cells, one.line)
                places[id(one)] = Place(where(one.path, cell), line)
                built.append(one)
            project.trim()
        for path, text in pyprojects:
            for one in extensions.extensions_of_pyproject(text, path):
                places[id(one)] = Place(path, one.line)
                built.append(one)
        return cls(declared, built, places, native)

    def named(self, native: Native) -> Native:
        """The operators of native sources, with the namespace that the build gives where they leave it to that."""
        parts = tuple(self._with_namespace(part) for part in native.parts)
        return replace(native, parts=parts)

    def _with_namespace(self, part: Part) -> Part:
        namespace, _, name = part.name.partition("::")
        if namespace != _NAMED_BY_BUILD:
            return part
        module = self._module_of(Function(namespace, name, part.path, part.line))
        return replace(part, name=f"{module.rpartition('.')[2]}::{name}") if module else part

    @property
    def wanted(self) -> Wanted:
        """What calls have to be looked for."""
        kernels = {name for one in self._declared if one.row.kind == "triton-kernel" for name in one.names}
        modules = {one.name for one in self._built if not one.variable}
        bound = [(module or _NAMED_BY_BUILD, function.name) for module, function in self._bound()]
        functions = {name: f"{module}.{name}" for module, name in bound}
        return Wanted(frozenset(kernels), frozenset({*modules, *(module for module, _ in bound)}), functions)

    def rows(self, uses: Uses) -> Iterator[Row]:
        """A row for each, with its calls."""
        taken: set[str] = set()
        for one in self._declared:
            found = {use for name in one.names for use in uses.others.get(name, ())}
            taken.update(one.names)
            yield _judged(replace(one.row, uses=tuple(sorted(found))), one, uses)
        yield from self._functions(uses, taken)
        for name, kind in uses.natives.items():
            if name not in taken:
                judged = {"pybind": _PYBIND, "loaded": _LOADED, "compiled": FOREIGN}[kind]
                yield _row(name, None, uses.others[name], judged, pybind=kind == "pybind")

    def _functions(self, uses: Uses, taken: set[str]) -> Iterator[Row]:
        """The functions of extension modules, declared in C++ or to load_inline."""
        seen: set[str] = set()
        for module, function in self._bound():
            seen.add(module)
            name = f"{module or _NAMED_BY_BUILD}.{function.name}"
            called = [n for n in uses.natives if n not in taken and _same(n, module, function.name)]
            taken.update(called)
            found = {use for n in called for use in uses.others[n]}
            yield _row(name, Place(function.path, function.line), found, _PYBIND)
        for one in self._built:
            names = [f"{one.name}.{function}" for function in one.functions]
            for last, name in zip(one.functions, names, strict=True):
                called = [n for n in uses.natives if n not in taken and _same(n, one.variable or one.name, last)]
                taken.update(called)
                yield _row(name, self._places[id(one)], {u for n in called for u in uses.others[n]}, _PYBIND)
            called_too = any(_within(n, one) for n in uses.natives)
            if not names and one.name not in seen and not called_too and not self._registers(one):
                yield _row(one.name, self._places[id(one)], set(), _UNSEEN)

    def _bound(self) -> Iterator[tuple[str, Function]]:
        """The functions that native sources bind, each with the dotted name of its module."""
        for function in self._native.functions:
            yield self._module_of(function), function

    def _module_of(self, function: Function) -> str:
        """The dotted name: the build knows which sources make which module."""
        top, _, below = function.module.partition(".")
        if top and top != _NAMED_BY_BUILD:
            names = {one.name for one in self._built if one.name.rpartition(".")[2] == top}
            return ".".join(filter(None, (next(iter(names)) if len(names) == 1 else top, below)))
        mine = [one for one in self._built if any(_ends(function.path, source) for source in one.sources)]
        chosen = mine or (self._built if len({one.name for one in self._built}) == 1 else [])
        return ".".join(filter(None, (chosen[0].name, below))) if chosen else below

    def _registers(self, one: Extension) -> bool:
        """Whether operators are registered by the module's sources, or by sources that may be its."""
        paths = {part.path for part in self._native.parts}
        return any(_ends(path, source) for path in paths for source in one.sources) or (bool(paths) and not one.sources)


def _same(called: str, module: str, function: str) -> bool:
    """Whether a call's dotted name is that of a module's function; the name of its package may be left out."""
    before, _, last = called.rpartition(".")
    if last != function:
        return False
    module = module or _NAMED_BY_BUILD
    return before == module or before.rpartition(".")[2] == module.rpartition(".")[2]


def _within(called: str, one: Extension) -> bool:
    return called.startswith(f"{one.name}.") or called.rpartition(".")[0].rpartition(".")[2] == (one.variable or "\\0")


def _ends(path: str, source: str) -> bool:
    """Whether a path may be that of a source as the build names it."""
    return f"/{path}".replace(os.sep, "/").endswith("/" + source.replace(os.sep, "/").lstrip("./"))


def _row(name: str, declared: Place | None, uses: set[Use], judged: Judged, pybind: bool = True) -> Row:
    found = tuple(sorted(uses))
    return Row(
        name, "", "", declared, (), False, False, False, (), (), found, *judged, "pybind" if pybind else "foreign"
    )


def _judged(row: Row, one: Declared, uses: Uses) -> Row:
    """The row with what the linter finds in it, where that hurts more than what is known of it alone."""
    if one.decided or row.kind != "autograd-function":
        return row
    mine = [t for t in uses.troubles if t.path == one.path and one.first <= t.line <= one.last]
    worst = min(mine, key=lambda t: (VERDICTS.index(t.verdict), t.line), default=None)
    if worst is None or VERDICTS.index(worst.verdict) >= VERDICTS.index(row.verdict):
        return row
    return replace(row, verdict=worst.verdict, reason=f"line {worst.line}: {worst.words}")
