"""Where operators, native code and what torch.compile treats apart are called from inside compile regions."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from compile_lint.cells import locate
from compile_lint.checks.messages import subject_of
from compile_lint.file_analysis import QuietCollector, Task, internal, starts_of
from compile_lint.findings import FileError, where
from compile_lint.inference.engine import Engine
from compile_lint.inference.frame import Called, Event, Summary
from compile_lint.inference.graphs import called_by, events_of, functions_of
from compile_lint.ops.model import Use, Verdict
from compile_lint.ops.verdicts import OF_KINDS
from compile_lint.project.modules import FunctionInfo, ModuleInfo, own_nodes
from compile_lint.project.project import BadSyntaxError
from compile_lint.results import rank, rule_for

_BOUND = "bound"
"""The kind of a call that has the whole name of a bound function already."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the linter finds on a line of what an entry runs."""

    path: str
    line: int
    """Of the module, where a notebook's cells make one."""
    verdict: Verdict
    words: str


@dataclass(slots=True)
class Uses:
    """Calls by the name that stands there (`ns::name`, `ns::name.overload`), and of other things by dotted name."""

    operators: dict[str, set[Use]] = field(default_factory=lambda: defaultdict(set))
    others: dict[str, set[Use]] = field(default_factory=lambda: defaultdict(set))
    """Of what is no operator, by dotted name, that of the module first for a name of the file's own."""
    natives: dict[str, str] = field(default_factory=dict)
    """Names of native code among those, and what it is: `pybind`, `loaded` by ctypes or cffi, or `compiled` by another
    compiler."""
    troubles: set[Trouble] = field(default_factory=set)
    errors: list[FileError] = field(default_factory=list)

    def add(self, called: Called, entry: str) -> None:
        """Note one call."""
        use = _use(called.module, called.node, entry)
        if called.kind == "operator":
            self.operators[called.name].add(use)
            return
        name = _full(called)
        self.others[name].add(use)
        if called.kind in ("native-call", "foreign-jit"):
            self.natives[name] = _kind(called)
        elif called.kind == _BOUND:
            self.natives[name] = "pybind"

    def of(self, name: str, overload: str, alone: bool) -> tuple[Use, ...]:
        """The calls of an overload: those that name it, and those that leave the choice to torch.

        `alone`: it is the only one of its name, so that calls of any overload are its.
        """
        named = {f"{name}.{overload or 'default'}", name}
        names = (one for one in self.operators if one in named or (alone and one.partition(".")[0] == name))
        return tuple(sorted({use for one in names for use in self.operators[one]}))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Names of what calls are looked for in the text of functions: the inference does not tell of these."""

    kernels: Collection[str] = ()
    """Dotted names of Triton kernels."""
    modules: Collection[str] = ()
    """Dotted names of compiled extension modules."""
    functions: Mapping[str, str] = field(default_factory=dict)
    """Last names of functions that extension modules bind, each with its dotted name."""


def uses_in(task: Task, paths: Iterable[str], wanted: Wanted) -> Uses:
    """The calls of all entries of some files. Whatever goes wrong in one file never stops the others."""
    search = _Search(task, wanted)
    with QuietCollector():
        for path in paths:
            task.project.begin()
            try:
                search.file(path)
            except BadSyntaxError as error:
                search.found.errors.append(FileError(path, f"line {error.line}: cannot be parsed: {error.message}"))
            except Exception as error:
                search.found.errors.append(internal(path, error))
            task.project.trim()
    return search.found


class _Search:
    def __init__(self, task: Task, wanted: Wanted) -> None:
        self._task = task
        self._wanted = wanted
        self._modules = tuple(f"{name}." for name in wanted.modules)
        self.found = Uses()

    def file(self, path: str) -> None:
        """Look through the entries of one file."""
        task = self._task
        module = task.project.load(path)
        if "torch" not in module.text and not task.settings.entry_points:
            return
        engine = Engine(task.project, task.tables, task.settings)
        seen: dict[int, list[Called]] = {}
        try:
            for start in starts_of(engine, module):
                summary = engine.analyse_entry(start.func, start.name, start.explicit, start.known)
                for called in (*called_by(summary), *self._launches(summary, seen)):
                    self.found.add(called, start.name)
                for event in events_of(summary):
                    self._trouble(event)
        finally:
            engine.forget()

    def _trouble(self, event: Event) -> None:
        rule = rule_for(self._task.rules, event.name, event.callee, event.ids)
        if rule is None or rule.kind not in OF_KINDS or rank(event.sure, rule) < self._task.least:
            return
        line = getattr(event.node, "lineno", 1)
        words = f"`{subject_of(event)}`: {rule.summary[:1].lower()}{rule.summary[1:]} ({rule.code})"
        self.found.troubles.add(Trouble(event.module.path, line, OF_KINDS[rule.kind], words))

    def _launches(self, summary: Summary, seen: dict[int, list[Called]]) -> Iterator[Called]:
        """Launches of Triton kernels, and calls of extension modules by the names that the build gives them."""
        if not self._wanted.kernels and not self._modules and not self._wanted.functions:
            return
        for info in functions_of(summary):
            if id(info) not in seen:
                seen[id(info)] = list(self._in_function(info))
            yield from seen[id(info)]

    def _in_function(self, info: FunctionInfo) -> Iterator[Called]:
        module = info.module
        for node in own_nodes(info.node):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Subscript):
                name = _launched(node.func.value)
                full = self._kernel(info, module.dotted(name)) if name is not None else ""
                if full:
                    yield Called(full, module, node, "triton-kernel")
                continue
            dotted = module.dotted(node.func)
            if dotted.startswith(self._modules or ("\0",)):
                yield Called(dotted, module, node, "native-call")
            elif full := self._loaded(module, dotted):
                yield Called(full, module, node, _BOUND)

    def _loaded(self, module: ModuleInfo, dotted: str) -> str:
        """`ext.nms` where the file has `ext = load_ext("_ext", ...)` and an extension module binds `nms`."""
        head, _, last = dotted.partition(".")
        full = self._wanted.functions.get(last, "")
        return full if full and any(isinstance(value, ast.Call) for value in module.assigns.get(head, ())) else ""

    def _kernel(self, info: FunctionInfo, dotted: str) -> str:
        """The name of a kernel as it is declared, from the name that it has in a function."""
        outer = info.qualname.split(".")
        places = [".".join([info.module.name, *outer[:cut], dotted]) for cut in range(len(outer), -1, -1)]
        return next((name for name in (*places, dotted) if name in self._wanted.kernels), "")


def _launched(node: ast.expr) -> ast.expr | None:
    """The kernel of `kernel[grid](...)`, or of `wrap_triton(kernel)[grid](...)`."""
    if isinstance(node, ast.Call):
        return node.args[0] if node.args else None
    return node


def _full(called: Called) -> str:
    """The dotted name, with that of the file before what is bound there."""
    head = called.name.partition(".")[0]
    own = called.kind in ("native-call", "foreign-jit") and not _imported(called.module, head)
    return f"{called.module.name}.{called.name}" if own else called.name


def _kind(called: Called) -> str:
    if called.kind == "foreign-jit":
        return "compiled"
    text = called.module.text
    loads = "ctypes" in text or "cffi" in text
    return "loaded" if loads and not _imported(called.module, called.name.partition(".")[0]) else "pybind"


def _imported(module: ModuleInfo, head: str) -> bool:
    return any(name.partition(".")[0] == head for name in module.imports.values())


def _use(module: ModuleInfo, node: ast.AST, entry: str) -> Use:
    cell, line = locate(module.cells, getattr(node, "lineno", 1))
    return Use(where(module.path, cell), line, entry)
