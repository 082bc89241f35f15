"""The custom operators that one file declares: what `torch.library` is told about each, read off the syntax tree."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from compile_lint.project.modules import FunctionNode, ModuleInfo

COMPOSITE = frozenset(("CompositeImplicitAutograd", "CompositeExplicitAutograd"))
MARKS = ("torch.library", "import Library", "import library", "register_fake")
"""A file without one of these registers nothing."""
_LIBRARY = "torch.library."
_FAKES = ("register_fake", "impl_abstract")
_NUMBERS = frozenset(("int", "float", "bool", "torch.types.Number"))


@dataclass(slots=True)
class Operator:
    """One operator: where it comes from, its kernels by dispatch key, and its fake kernel."""

    name: str
    custom: bool
    schema: str = ""
    function: FunctionNode | None = None
    kernels: dict[str, FunctionNode | None] = field(default_factory=dict)
    fakes: list[FunctionNode | None] = field(default_factory=list)
    mutates: tuple[str, ...] | None = None

    @property
    def returns(self) -> str:
        """The return type: of the schema, or of the function's annotation."""
        if self.schema:
            return self.schema.partition("->")[2].strip()
        node = self.function
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            return ast.unparse(node.returns)
        return ""

    @property
    def returns_nothing(self) -> bool:
        """Such an operator needs no fake kernel."""
        return self.returns in ("()", "None")

    @property
    def returns_number(self) -> bool:
        """A number cannot be an output of a graph's operation."""
        return self.returns in _NUMBERS or self.returns in ("SymInt", "Scalar")


@dataclass(slots=True)
class Declared:
    """The operators of a file by qualified name, the functions that are operators, and functions allowed in graphs."""

    operators: dict[str, Operator] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    allowed: set[str] = field(default_factory=set)
    loads_libraries: bool = False
    fakes_of_imported: list[tuple[str, FunctionNode | None]] = field(default_factory=list)
    """Fake kernels of operators that another file declares: the dotted name of its function, and the kernel."""


def declared_in(module: ModuleInfo) -> Declared:
    """Read a file's declarations, at any depth of its code."""
    found = Declared()
    if not any(mark in module.text for mark in (*MARKS, "load_library", "allow_in_graph")):
        return found
    reader = _Reader(module, found)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef):
            reader.function(node)
        elif isinstance(node, ast.Assign):
            reader.assign(node)
        elif isinstance(node, ast.Call):
            reader.call(node)
    return found


class _Reader:
    """Collects declarations in one pass; names of functions are looked up in the whole file."""

    def __init__(self, module: ModuleInfo, found: Declared) -> None:
        self.module = module
        self.found = found
        self.namespaces: dict[str, str] = {}
        self.functions = {n.name: n for n in ast.walk(module.tree) if isinstance(n, ast.FunctionDef)}
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                self._library(node)

    def _library(self, node: ast.Assign) -> None:
        call = node.value
        if isinstance(call, ast.Call) and self.module.dotted(call.func) == "torch.library.Library" and call.args:
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.namespaces[target.id] = _text(call.args[0])

    def function(self, node: ast.FunctionDef) -> None:
        """Decorators that make an operator or a kernel out of a function."""
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            target = call.func if call is not None else decorator
            dotted = self.module.dotted(target)
            if dotted in (f"{_LIBRARY}custom_op", f"{_LIBRARY}triton_op") and call is not None and call.args:
                self._custom(_text(call.args[0]), node, call, dotted.endswith("triton_op"))
            elif dotted.startswith(_LIBRARY) and call is not None:
                self._registered(dotted.removeprefix(_LIBRARY), call, node)
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                self._on_object(target.value.id, target.attr, call, node)

    def _custom(self, name: str, node: FunctionNode | None, call: ast.Call, triton: bool) -> None:
        operator = Operator(name, True, function=node, mutates=_mutates(call))
        for keyword in call.keywords:
            if keyword.arg == "schema":
                operator.schema = _text(keyword.value)
        if triton:
            operator.fakes.append(None)
        self.found.operators[name] = operator
        if isinstance(node, ast.FunctionDef):
            self.found.functions[node.name] = name

    def _on_object(self, owner: str, what: str, call: ast.Call | None, node: FunctionNode | None) -> None:
        """`@op.register_fake`, `lib.impl("f", fn, "CPU")`, `@lib.impl(...)`."""
        if owner in self.found.functions and what in _FAKES:
            self.found.operators[self.found.functions[owner]].fakes.append(node)
        elif owner in self.module.imports and what in _FAKES:
            self.found.fakes_of_imported.append((self.module.imports[owner], node))
        elif owner in self.namespaces and call is not None and call.args:
            name = _qualified(self.namespaces[owner], _text(call.args[0]))
            if what in ("impl", *_FAKES):
                self._kernel(name, what, call.args[1:], node)

    def _registered(self, what: str, call: ast.Call, node: FunctionNode | None) -> None:
        """`torch.library.register_fake("ns::f")` and its kin, as a decorator or with a function."""
        if not call.args:
            return
        first = call.args[0]
        if isinstance(first, ast.Name) and first.id not in self.found.functions:
            if what in _FAKES and first.id in self.module.imports:
                self.found.fakes_of_imported.append((self.module.imports[first.id], node or self._last(call)))
            return
        name = self.found.functions[first.id] if isinstance(first, ast.Name) else _text(first)
        if what in ("impl", "register_kernel", *_FAKES):
            self._kernel(name, what, call.args[1:], node)

    def _kernel(self, name: str, what: str, rest: list[ast.expr], node: FunctionNode | None) -> None:
        operator = self.found.operators.setdefault(name, Operator(name, False))
        function = node or next((f for f in map(self._function, rest) if f is not None), None)
        if what in _FAKES:
            operator.fakes.append(function)
            return
        keys = [_text(r) for r in rest if isinstance(r, ast.Constant)] or ["CompositeImplicitAutograd"]
        for key in keys:
            if key == "Meta":
                operator.fakes.append(function)
            operator.kernels[key] = function

    def _last(self, call: ast.Call) -> FunctionNode | None:
        return self._function(call.args[-1])

    def _function(self, node: ast.expr) -> FunctionNode | None:
        if isinstance(node, ast.Lambda):
            return node
        return self.functions.get(node.id) if isinstance(node, ast.Name) else None

    def assign(self, node: ast.Assign) -> None:
        """`op = torch.library.custom_op("ns::f", ...)(fn)`."""
        outer = node.value
        if not (isinstance(outer, ast.Call) and isinstance(outer.func, ast.Call) and outer.func.args):
            return
        if self.module.dotted(outer.func.func) == f"{_LIBRARY}custom_op" and outer.args:
            name = _text(outer.func.args[0])
            self._custom(name, self._function(outer.args[0]), outer.func, False)
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.found.functions[target.id] = name

    def call(self, node: ast.Call) -> None:
        """Plain calls: `lib.define(...)`, `lib.impl(...)`, `torch.library.define(...)`, `allow_in_graph(...)`."""
        dotted = self.module.dotted(node.func)
        if dotted.endswith("allow_in_graph") and node.args:
            self.found.allowed.add(self.module.dotted(node.args[0]))
        elif dotted == "torch.ops.load_library":
            self.found.loads_libraries = True
        elif dotted == f"{_LIBRARY}define" and len(node.args) >= 2:
            self._define(_text(node.args[0]), _text(node.args[1]))
        elif dotted.startswith(_LIBRARY):
            if len(node.args) > 1:
                self._registered(dotted.removeprefix(_LIBRARY), node, None)
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.args:
            owner, what = node.func.value.id, node.func.attr
            if owner in self.namespaces and what == "define":
                schema = _text(node.args[0])
                self._define(_qualified(self.namespaces[owner], schema.partition("(")[0]), schema)
            elif owner in self.namespaces and len(node.args) > 1:
                self._on_object(owner, what, node, None)
            elif what in _FAKES and (owner in self.found.functions or owner in self.module.imports):
                self._on_object(owner, what, node, self._function(node.args[0]))

    def _define(self, name: str, schema: str) -> None:
        operator = self.found.operators.setdefault(name, Operator(name, False))
        operator.schema = schema


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _qualified(namespace: str, name: str) -> str:
    return name if "::" in name else f"{namespace}::{name}"


def _mutates(call: ast.Call) -> tuple[str, ...] | None:
    for keyword in call.keywords:
        if keyword.arg == "mutates_args":
            if isinstance(keyword.value, (ast.Tuple, ast.List)):
                return tuple(_text(e) for e in keyword.value.elts)
            return None if _text(keyword.value) == "unknown" else ()
    return None
