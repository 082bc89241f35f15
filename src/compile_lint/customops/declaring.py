"""The files of a project that declare custom operators, found once: what is kept of them are names and no trees."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compile_lint.customops.declared import MARKS, Declared, declared_in
from compile_lint.customops.helpers import Helper
from compile_lint.project.modules import FunctionInfo, ModuleInfo, all_statements
from compile_lint.project.project import Project

_REGISTERS = re.compile(r"^[ \t]+[^@#\n]*\b(define|impl|custom_op|_?register_\w+|impl_abstract)\(", re.MULTILINE)
"""A line inside of a function that may register something."""
_FUNCTIONS = re.compile(r"^def (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """One file."""

    path: str
    module: str
    """Its dotted name."""
    imports: frozenset[str]
    """Dotted names."""
    operators: frozenset[str]
    """Qualified names of those that it says anything of."""
    defined: frozenset[str]
    functions: dict[str, str]
    of_imported: tuple[str, ...]
    """Dotted names of functions of other files that it registers something for."""

    @classmethod
    def of(cls, module: ModuleInfo, declared: Declared) -> Part:
        """What is kept of a file."""
        return cls(
            module.path,
            module.name,
            frozenset(module.imports.values()),
            frozenset(declared.operators),
            frozenset(name for name, one in declared.operators.items() if one.defined),
            dict(declared.functions),
            tuple(one[0] for one in declared.of_imported),
        )

    @property
    def top(self) -> str:
        """The first part of its name."""
        return self.module.partition(".")[0]


def of_module(project: Project, module: ModuleInfo) -> Declared:
    """The custom operators that a file declares; read once for as long as its tree is held."""
    return module.once("declared", lambda: declared_in(module, _helpers(project, module)))


def _helpers(project: Project, module: ModuleInfo) -> dict[str, Helper]:
    """The functions of other files that register what they are given, and that a file calls with a text."""
    found: dict[str, Helper] = {}
    if not module.imports:
        return found
    for node in _outside_classes(module.tree):
        call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
        if not isinstance(call, ast.Call) or not _registers_perhaps(call):
            continue
        dotted = module.dotted(call.func)
        last = dotted.rpartition(".")[2]
        if dotted.partition(".")[2] and dotted not in found and project.owns(dotted) and last in _names(project):
            function = project.resolve(dotted)
            if isinstance(function, FunctionInfo) and function.owner is None and function.module is not module:
                helper = _own_helpers(function.module).get(function.name)
                if helper is not None:
                    found[dotted] = helper
    return found


def _outside_classes(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that no class at the top holds: methods are the most of a model, and register nothing."""
    for top in tree.body:
        if not isinstance(top, ast.ClassDef):
            yield top
            yield from all_statements(top)


def _registers_perhaps(call: ast.Call) -> bool:
    """Whether it is given a text, and something that has a name."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = any(isinstance(one, (ast.Constant, ast.JoinedStr, ast.BinOp)) for one in given)
    return texts and any(isinstance(one, (ast.Name, ast.Attribute, ast.Lambda)) for one in given)


def _own_helpers(module: ModuleInfo) -> dict[str, Helper]:
    return module.once("helpers", lambda: declared_in(module).helpers)


def _names(project: Project) -> frozenset[str]:
    """Names of the functions that may be such."""
    return project.shared("helpers' names", lambda: frozenset(_found_names(project)))


def _found_names(project: Project) -> Iterator[str]:
    for source in project.holding(MARKS):
        if _REGISTERS.search(source.text):
            yield from _FUNCTIONS.findall(source.text)


class Declaring:
    """All of them, in the order of their paths."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = {part.path: part for part in parts}
        self._order = {path: number for number, path in enumerate(self.parts)}
        self._tops: dict[str, set[str]] = defaultdict(set)
        self._named: dict[str, set[str]] = defaultdict(set)
        self._importing: dict[str, set[str]] = defaultdict(set)
        """Dotted name -> the files that import it, or something below it."""
        for part in self.parts.values():
            self._tops[part.top].add(part.path)
            self._named[part.module].add(part.path)
            for name in part.imports:
                for prefix in _prefixes(name):
                    self._importing[prefix].add(part.path)

    @classmethod
    def in_project(cls, project: Project) -> Declaring:
        """Those of all files of a project."""
        paths = [source.path for source in project.holding(MARKS)]
        modules = {path: found for path in paths if (found := project.module_at(path)) is not None}
        names = {
            name
            for module in modules.values()
            for name in (_own_helpers(module) if _REGISTERS.search(module.text) else ())
        }
        calling = project.holding(tuple(sorted(f"{name}(" for name in names))) if names else []
        for path in {source.path for source in calling} - modules.keys():
            module = project.module_at(path)
            if module is not None:
                modules[path] = module
        return cls(Part.of(modules[path], of_module(project, modules[path])) for path in sorted(modules))

    def modules_of(self, project: Project, name: str) -> Iterator[ModuleInfo]:
        """The files that say anything of an operator."""
        for part in self.parts.values():
            if name in part.operators and (module := project.module_at(part.path)) is not None:
                yield module

    def loaded_with(self, project: Project, module: ModuleInfo) -> list[str]:
        """Paths of the files that are loaded when one is, its own first."""
        own = self.parts.get(module.path)
        start = own or Part(
            module.path, module.name, frozenset(module.imports.values()), frozenset(), frozenset(), {}, ()
        )
        found, taken, tops = [start], {start.path}, set[str]()
        for one in found:  # grows meanwhile
            near = self._near(project, one, tops) - taken
            taken |= near
            found.extend(self.parts[path] for path in sorted(near, key=self._order.__getitem__))
        return [one.path for one in found if one.path in self.parts]

    def _near(self, project: Project, one: Part, tops: set[str]) -> set[str]:
        """Those that lie in one package with a file (`tops` are those that are taken), import it or are imported."""
        near = {path for name in one.imports for prefix in _prefixes(name) for path in self._named.get(prefix, ())}
        near |= self._importing.get(one.module, set())
        if one.top not in tops and one.top in self._tops and project.has(one.top):
            if one.module == one.top:  # another file of the same name is no part of the package
                near |= {path for path in self._tops[one.top] if self.parts[path].module != one.top}
            else:
                near |= self._tops[one.top]
                tops.add(one.top)
        return near

    def registering(self, project: Project, path: str, name: str) -> set[str]:
        """The files that register something for the operator which a function of another file is."""
        return project.shared("registering", lambda: self._registering(project)).get((path, name), set())

    def _registering(self, project: Project) -> dict[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for part in self.parts.values():
            for dotted in part.of_imported:
                found[self.operator_named(project, dotted)].add(part.path)
        return found

    def operator_named(self, project: Project, dotted: str) -> tuple[str, str]:
        """The file and the qualified name of the operator that an imported function is."""
        function = project.resolve(dotted)
        if not isinstance(function, FunctionInfo) or function.module.path not in self.parts:
            return "", ""
        path = function.module.path
        return path, self.parts[path].functions.get(function.name, "")


def _prefixes(dotted: str) -> Iterator[str]:
    """`a`, `a.b` and `a.b.c` of `a.b.c`."""
    end = dotted.find(".")
    while end >= 0:
        yield dotted[:end]
        end = dotted.find(".", end + 1)
    yield dotted
