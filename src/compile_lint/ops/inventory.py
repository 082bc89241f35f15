"""Every custom operator of a project: declarations of all files joined, with their uses and a verdict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from compile_lint.cells import locate
from compile_lint.customops.declared import MARKS, Declared, Operator
from compile_lint.customops.declaring import Declaring, of_module
from compile_lint.customops.joined import add, joined
from compile_lint.file_analysis import Task
from compile_lint.findings import FileError, Source, where
from compile_lint.inference.operators import TORCHS_OWN
from compile_lint.ops.apart import Apart
from compile_lint.ops.model import Inventory, Place, Row, Use
from compile_lint.ops.native import Native, Part
from compile_lint.ops.schemas import Read, schema_of
from compile_lint.ops.uses import Uses, uses_in
from compile_lint.ops.verdicts import Judged, judged, judged_native
from compile_lint.project.modules import ModuleInfo
from compile_lint.project.project import Project
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.settings import Settings

_DEVICES = {"cpu": "CPU", "cuda": "CUDA", "xpu": "XPU", "mps": "MPS", "hpu": "HPU", "xla": "XLA", "ipu": "IPU"}
_MARKS = (*MARKS, "load_library")
STORE_BYTES = 6_000_000
"""How much source is held as trees at once: one process lists all, and files that declare operators are asked often."""


def take_inventory(
    sources: Iterable[Source],
    native: Native,
    settings: Settings,
    rulebook: Rulebook,
    pyprojects: Iterable[tuple[str, str]] = (),
) -> Inventory:
    """The custom operators of Python sources and of what native sources declare.

    Args:
        sources: Python files.
        native: what is read from C++ and its kin.
        settings: of the run.
        rulebook: all rules.
        pyprojects: path and text of each pyproject.toml.
    """
    project = Project(sources, STORE_BYTES)
    task = Task.of(project, settings, rulebook.valid_for(settings.target_torch))
    apart = Apart.read(project, native, pyprojects)
    native = apart.named(native)
    listing = _Listing(project, native, settings, task.rules)
    listing.read()
    rows = list(listing.rows())
    uses = uses_in(task, list(project.sources), apart.wanted)
    rows = [*listing.with_uses(rows, uses), *listing.undeclared(uses), *apart.rows(uses)]
    errors = {(error.path, error.message): error for error in (*native.errors, *listing.errors, *uses.errors)}
    return Inventory(tuple(sorted(rows, key=_order)), tuple(errors.values()))


def _order(row: Row) -> tuple[str, str, Place]:
    return row.name, row.overload, row.declared or Place("", 0)


class _Listing:
    """What all files declare, before their calls are looked at."""

    def __init__(self, project: Project, native: Native, settings: Settings, rules: Rulebook) -> None:
        self._project = project
        self._rules = rules
        self._settings = settings
        self._native: dict[str, list[Part]] = {}
        for one in native.parts:
            self._native.setdefault(one.full_name, []).append(one)
        self._files: dict[str, tuple[ModuleInfo, Declared]] = {}
        self.errors: list[FileError] = []
        self._loads_libraries = False

    def read(self) -> None:
        """Read the declarations of all Python files that hold some."""
        paths = {source.path: None for source in self._project.holding(_MARKS)}
        paths.update(dict.fromkeys(self._declaring().parts))
        for path in paths:
            source = self._project.sources[path]
            module = self._project.module_at(source.path)
            if module is None:
                continue  # its error is told with the uses
            declared = of_module(self._project, module)
            self._files[source.path] = (module, declared)
            self._loads_libraries = self._loads_libraries or declared.loads_libraries
        called = {name for _, declared in self._files.values() for name in declared.helped}
        for path, (module, declared) in self._files.items():
            known = [one.lines for one in declared.helpers.values() if one.name in called]
            for line in (line for line in declared.nameless if not any(line in lines for lines in known)):
                cell, line = locate(module.cells, line)
                words = f"line {line}: defines an operator whose name or schema is made at run time; it is not listed"
                self.errors.append(FileError(where(path, cell), words, False))

    def _declaring(self) -> Declaring:
        return self._project.shared("declaring", lambda: Declaring.in_project(self._project))

    def rows(self) -> Iterator[Row]:
        """A row for each definition, and for what is only registered."""
        names = {name for _, declared in self._files.values() for name in declared.operators} | set(self._native)
        for name in sorted(names):
            if not all(name.partition("::")[::2]):
                continue  # made at run time
            definers = [
                path for path, (_, d) in self._files.items() if name in d.operators and d.operators[name].defined
            ]
            natives = [one for one in self._native.get(name, ()) if one.defined]
            only = len(definers) + len(natives) < 2
            for path in definers:
                yield self._python(name, path, only)
            for one in natives:
                yield self._of_native(name, one)
            if not definers and not natives:
                yield self._registered(name)

    def _python(self, name: str, path: str, only: bool) -> Row:
        module = self._files[path][0]
        operator = joined(self._project, module, self._declaring(), name, everywhere=only)
        assert operator is not None, "its file defines it"
        parts = [one for one in self._native.get(name, ()) if not one.defined]
        for one in parts:
            add(operator, _part(one))
        return self._row(operator, schema_of(operator, module), _place(module, operator.line), parts)

    def _of_native(self, name: str, one: Part) -> Row:
        operator = self._parts(name)
        add(operator, _part(one))
        operator.schema, operator.inferred = operator.schema or one.inferred, True
        read = schema_of(operator, None)
        if read.refused and one.note:  # the text is not the whole of it
            read = Read()
        parts = [part for part in self._native[name] if part is one or not part.defined]
        return self._row(operator, read, Place(one.path, one.line), parts)

    def _registered(self, name: str) -> Row:
        """Only kernels are in sight: what defines it is elsewhere."""
        operator = self._parts(name)
        found = [(m, d.operators[name].line) for m, d in self._files.values() if name in d.operators]
        first = [_place(module, line) for module, line in found]
        first += [Place(one.path, one.line) for one in self._native.get(name, ())]
        return self._row(operator, Read(), first[0], self._native.get(name, ()))

    def _parts(self, name: str) -> Operator:
        """What is registered for an operator that no Python file defines."""
        whole = Operator(name, False)
        for _, declared in self._files.values():
            add(whole, declared.operators.get(name))
        for one in self._native.get(name, ()):
            if not one.defined:
                add(whole, _part(one))
        return whole

    def _row(self, operator: Operator, read: Read, place: Place, parts: Sequence[Part]) -> Row:
        schema = read.schema
        name, _, overload = operator.name.partition(".")
        verdict, reason = self._judged(operator, read, parts)
        return Row(
            name=name,
            overload=schema.overload if schema is not None else overload,
            schema=str(schema) if schema is not None else "",
            declared=place,
            kernels=_keys(operator),
            fake=bool(operator.fakes),
            autograd=operator.autograd,
            vmap=operator.vmap,
            mutates=schema.mutates if schema is not None else _mutated(operator),
            aliases=schema.aliases if schema is not None else (),
            uses=(),
            verdict=verdict,
            reason=reason,
        )

    def _judged(self, operator: Operator, read: Read, parts: Sequence[Part]) -> Judged:
        if read.refused:
            return "raises", read.refused
        of_native = judged_native(operator, parts)
        if of_native is not None:
            return of_native
        if not operator.defined and not operator.fakes:
            return "unknown", "kernels are registered here, and what defines it is not among these files"
        return judged(operator, read.schema, self._settings.torch_config, self._rules)

    def with_uses(self, rows: list[Row], uses: Uses) -> Iterator[Row]:
        """The rows with the calls of each."""
        names = Counter(row.name for row in rows)
        for row in rows:
            yield replace(row, uses=uses.of(row.name, row.overload, names[row.name] == 1))

    def undeclared(self, uses: Uses) -> Iterator[Row]:
        """Operators that are called, and declared nowhere."""
        known = {name.partition(".")[0] for _, d in self._files.values() for name in d.operators}
        known |= {name.partition(".")[0] for name in self._native}
        called: dict[str, set[Use]] = {}
        for name, found in uses.operators.items():
            base = name.partition(".")[0]
            namespace, _, last = base.partition("::")
            if base not in known and namespace and last and namespace not in TORCHS_OWN:
                called.setdefault(base, set()).update(found)
        elsewhere = {name.partition("::")[0]: self._loads_libraries for name in called}
        for namespace in elsewhere:
            declared = any(one.partition("::")[0] == namespace for one in known)
            elsewhere[namespace] = elsewhere[namespace] or declared or self._mentioned(namespace)
        for name, found in called.items():
            yield _bare(name, found, _LOADED if elsewhere[name.partition("::")[0]] else _NOWHERE)

    def _mentioned(self, namespace: str) -> bool:
        """Whether a file imports what is called as the namespace is, or says that it declares something in it."""
        name = re.escape(namespace)
        words = re.compile(rf"""["']{name}(::|["']\s*[,)])|^\s*(import|from)\s+{name}\b""", re.MULTILINE)
        return any(words.search(source.text) for source in self._project.holding((namespace,)))


_LOADED: Judged = (
    "unknown",
    "no file here declares it; a library or a package that is loaded may: run it under `compile-lint confirm`",
)
_NOWHERE: Judged = (
    "raises",
    "no file here declares it, and calling it raises unless an import registers it; name its sources too",
)


def _bare(name: str, uses: set[Use], verdict: Judged) -> Row:
    return Row(name, "", "", None, (), False, False, False, (), (), tuple(sorted(uses)), *verdict)


def _part(one: Part) -> Operator:
    part = Operator(one.name, False, schema=one.schema, line=one.line)
    part.register("impl", list(one.kernels), None)
    return part


def _place(module: ModuleInfo, line: int) -> Place:
    cell, line = locate(module.cells, line)
    return Place(where(module.path, cell), line)


def _keys(operator: Operator) -> tuple[str, ...]:
    """Dispatch keys: a custom_op's function is registered as composite where it names no device, and a fake as Meta."""
    keys = [_DEVICES.get(device, device.upper()) for device in operator.devices]
    if operator.custom and not operator.devices:
        keys = ["CompositeExplicitAutograd"]
    fakes = ["Meta"] if operator.fakes and not operator.traced else []
    return tuple(dict.fromkeys([*keys, *operator.kernels, *fakes]))


def _mutated(operator: Operator) -> tuple[str, ...]:
    return tuple(name for name in operator.mutates or () if name != "*")
