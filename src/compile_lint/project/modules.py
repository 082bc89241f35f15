"""What one file defines: names, imports, classes and functions, read off its syntax tree without running anything.

A tree takes about 28 times the memory of its source, so a module holds its tree only while the project's store keeps it
(`Project.tree`); everything else here is a plain index.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from compile_lint.findings import Cell

T = TypeVar("T")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(eq=False, slots=True)
class FunctionInfo:
    """A function, method, lambda or nested function."""

    name: str
    qualname: str
    module: ModuleInfo
    node: FunctionNode
    owner: ClassInfo | None = None
    decorators: tuple[str, ...] = ()
    """Dotted names of the decorators, resolved through the file's imports."""
    _generator: bool | None = None

    @property
    def is_static(self) -> bool:
        """A staticmethod takes no receiver."""
        return "staticmethod" in self.decorators

    @property
    def is_classmethod(self) -> bool:
        """A classmethod is bound to its class."""
        return "classmethod" in self.decorators

    @property
    def is_property(self) -> bool:
        """Read as an attribute, called by the read."""
        return any(d.endswith(("property", ".getter", ".cached_property")) for d in self.decorators)

    @property
    def is_generator(self) -> bool:
        """Contains a `yield` of its own."""
        if self._generator is None:
            yields = self.module.has_yield and not isinstance(self.node, ast.Lambda)
            self._generator = yields and any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_nodes(self.node))
        return self._generator


@dataclass(eq=False, slots=True)
class ClassInfo:
    """A class with its bases as dotted names, its own methods and its class-level assignments."""

    name: str
    qualname: str
    module: ModuleInfo
    node: ast.ClassDef
    bases: tuple[str, ...]
    methods: dict[str, FunctionInfo] = field(default_factory=dict)
    assigns: dict[str, ast.expr] = field(default_factory=dict)
    annotations: dict[str, ast.expr] = field(default_factory=dict)
    decorators: tuple[str, ...] = ()
    metaclass: str = ""


@dataclass(eq=False, slots=True)
class ModuleInfo:
    """One file. `name` is its dotted module name; `package` the name that relative imports start from."""

    path: str
    name: str
    package: str
    text: str
    tree: ast.Module
    imports: dict[str, str] = field(default_factory=dict)
    """Local name -> dotted name, for imports at any depth of module-level statements."""
    guarded: set[str] = field(default_factory=set)
    """Top-level packages that are imported under a `try`: they may be missing."""
    functions: dict[str, FunctionInfo] = field(default_factory=dict)
    classes: dict[str, ClassInfo] = field(default_factory=dict)
    assigns: dict[str, list[ast.expr]] = field(default_factory=dict)
    """Module-level names -> what is assigned to them, in order."""
    stars: list[str] = field(default_factory=list)
    attribute_assigns: list[ast.Assign] = field(default_factory=list)
    """Module-level `a.b = value` statements."""
    expressions: list[ast.expr] = field(default_factory=list)
    """Module-level expression statements, such as `lib.define(...)`."""
    cells: tuple[Cell, ...] = ()
    """Of a notebook."""
    home: Mapping[str, str] = field(default_factory=dict)
    """The first parts of absolute imports that have another name in the linted tree; see homes.py."""

    _lines: list[bytes] | None = None
    _has_yield: bool | None = None
    _notes: dict[object, Any] = field(default_factory=dict)

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What follows from this file alone, found out once for as long as its tree is held."""
        if key not in self._notes:
            self._notes[key] = make()
        found: T = self._notes[key]
        return found

    @property
    def has_yield(self) -> bool:
        """Whether the word stands in the text at all."""
        if self._has_yield is None:
            self._has_yield = "yield" in self.text
        return self._has_yield

    def forget(self) -> None:
        """Let the tree go at once: index entries refer to each other in circles that only the collector would free."""
        for info in self.classes.values():
            info.methods.clear()
        for held in (self.classes, self.functions, self.assigns, self.imports, self._notes):
            held.clear()
        self.attribute_assigns.clear()
        self.expressions.clear()
        self.tree = ast.Module([], [])

    def source(self, node: ast.AST) -> str:
        """The source text of a node, on one line, shortened to 60 characters."""
        text = node.id if isinstance(node, ast.Name) else self._segment(node) or _unparsed(node)
        text = " ".join(text.split())
        return text if len(text) <= 60 else text[:57] + "..."

    def column(self, node: ast.AST) -> int:
        """The column in characters, from 1, that a node starts at."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        return len(self._bytes()[line - 1][:column].decode("utf-8", "replace")) + 1

    def _bytes(self) -> list[bytes]:
        if self._lines is None:
            self._lines = self.text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").split(b"\n")
        return self._lines

    def _segment(self, node: ast.AST) -> str:
        """The text between a node's ends, whose columns count UTF-8 bytes (`ast.get_source_segment` splits anew)."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        lines = self._bytes()[first - 1 : last]
        if not first or not lines:
            return ""
        lines[-1] = lines[-1][: getattr(node, "end_col_offset", 0)]
        lines[0] = lines[0][getattr(node, "col_offset", 0) :]
        return b"\n".join(lines).decode("utf-8", "replace")

    def dotted(self, node: ast.expr) -> str:
        """`a.b.c` of an attribute chain with its first name resolved through the imports; empty for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        parts.append(self.imports.get(node.id, node.id))
        return ".".join(reversed(parts))


_SCOPES = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
_PLAIN_FIELDS = frozenset(
    (
        "ctx",
        "op",
        "ops",
        "id",
        "attr",
        "arg",
        "kind",
        "kwd_attrs",
        "level",
        "module",
        "conversion",
        "simple",
        "is_async",
        "rest",
    )
)
_PLAIN_NODES = frozenset((ast.Constant, ast.Global, ast.Nonlocal))
_fields: dict[type, tuple[str, ...]] = {}
"""The fields of each kind of node that can hold other nodes with code in them; operators and contexts have none."""


def _code_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    fields = () if kind in _PLAIN_NODES else tuple(name for name in kind._fields if name not in _PLAIN_FIELDS)
    _fields[kind] = fields
    return fields


def children(node: ast.AST) -> list[ast.AST]:
    """The child nodes that can hold code; many times as fast as `ast.iter_child_nodes`."""
    found: list[ast.AST] = []
    kind = type(node)
    fields = _fields.get(kind)
    if fields is None:
        fields = _code_fields(kind)
    if fields:
        values = node.__dict__
        for name in fields:
            value = values.get(name)
            if type(value) is list:
                found += [v for v in value if v is not None] if None in value else value
            elif value is not None and not isinstance(value, str):
                found.append(value)
    return found


def all_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and everything below it, in no particular order."""
    stack = [node]
    while stack:
        child = stack.pop()
        yield child
        stack += children(child)


def _unparsed(node: ast.AST) -> str:
    try:
        return ast.unparse(node)
    except (RecursionError, AttributeError):
        return "..."


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Every node of a function body that does not belong to a nested function or class."""
    stack = children(node)
    while stack:
        child = stack.pop()
        yield child
        if type(child) not in _SCOPES:
            stack += children(child)


def own_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements among `own_nodes`, in the same order and without a look at any expression."""
    stack = _below(node)
    while stack:
        child = stack.pop()
        if isinstance(child, ast.stmt):
            yield child
        if type(child) not in _SCOPES:
            stack += _below(child)


def all_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements among `all_nodes` below a node, in the same order, without a look at any expression."""
    stack = _below(node)
    while stack:
        child = stack.pop()
        if isinstance(child, ast.stmt):
            yield child
        stack += _below(child)


def _below(node: ast.AST) -> list[ast.AST]:
    """The statements, handlers and cases right below a node, in the order of its fields."""
    found: list[ast.AST] = []
    values = node.__dict__
    for name in _BLOCKS:
        block = values.get(name)
        if block and type(block) is list:  # a lambda's body is an expression
            found += block
    return found


_BLOCKS = ("cases", "body", "handlers", "orelse", "finalbody")


def decorator_names(module: ModuleInfo, nodes: list[ast.expr]) -> tuple[str, ...]:
    """Dotted names of decorators, a call's function standing for the call."""
    return tuple(module.dotted(n.func if isinstance(n, ast.Call) else n) for n in nodes)


def index(
    path: str, name: str, is_package: bool, text: str, tree: ast.Module, home: Mapping[str, str] | None = None
) -> ModuleInfo:
    """Read a module's index off its tree."""
    package = name if is_package else name.rpartition(".")[0]
    module = ModuleInfo(path, name, package, text, tree, home=home or {})
    _index_body(module, tree.body, guarded=False)
    return module


def _index_body(module: ModuleInfo, body: list[ast.stmt], guarded: bool) -> None:
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            add_import(module, node, module.imports, module.guarded if guarded else None, module.stars)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            module.functions[node.name] = function_info(module, node, node.name)
            module.assigns.pop(node.name, None)
        elif isinstance(node, ast.ClassDef):
            module.classes[node.name] = class_info(module, node, node.name)
        else:
            _index_other(module, node, guarded)


def _index_other(module: ModuleInfo, node: ast.stmt, guarded: bool) -> None:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            _index_target(module, target, node.value, node)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        module.assigns.setdefault(node.target.id, []).append(node.value)
    elif isinstance(node, ast.Expr):
        module.expressions.append(node.value)
    elif isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
        for part in ("body", "orelse", "finalbody"):
            _index_body(module, getattr(node, part, []), guarded or isinstance(node, (ast.Try, ast.If)))
        for handler in getattr(node, "handlers", []):
            _index_body(module, handler.body, True)


def _index_target(module: ModuleInfo, target: ast.expr, value: ast.expr, node: ast.Assign) -> None:
    if isinstance(target, ast.Name):
        module.assigns.setdefault(target.id, []).append(value)
    elif isinstance(target, ast.Attribute):
        module.attribute_assigns.append(node)
    elif isinstance(target, (ast.Tuple, ast.List)):
        same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        for i, element in enumerate(target.elts):
            if isinstance(element, ast.Name) and same:
                module.assigns.setdefault(element.id, []).append(value.elts[i])  # type: ignore[attr-defined]


def add_import(
    module: ModuleInfo,
    node: ast.Import | ast.ImportFrom,
    names: dict[str, str],
    guarded: set[str] | None = None,
    stars: list[str] | None = None,
) -> None:
    """Record what an import statement binds, as dotted names."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                names[alias.asname] = at_home(module, alias.name)
            else:
                top = alias.name.partition(".")[0]
                names[top] = at_home(module, top)
            if guarded is not None:
                guarded.add(alias.name.partition(".")[0])
        return
    base = relative_base(module, node)
    for alias in node.names:
        if alias.name == "*":
            if stars is not None:
                stars.append(base)
        else:
            names[alias.asname or alias.name] = f"{base}.{alias.name}" if base else alias.name
    if guarded is not None and base:
        guarded.add(base.partition(".")[0])


def at_home(module: ModuleInfo, dotted: str) -> str:
    """The name, in the linted tree, of what an absolute import of a module names."""
    top, dot, below = dotted.partition(".")
    return module.home.get(top, top) + dot + below


def relative_base(module: ModuleInfo, node: ast.ImportFrom) -> str:
    """The dotted name that a `from ... import` starts at."""
    if not node.level:
        return at_home(module, node.module or "")
    parts = module.package.split(".") if module.package else []
    parts = parts[: len(parts) - (node.level - 1)] if node.level > 1 else parts
    return ".".join([*parts, node.module] if node.module else parts)


def function_info(
    module: ModuleInfo, node: FunctionNode, qualname: str, owner: ClassInfo | None = None
) -> FunctionInfo:
    """The index entry of a function."""
    if isinstance(node, ast.Lambda):
        return FunctionInfo("<lambda>", qualname, module, node, owner)
    return FunctionInfo(node.name, qualname, module, node, owner, decorator_names(module, node.decorator_list))


def class_info(module: ModuleInfo, node: ast.ClassDef, qualname: str, local: bool = False) -> ClassInfo:
    """The index entry of a class with its own methods. One that is `local` to a function leaves the module as it is."""
    bases = tuple(module.dotted(b.value if isinstance(b, ast.Subscript) else b) for b in node.bases)
    info = ClassInfo(node.name, qualname, module, node, bases, decorators=decorator_names(module, node.decorator_list))
    for keyword in node.keywords:
        if keyword.arg == "metaclass":
            info.metaclass = module.dotted(keyword.value)
    _index_class_body(info, node.body, local)
    return info


def _index_class_body(info: ClassInfo, body: list[ast.stmt], local: bool) -> None:
    module = info.module
    for item in body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            method = function_info(module, item, f"{info.qualname}.{item.name}", info)
            if any(d.endswith((".setter", ".deleter")) for d in method.decorators):
                continue
            info.methods[item.name] = method
        elif isinstance(item, ast.Assign):
            for target in item.targets:
                if isinstance(target, ast.Name):
                    info.assigns[target.id] = item.value
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            info.annotations[item.target.id] = item.annotation
            if item.value is not None:
                info.assigns[item.target.id] = item.value
        elif isinstance(item, (ast.If, ast.Try)):
            _index_class_body(info, item.body, local)
            _index_class_body(info, item.orelse, local)
        elif isinstance(item, ast.ClassDef) and not local:
            module.classes[f"{info.qualname}.{item.name}"] = class_info(module, item, f"{info.qualname}.{item.name}")
