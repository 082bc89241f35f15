"""Reads a file's declarations of custom operators in one pass over its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from compile_lint.customops.declared import FAKES, MAKERS, PARTS, Declared, Operator
from compile_lint.customops.helpers import Helper, helper_of
from compile_lint.customops.inferred import NoSchemaError, inferred_schema
from compile_lint.customops.texts import named_texts, text_of
from compile_lint.customops.wrapped import wrappers
from compile_lint.project.modules import FunctionNode, ModuleInfo, add_import, children

_LIBRARY = "torch.library."
_LIBRARIES = ("torch.library.Library", "torch.library._scoped_library")
_MAKERS = frozenset(name.rpartition(".")[2] for name in MAKERS)
_KEYS = {"cpu": "CPU", "cuda": "CUDA", "xpu": "XPU", "mps": "MPS", "hpu": "HPU", "meta": "Meta"}
_KEYS["default"] = "CompositeExplicitAutograd"
"""Device types as torch.library.impl takes them -> dispatch keys (`_device_type_to_key` in torch/library.py)."""


class Reader:
    """Collects declarations at any depth of a file's code; names of functions are looked up in the whole file."""

    def __init__(self, module: ModuleInfo, found: Declared, helpers: Mapping[str, Helper]) -> None:
        self.module = module
        self.found = found
        self.libraries: dict[str, tuple[str, str]] = {}
        """Local names of Library objects -> their namespaces, and the dispatch keys that they register for."""
        self.functions: dict[str, FunctionNode] = {}
        self.imports: dict[str, str] = {}
        self.nodes: list[ast.AST] = [module.tree]
        for node in self.nodes:  # grows meanwhile: in the order of ast.walk, and many times as fast
            self.nodes.extend(children(node))
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                add_import(module, node, self.imports)
        self.imports.update(module.imports)
        self._texts_named: dict[str, str] | None = None
        self.looped: dict[str, list[str]] = {}
        """Variables of loops over texts, and the texts."""
        self._names()
        self.wrappers = wrappers(self.nodes, lambda call: bool(self._part(call)))
        self._own_helpers()
        self.helpers = {**found.helpers, **helpers}

    def _names(self) -> None:
        """What names are bound to that matter here."""
        for node in self.nodes:
            for name, value in _bound(node):
                self._library(name, value)
                self._alias(name, value)
            if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                self.looped.setdefault(node.target.id, []).extend(self._texts(node.iter))
            elif isinstance(node, ast.FunctionDef):
                for one in node.body:
                    if isinstance(one, ast.Return) and one.value is not None:
                        self._library(f"{node.name}()", one.value)

    def _own_helpers(self) -> None:
        for name, info in self.module.functions.items():
            if isinstance(info.node, ast.FunctionDef) and name not in self.wrappers:
                helper = helper_of(info.node, self._registers, self._outer)
                if helper is not None:
                    named = f"{self.module.name}.{name}"
                    self.found.helpers[name] = replace(helper, name=named, libraries=self._own_libraries())

    def read(self) -> None:
        """Note all that the file declares."""
        decorators = {id(one) for n in self.nodes if isinstance(n, ast.FunctionDef) for one in n.decorator_list}
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    self._decorator(decorator, node)
            elif isinstance(node, ast.Assign):
                self._assign(node)
            elif isinstance(node, ast.Call) and id(node) not in decorators:
                self._call(node)

    def dotted(self, node: ast.expr) -> str:
        """As the module's, with what functions import besides."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        return ".".join([self.imports.get(node.id, node.id), *reversed(parts)])

    def _library(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Call) and self.dotted(value.func) in _LIBRARIES and value.args:
            key = value.args[2] if len(value.args) > 2 else _keyword(value, "dispatch_key")
            self.libraries[name] = (self._text(value.args[0]), self._text(key) if key is not None else "")

    def _alias(self, name: str, value: ast.expr) -> None:
        """`register = torch.library.register_fake`, as files that are to work with older releases have it."""
        dotted = self.dotted(value)
        if dotted.startswith(_LIBRARY):
            self.imports.setdefault(name, dotted)

    def _makes(self, dotted: str, call: ast.Call | None) -> bool:
        """Whether a decorator makes an operator: torch's own, or a project's that is called so and given `ns::name`."""
        if dotted in MAKERS or call is None or not call.args:
            return dotted in MAKERS
        return dotted.rpartition(".")[2] in _MAKERS and "::" in self._text(call.args[0])

    def _decorator(self, decorator: ast.expr, node: ast.FunctionDef) -> None:
        """A decorator that makes an operator or a kernel out of a function."""
        call = decorator if isinstance(decorator, ast.Call) else None
        target = call.func if call is not None else decorator
        dotted = self.dotted(target)
        if call is not None and isinstance(target, ast.Name) and target.id in self.wrappers:
            for registration in self.wrappers[target.id].expanded(call):
                self._wrapped(registration, node)
        elif self._makes(dotted, call):
            if call is not None and call.args:
                self._custom(call, node, node.name)
        elif dotted.startswith(_LIBRARY):
            if call is not None:
                self._registered(dotted.removeprefix(_LIBRARY), call, node)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            self._on_object(target.value.id, target.attr, call, node)

    def _part(self, call: ast.Call) -> str:
        """What a call registers; empty if nothing."""
        dotted = self.dotted(call.func)
        what = dotted.removeprefix(_LIBRARY) if dotted.startswith(_LIBRARY) else ""
        if not what and isinstance(call.func, ast.Attribute) and self._owner(call.func.value) in self.libraries:
            what = call.func.attr
        return what if what in PARTS else ""

    def _registers(self, call: ast.Call) -> bool:
        """Whether a call registers or defines anything."""
        what = self.dotted(call.func).removeprefix(_LIBRARY)
        if isinstance(call.func, ast.Attribute) and self._owner(call.func.value) in self.libraries:
            what = call.func.attr
        elif not self.dotted(call.func).startswith(_LIBRARY):
            return False
        return what in PARTS or what in ("define", "custom_op")

    def _outer(self, name: str) -> ast.expr | None:
        """What a name of this file is to others: a library by a name of its own, an import by its whole name."""
        if name in self.libraries:
            made = self._foreign(name)
            self.libraries[made] = self.libraries[name]
            return ast.Name(made, ast.Load())
        if name in self.imports:
            return ast.Name(self.imports[name], ast.Load())
        text = self._text(ast.Name(name, ast.Load()))
        return ast.Constant(text) if text else None

    def _foreign(self, name: str) -> str:
        return name if name.startswith("<") else f"<{self.module.path}>{name}"

    def _own_libraries(self) -> dict[str, tuple[str, str]]:
        return {self._foreign(name): value for name, value in self.libraries.items()}

    def _helped(self, helper: Helper, use: ast.Call) -> None:
        """A call of a function that registers what it is given."""
        self.libraries.update(helper.libraries)
        self.found.helped.add(helper.name)
        for call in helper.expanded(use):
            dotted = self.dotted(call.func)
            if dotted in MAKERS:
                if len(call.args) > 1:
                    self._custom(call, self._function(call.args[1]), "")
            elif self._registers(call):
                self._call(call)

    def _owner(self, node: ast.expr) -> str:
        """The name of a Library object, or of the function that returns one with `()` after it."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
            return f"{node.func.id}()"
        return node.id if isinstance(node, ast.Name) else ""

    def _wrapped(self, call: ast.Call, node: ast.FunctionDef) -> None:
        """A registration of a decorator of this file's own, its parameters replaced by what it is given."""
        if self.dotted(call.func).startswith(_LIBRARY):
            self._registered(self._part(call), call, node)
        elif isinstance(call.func, ast.Attribute):
            self._on_object(self._owner(call.func.value), call.func.attr, call, node)

    def _assign(self, node: ast.Assign) -> None:
        """`op = torch.library.custom_op("ns::f", ...)(fn)`, or `op = custom_op("ns::f", fn, mutates_args=())`."""
        outer = node.value
        if not isinstance(outer, ast.Call):
            return
        inner = outer.func if isinstance(outer.func, ast.Call) else outer
        functions = outer.args[:1] if inner is not outer else outer.args[1:2]
        if self.dotted(inner.func) in MAKERS and inner.args and functions:
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._custom(inner, self._function(functions[0]), target.id)

    def _custom(self, call: ast.Call, node: FunctionNode | None, local: str) -> None:
        name = self._text(call.args[0])
        if not name:
            self.found.nameless.append(call.lineno)
        operator = Operator(name, True, function=node, mutates=self._mutates(call), line=call.lineno)
        operator.helpers = self.functions
        schema, devices = _keyword(call, "schema"), _keyword(call, "device_types")
        operator.schema = self._text(schema) if schema is not None else ""
        operator.devices = tuple(self._texts(devices)) if devices is not None else ()
        if self.dotted(call.func).endswith("triton_op"):
            operator.traced = True
            operator.fakes.append(None)
        self.found.operators[name] = operator
        self.found.functions[local] = name

    def _call(self, node: ast.Call) -> None:
        """Plain calls: `lib.define(...)`, `lib.impl(...)`, `torch.library.define(...)`, `allow_in_graph(...)`."""
        dotted = self.dotted(node.func)
        if dotted in self.helpers:
            self._helped(self.helpers[dotted], node)
        elif dotted.endswith("allow_in_graph") and node.args:
            self.found.allowed.add(self.dotted(node.args[0]))
        elif dotted == "torch.ops.load_library":
            self.found.loads_libraries = True
        elif dotted == f"{_LIBRARY}define" and len(node.args) >= 2:
            name = self._text(node.args[0])
            if not self._inferred(name, node.args[1], node.lineno):
                self._define(name, self._text(node.args[1]), node.lineno)
        elif dotted.startswith(_LIBRARY):
            if len(node.args) + len(node.keywords) > 1:
                self._registered(dotted.removeprefix(_LIBRARY), node, None)
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.args:
            self._method(node, node.func.value.id, node.func.attr)

    def _method(self, node: ast.Call, owner: str, what: str) -> None:
        if owner in self.libraries:
            if what == "define":
                if self._inferred(self.libraries[owner][0], node.args[0], node.lineno):
                    return
                schema = self._text(node.args[0])
                self._define(
                    _qualified(self.libraries[owner][0], schema.partition("(")[0].strip()), schema, node.lineno
                )
            elif len(node.args) > 1:
                self._on_object(owner, what, node, None)
        elif what in PARTS and (owner in self.found.functions or owner in self.module.imports):
            self._on_object(owner, what, node, None)

    def _inferred(self, name: str, node: ast.expr, line: int) -> bool:
        """`name + infer_schema(f, mutates_args=...)`, after a namespace or the whole name."""
        parts = _summed(node)
        call = parts[-1]
        if not isinstance(call, ast.Call) or not self.dotted(call.func).endswith("infer_schema") or not call.args:
            return False
        given = [self._text(part) for part in parts[:-1]]
        named = _keyword(call, "op_name")
        local = "".join(given) or (self._text(named) if named is not None else "")
        full = name if "::" in name else _qualified(name, local) if local else ""
        if not full or not all(given):
            self.found.nameless.append(line)
            return True
        made = Operator(full, False, function=self._function(call.args[0]), mutates=self._mutates(call), line=line)
        operator = self.found.operators.setdefault(full, Operator(full, False, helpers=self.functions))
        operator.line, operator.inferred, operator.function = line, True, made.function
        try:
            operator.schema = inferred_schema(self.module, made)
        except (NoSchemaError, LookupError):
            operator.mutates = made.mutates
        return True

    def _define(self, name: str, schema: str, line: int) -> None:
        if not name or not schema:
            self.found.nameless.append(line)
        operator = self.found.operators.setdefault(name, Operator(name, False, helpers=self.functions))
        operator.schema, operator.line = schema, line

    def _on_object(self, owner: str, what: str, call: ast.Call | None, node: FunctionNode | None) -> None:
        """`@op.register_fake`, `lib.impl("f", fn, "CPU")`, `@lib.impl(...)`."""
        if what not in PARTS:
            return
        if owner in self.libraries:
            if call is not None and call.args and (what == "impl" or what in FAKES):
                self._for_library(owner, what, call.args[0], call.args[1:], call, node)
        elif owner in self.found.functions or owner in self.module.imports:
            rest = call.args if call is not None else []
            self._for_function(owner, what, rest, call, node)

    def _registered(self, what: str, call: ast.Call, node: FunctionNode | None) -> None:
        """`torch.library.register_fake("ns::f")` and its kin, as a decorator or with a function."""
        if what not in PARTS or not call.args:
            return
        first, rest = call.args[0], call.args[1:]
        if isinstance(first, ast.Name) and first.id in self.libraries:
            if rest:  # torch.library.impl(lib, "f", "CPU"), as before torch 2.2
                self._for_library(first.id, what, rest[0], rest[1:], call, node)
        elif isinstance(first, ast.Name):
            self._for_function(first.id, what, rest, call, node)
        elif name := self._operator(first):
            types = [key for one in rest for key in self._texts(one)]
            keys = [_KEYS.get(key.lower(), key) for key in types] if what == "impl" else types
            self._note(name, what, keys, self._kernel(rest, node), rest, call.lineno)

    def _for_library(
        self,
        owner: str,
        what: str,
        operator: ast.expr,
        rest: list[ast.expr],
        call: ast.Call,
        node: FunctionNode | None,
    ) -> None:
        """What is registered through a Library object, which has a namespace and may have a dispatch key."""
        namespace, default = self.libraries[owner]
        if name := self._operator(operator):
            given = [*rest, *(k.value for k in call.keywords if k.arg == "dispatch_key")]
            keys = [key for one in given for key in self._keys(one)]
            named = _keyword(call, "dispatch_key")
            unknown = named is not None and not (isinstance(named, ast.Constant) and not named.value)
            if not keys and (len(given) < 2 or default) and not unknown:
                keys = [default or "CompositeImplicitAutograd"]
            self._note(_qualified(namespace, name), what, keys, self._kernel(rest, node), rest, call.lineno)

    def _for_function(
        self, local: str, what: str, rest: list[ast.expr], call: ast.Call | None, node: FunctionNode | None
    ) -> None:
        """What is registered for the operator that a function of this file, or an imported one, became."""
        keys = [key for one in rest for key in self._texts(one)]
        function = self._kernel(rest, node)
        if local in self.found.functions:
            self.found.operators[self.found.functions[local]].register(what, keys, function)
        elif local in self.module.imports:
            self.found.of_imported.append((self.module.imports[local], what, keys, function))

    def _note(
        self, name: str, what: str, keys: list[str], kernel: FunctionNode | None, rest: list[ast.expr], line: int
    ) -> None:
        operator = self.found.operators.setdefault(name, Operator(name, False, helpers=self.functions))
        operator.line = operator.line or line
        fallthrough = any(self.dotted(one).endswith("fallthrough_kernel") for one in rest)
        operator.register(what, keys, kernel, fallthrough)

    def _keys(self, node: ast.expr) -> list[str]:
        """Dispatch keys by text, or by the variable of a loop over texts."""
        if isinstance(node, ast.Name) and node.id in self.looped:
            return self.looped[node.id]
        return self._texts(node)

    def _operator(self, node: ast.expr) -> str:
        """The name that a string, or `torch.ops.ns.f.default`, gives."""
        dotted = self.dotted(node)
        if dotted.startswith("torch.ops."):
            return "::".join(dotted.split(".")[2:4])
        return self._text(node)

    def _mutates(self, call: ast.Call) -> tuple[str, ...] | None:
        value = _keyword(call, "mutates_args")
        if isinstance(value, (ast.Tuple, ast.List, ast.Set)):
            return tuple(self._text(e) for e in value.elts)
        if isinstance(value, ast.Dict):
            return tuple(self._text(key) for key in value.keys if key is not None)
        return ("*",) if value is not None and self._text(value) == "unknown" else None

    def _text(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else ""
        if self._texts_named is None:
            self._texts_named = named_texts(self.nodes)
        return text_of(node, self._texts_named)

    def _texts(self, node: ast.expr) -> list[str]:
        """A string, or the strings of a tuple or list."""
        parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
        return [text for text in map(self._text, parts) if text]

    def _kernel(self, rest: list[ast.expr], node: FunctionNode | None) -> FunctionNode | None:
        return node or next((f for f in map(self._function, rest) if f is not None), None)

    def _function(self, node: ast.expr) -> FunctionNode | None:
        if isinstance(node, ast.Lambda):
            return node
        return self.functions.get(node.id) if isinstance(node, ast.Name) else None


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment or a `with` binds, and to what."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, node.value
    elif isinstance(node, ast.With):
        for item in node.items:
            if isinstance(item.optional_vars, ast.Name):
                yield item.optional_vars.id, item.context_expr


def _summed(node: ast.expr) -> list[ast.expr]:
    """The parts of a sum of texts, or of an f-string."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_summed(node.left), *_summed(node.right)]
    if isinstance(node, ast.JoinedStr) and node.values:
        return [one.value if isinstance(one, ast.FormattedValue) else one for one in node.values]
    return [node]


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _qualified(namespace: str, name: str) -> str:
    return name if "::" in name else f"{namespace}::{name}"
