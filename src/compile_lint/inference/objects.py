"""What classes of the linted tree hold: methods, attributes set by their constructors, and what calling them does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.customops.functions import untraced_form
from compile_lint.inference import known
from compile_lint.inference.annotations import annotated
from compile_lint.inference.values import (
    BOOL,
    CERTAIN,
    LIKELY,
    PERHAPS,
    POSSIBLE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    External,
    Func,
    Instance,
    Map,
    Method,
    Module,
    Py,
    Seq,
    Sym,
    Tensor,
    Union,
    Unknown,
    Value,
    join,
    join_all,
    python_type,
)
from compile_lint.project.modules import ClassInfo, FunctionInfo, own_nodes, own_statements
from compile_lint.project.project import STDLIB

if TYPE_CHECKING:
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.engine import Engine
    from compile_lint.inference.frame import Frame

Attributes = dict[str, Value]
_FUNCTION = ("torch.autograd.Function", "torch.autograd.function.Function")
_PARAMETERS = ("torch.nn.Linear", "torch.nn.Conv", "torch.nn.Embedding", "torch.nn.LayerNorm", "torch.nn.BatchNorm")


class Objects:
    """The part of the engine that knows classes and their instances."""

    _attributes: dict[tuple[str, str], Attributes]
    _hands: dict[object, bool]
    _methods: dict[tuple[ClassInfo, str], FunctionInfo | None]

    def reset_objects(self) -> None:
        """Start with nothing known of any class."""
        self._attributes = {}
        self._hands = {}
        self._methods = {}

    @property
    def _engine(self) -> Engine:
        return self  # type: ignore[return-value]

    # what a class holds

    def attributes_of(self, info: ClassInfo) -> Attributes:
        """The attributes that a class's own constructor sets, by name."""
        key = (info.module.path, info.qualname)
        found = self._attributes.get(key)
        if found is None:
            found = self._attributes[key] = {}
            init = info.methods.get("__init__") or info.methods.get("setup")
            if init is not None:
                found.update(self._stored_by(info, init))
        return found

    def _stored_by(self, info: ClassInfo, init: FunctionInfo) -> Attributes:
        from compile_lint.inference.frame import Frame
        from compile_lint.inference.parameters import entry_values
        from compile_lint.inference.statements import run_block

        engine = self._engine
        func = Func(init, Instance(info))
        frame = Frame(engine, init, init.module, entry_values(engine, func, False))
        frame.muted = 1
        frame.stores = {}
        engine._active.append(engine.function_key(init))
        try:
            run_block(frame, init.node.body if isinstance(init.node.body, list) else [])
        finally:
            engine._active.pop()
        later = self.assigned_later(info)
        kept = not engine.project.is_nn_module(info)
        return {name: _attribute(value, name in later, kept) for name, value in frame.stores.items()}

    def assigned_later(self, info: ClassInfo) -> dict[str, list[ast.expr]]:
        """The attributes that methods other than the constructor assign, with what they assign."""
        return info.module.once(("later", info), lambda: _assigned_later(info))

    def method(self, value: Instance, name: str) -> Func | None:
        """A method of an object, bound to it."""
        found = self._find_method(value, name)
        return Func(found, value) if found is not None else None

    def _find_method(self, value: Instance, name: str) -> FunctionInfo | None:
        if value.super_of is not None:
            return self._method_above(value.info, name, value.super_of)
        key = (value.info, name)
        if key not in self._methods:
            bases = self._engine.project.mro(value.info)
            found = (base.methods[name] for base in bases if isinstance(base, ClassInfo) and name in base.methods)
            self._methods[key] = next(found, None)
        return self._methods[key]

    def _method_above(self, info: ClassInfo, name: str, owner: ClassInfo) -> FunctionInfo | None:
        """What `super()` in a method of `owner` finds."""
        passed = False
        for base in self._engine.project.mro(info):
            if not passed:
                passed = isinstance(base, ClassInfo) and (base is owner or _same(base, owner))
            elif isinstance(base, ClassInfo) and name in base.methods:
                return base.methods[name]
        return None

    def outside_bases(self, value: Instance) -> list[str]:
        """The base classes of an object that the linted tree does not show."""
        return [b for b in self._engine.project.mro(value.info) if isinstance(b, str)]

    def is_module(self, value: Value | None) -> bool:
        """Whether a value is an nn.Module."""
        if isinstance(value, External):
            return value.name.startswith("torch.nn.")
        return isinstance(value, Instance) and self._engine.project.is_nn_module(value.info)

    # reading attributes

    def _hands_on(self, reader: FunctionInfo) -> bool:
        """Whether a `__getattribute__` asks the base class for the names that it does not answer itself.

        TorchDynamo asks it for `__class__` too, and raises where the answer is no class (examples in CL527). By way of
        `super()` it is followed; `object.__getattribute__(self, name)` breaks (GB0156), and no rule tells that yet.
        """
        key = self._engine.function_key(reader)
        if key not in self._hands:
            self._hands[key] = any(map(_asks_base, own_nodes(reader.node)))
        return self._hands[key]

    def instance_attribute(self, frame: Frame, node: ast.AST, base: Instance, name: str) -> Value:
        """`object.name`."""
        if base.fields is not None and name in base.fields:
            return base.fields[name]
        if frame.stores is not None and name in frame.stores and base.super_of is None:
            return frame.stores[name]
        reader = self._find_method(base, "__getattribute__")
        if reader is not None:
            if not self._hands_on(reader):
                frame.emit("custom-getattribute", node, subject=node)
            return UNKNOWN
        found = self._find_method(base, name)
        if found is not None:
            return self._method_value(frame, node, base, found)
        if name == "training" and self.is_module(base):
            return BOOL
        value = self._held(base, name)
        if value is not None:
            self._engine.attribute_read(frame, node, base, name, value)
            return value
        return self._inherited(frame, node, base, name)

    def _method_value(self, frame: Frame, node: ast.AST, base: Instance, found: FunctionInfo) -> Value:
        engine = self._engine
        receiver = Instance(base.info, base.fields) if base.super_of is not None else base
        if found.is_property:
            if any(d.endswith("cached_property") for d in found.decorators):
                # once it was read outside of a trace, the value lies in the object's dictionary
                sure = CERTAIN if self.is_module(base) else POSSIBLE
                frame.emit("cached-property", node, sure, subject=node, ids=("GB0142",), skip=True)
            return engine.call_function(frame, node, Func(found, receiver), [], {})
        if found.is_static:
            return Func(found)
        bound = Class(base.info) if found.is_classmethod else receiver
        value = Func(found, bound)
        if isinstance(found.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and len(found.node.decorator_list):
            made = engine.decorated(engine.module_frame(found.module), Func(found), found.node)
            return _bind(made, bound, value)
        return value

    def _held(self, base: Instance, name: str) -> Value | None:
        for info in self._engine.project.mro(base.info):
            if not isinstance(info, ClassInfo):
                continue
            attributes = self.attributes_of(info)
            if name in attributes:
                return attributes[name]
            if name in info.assigns:
                return _attribute(self._class_level(info, name), name in self.assigned_later(base.info))
            if name in info.annotations:
                said = annotated(info.annotations[name], info.module, self._engine.project)
                if said is not None:
                    return said
        for info in self._engine.project.mro(base.info):
            if isinstance(info, ClassInfo) and name in self.assigned_later(info):
                return self._assigned_value(info, name)
        return None

    def _assigned_value(self, info: ClassInfo, name: str) -> Value:
        nodes = self.assigned_later(info)[name]
        if all(isinstance(n, ast.Constant) for n in nodes):
            return _attribute(join_all([Const(n.value) for n in nodes if isinstance(n, ast.Constant)]), True)
        return UNKNOWN

    def _class_level(self, info: ClassInfo, name: str) -> Value:
        from compile_lint.inference.expressions import evaluate

        frame = self._engine.module_frame(info.module)
        frame.stores = {}
        return evaluate(frame, info.assigns[name])

    def _inherited(self, frame: Frame, node: ast.AST, base: Instance, name: str) -> Value:
        if self._is_namedtuple(base.info) or name.startswith("__"):
            return UNKNOWN
        if name == "apply" and self._is_autograd(base.info):
            return External("autograd.apply", (Class(base.info),))
        if name in ("__class__",):
            return Class(base.info)
        return Method(base, name)

    def _is_namedtuple(self, info: ClassInfo) -> bool:
        return any(isinstance(b, str) and b.endswith("NamedTuple") for b in self._engine.project.mro(info))

    def any_member(self, base: Instance) -> Value:
        """`getattr(object, computed name)`: any of its submodules."""
        held: list[Value] = []
        for info in self._engine.project.mro(base.info):
            if isinstance(info, ClassInfo):
                held.extend(v for v in self.attributes_of(info).values() if isinstance(v, (Instance, External)))
        unique = {v.key(): v for v in held}
        return (
            Union(tuple(unique.values()))
            if 1 < len(unique) <= 4
            else next(iter(unique.values()), UNKNOWN)
            if len(unique) == 1
            else UNKNOWN
        )

    def class_attribute(self, frame: Frame, base: Class, name: str) -> Value:
        """`Class.name`."""
        info = base.info
        if name == "apply" and self._is_autograd(info):
            return External("autograd.apply", (base,))
        for current in self._engine.project.mro(info):
            if not isinstance(current, ClassInfo):
                continue
            if name in current.methods:
                method = current.methods[name]
                return Func(method, base) if method.is_classmethod else Func(method)
            if name in current.assigns:
                return self._class_level(current, name)
        if name in ("__name__", "__qualname__", "__module__"):
            return Py("str")
        return UNKNOWN

    def _is_autograd(self, info: ClassInfo) -> bool:
        return any(b in _FUNCTION for b in self._engine.project.mro(info) if isinstance(b, str))

    def container_parts(self, base: Instance) -> Seq | None:
        """The elements of an object that inherits from ModuleList or Sequential."""
        outside = self.outside_bases(base)
        if any(b in ("torch.nn.ModuleList", "torch.nn.Sequential", "list") for b in outside):
            return Seq("ModuleList", None, UNKNOWN)
        return None

    # calling

    def call_instance(self, frame: Frame, node: ast.AST, value: Instance, args: Arguments) -> Value:
        """`object(...)`: the forward of a module, else `__call__`."""
        engine = self._engine
        name = "forward" if self.is_module(value) else "__call__"
        method = self.method(value, name) or (self.method(value, "__call__") if name == "forward" else None)
        if self._is_autograd(value.info):
            frame.emit("function-form", node, subject=node, callee=value.info.name, ids=("GB0088",), skip=True)
            return frame.tensor(node)
        if method is None:
            return self._call_inherited(frame, node, value, args)
        if any(d in _DISABLES for d in method.info.decorators):
            frame.emit("disabled-call", node, subject=_callee(node), ids=("GB0099",))
            frame.calls(f"{method.info.module.name}.{method.info.qualname}", node, "opt-out")
            frame.operations(at=node)  # at least one: it is not looked into
            return UNKNOWN
        return engine.call_function(frame, node, method, args.positional, args.keywords, args.open)

    def _call_inherited(self, frame: Frame, node: ast.AST, value: Instance, args: Arguments) -> Value:
        from compile_lint.inference import externals

        for base in self.outside_bases(value):
            if base.startswith("torch.nn.") and base != "torch.nn.Module":
                return externals.call_instance(frame, node, External(base), args)
        return UNKNOWN

    def construct(self, frame: Frame, node: ast.AST, info: ClassInfo, args: Arguments) -> Value:
        """`Class(...)`."""
        engine = self._engine
        outside = [b for b in engine.project.mro(info) if isinstance(b, str)]
        if "logging.Logger" in outside:
            return External("logging.Logger")
        for base in outside:
            if base.startswith("torch.optim.") or base == "torch.utils.data.DataLoader":
                return External(base)
        value = Instance(info, {})
        if engine.project.is_nn_module(info):
            if frame.stores is None and not frame.muted and self._has_parameters(info):
                frame.emit("parameter-made", node, subject=node, callee=info.name, ids=("GB0264",))
            return Instance(info)
        init = self.method(value, "__init__")
        if init is not None:
            engine.call_function(frame, node, init, args.positional, args.keywords, args.open)
            return Instance(info, value.fields or None)
        self._fill_fields(info, value, args)
        return value

    def _has_parameters(self, info: ClassInfo) -> bool:
        for current in self._engine.project.mro(info):
            if isinstance(current, ClassInfo):
                for value in self.attributes_of(current).values():
                    if isinstance(value, Tensor) and value.made == "input":
                        return True
                    if isinstance(value, External) and value.name.startswith(_PARAMETERS):
                        return True
        return False

    def _fill_fields(self, info: ClassInfo, value: Instance, args: Arguments) -> None:
        """A dataclass or NamedTuple takes its fields in the order of its annotations."""
        fields = value.fields
        if fields is None:
            return
        names = [n for c in reversed(self._engine.project.mro(info)) if isinstance(c, ClassInfo) for n in c.annotations]
        for name, given in zip(names, args.positional, strict=False):
            fields[name] = given
        fields.update({k: v for k, v in args.keywords.items() if k in names})

    def autograd_apply(self, frame: Frame, node: ast.AST, info: ClassInfo, args: Arguments) -> Value:
        """`Function.apply(...)`: its forward runs here, its backward when gradients are asked for."""
        engine = self._engine
        frame.calls(f"{info.module.name}.{info.qualname}", node, "autograd-function")
        identifier, skip = untraced_form(info)
        if identifier:
            frame.emit("function-form", node, subject=node, callee=info.name, ids=(identifier,), skip=skip)
        forward, backward = info.methods.get("forward"), info.methods.get("backward")
        result: Value = UNKNOWN
        if forward is not None:
            with_context = "setup_context" not in info.methods
            given = [UNKNOWN, *args.positional] if with_context else args.positional
            result = engine.call_function(frame, node, Func(forward), list(given), args.keywords, args.open)
        if backward is not None:
            with frame.inside(reach=LIKELY):
                gradient = frame.tensor(node)
                engine.call_function(frame, node, Func(backward), [UNKNOWN, *[gradient] * 4], {}, True)
        return result if not isinstance(result, Unknown) else frame.tensor(node)

    # storing

    def attribute_stored(self, frame: Frame, node: ast.Attribute, base: Instance, value: Value) -> None:
        """A region stores into an object: an int that changes makes every later call another guard."""
        if not isinstance(value, Sym) or not self.is_module(base):
            return
        held = self._held(base, node.attr)
        if held is not None and python_type(held) == "int":
            frame.emit("counter-attribute", node, LIKELY, subject=node, splits=False)

    def attribute_counted(self, frame: Frame, node: ast.Attribute, base: Value, old: Value) -> None:
        """`object.count += 1` inside a region."""
        if isinstance(base, Instance) and self._outlives(base) and python_type(old) == "int":
            frame.emit("counter-attribute", node, subject=node, splits=False)

    def _outlives(self, base: Instance) -> bool:
        """Objects made inside the call are new each time; modules and others stay."""
        return base.fields is None

    def class_stored(self, frame: Frame, node: ast.Attribute, base: Class, value: Value) -> None:
        """`Class.count = ...` inside a region."""
        if self._is_autograd(base.info):
            frame.emit("function-form", node, subject=node, callee=base.info.name, ids=("GB4841", "GB0467"))
            return
        if isinstance(value, (Sym, Py, Unknown)) and not isinstance(value, Tensor):
            frame.emit("counter-attribute", node, POSSIBLE, subject=node, splits=False)

    def container_stored(self, frame: Frame, node: ast.Subscript, base: Value) -> None:
        """`object.cache[key] = value` inside a region: nothing to say without knowing the key."""

    def container_grown(self, frame: Frame, node: ast.AST, holder: ast.expr, grown: Value) -> None:
        """`self.items.append(x)` or `ITEMS.append(x)`: a list that outlives the call grows with each one."""
        if isinstance(holder, ast.Attribute):
            from compile_lint.inference.expressions import evaluate

            if frame.stores is not None and isinstance(holder.value, ast.Name):
                frame.stores[holder.attr] = grown
                return
            frame.muted += 1
            try:
                base = evaluate(frame, holder.value)
            finally:
                frame.muted -= 1
            if isinstance(base, Instance) and self._outlives(base) and not self._emptied(base, holder.attr):
                frame.emit("growing-container", node, LIKELY, subject=holder, splits=False)
        elif isinstance(holder, ast.Name) and frame.lookup(holder.id) is None:
            frame.emit("growing-container", node, LIKELY, subject=holder, splits=False)

    def _emptied(self, base: Instance, name: str) -> bool:
        """Whether a method other than the constructor assigns the list anew or clears it."""
        for info in self._engine.project.mro(base.info):
            if isinstance(info, ClassInfo) and name in self.assigned_later(info):
                return True
        return False

    # statements that concern objects

    def exception_raised(self, frame: Frame, node: ast.Raise) -> None:
        """An own exception class with a constructor of its own, raised and caught inside the region."""
        call = node.exc if isinstance(node.exc, ast.Call) else None
        if call is None or not self._caught_above(frame, call):
            return
        info = self._engine.class_named(frame.module, frame.module.dotted(call.func))
        if info is None or "__init__" not in info.methods:
            return
        init = info.methods["__init__"]
        for child in own_nodes(init.node):
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "super":
                reach, frame.reach = frame.reach, LIKELY  # it is caught: this is no error path
                frame.emit("exception-class", child, module=info.module, subject=info.name, ids=("GB0006",), skip=True)
                frame.reach = reach
                return

    def _caught_above(self, frame: Frame, call: ast.Call) -> bool:
        name = frame.module.dotted(call.func)
        return any(name in caught for caught in self._engine.catching)

    def try_entered(self, frame: Frame, node: ast.Try, names: list[str]) -> None:
        """`except*` has no bytecode support; a traceback read in a handler is opaque."""
        if node.__class__.__name__ == "TryStar":
            frame.emit("exception-group", node.handlers[0], subject="except*", ids=("GB0082",), skip=True)

    def assertion(self, frame: Frame, node: ast.Assert) -> None:
        """A plain assertion that its own function catches cannot be compiled when it fails."""
        if any("AssertionError" in c for c in frame.caught):
            frame.emit("caught-assert", node, LIKELY, subject=node.test, ids=("GB0034",), skip=True)

    def imported(self, frame: Frame, node: ast.Import | ast.ImportFrom) -> None:
        """An import under `except ImportError` may fail, and a failing import gives up the frame."""
        catches = any(c in ("ImportError", "ModuleNotFoundError", "Exception") for c in frame.caught)
        if not catches or (isinstance(node, ast.ImportFrom) and node.level):
            return
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        project = self._engine.project
        for name in names:
            top = name.partition(".")[0]
            if top not in STDLIB and top not in ("torch", "numpy", "") and not project.owns(name):
                frame.emit("import-fails", node, LIKELY, subject=top, ids=("GB0069",), skip=True)
                return

    def is_logger(self, node: ast.AST) -> bool:
        """Whether a method call's receiver is named as loggers are: `logger.info`, `self._log.warning`."""
        func = node.func if isinstance(node, ast.Call) else None
        base = func.value if isinstance(func, ast.Attribute) else None
        name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
        return name.lower().strip("_") in ("logger", "log", "logging")


_DISABLES = frozenset(("torch.compiler.disable", "torch._dynamo.disable", "torch._disable_dynamo"))


def _callee(node: ast.AST) -> ast.AST:
    return node.func if isinstance(node, ast.Call) else node


def _same(a: ClassInfo, b: ClassInfo) -> bool:
    return a.module.path == b.module.path and a.qualname == b.qualname


def _asks_base(node: ast.AST) -> bool:
    """`super().__getattribute__(name)` of a name that varies, wherever its answer goes."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "__getattribute__"
        and bool(node.args)
        and isinstance(node.args[-1], ast.Name)
    )


def _bind(value: Value, receiver: Value, plain: Func) -> Value:
    """A decorated method bound to its object."""
    if isinstance(value, Func):
        return Func(value.info, receiver, value.closure)
    if isinstance(value, External) and value.name in ("disabled", "opaque", "foreign"):
        return value
    if isinstance(value, Bound):
        return Bound(value.func, (receiver, *value.args), value.kwargs)
    return plain


def _attribute(value: Value, later: bool, traced: bool = False) -> Value:
    """What an attribute is to a method: set once by a constructor, it may differ between instances and over time.

    `traced`: the object is no module, so that the compiled function may make it.
    """
    if isinstance(value, Const):
        if value.value is None:
            return UNKNOWN
        return Py(type(value.value).__name__)
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, Py):
        return Py(value.type, "", value.optional)
    if later and not isinstance(value, (Tensor, Instance, External)):
        return value if isinstance(value, (Seq, Map)) else UNKNOWN
    if isinstance(value, Tensor):
        made = PERHAPS if traced and value.made in known.MADE else "attribute"
        return value.replaced(made=made if value.made != "input" else "input", argument="")
    if isinstance(value, Seq) and value.items is not None and value.type in ("list", "set") and not _modules(value):
        return Seq(value.type, None if value.items else (), value.elem)
    return value


def _modules(value: Seq) -> bool:
    return any(isinstance(i, (Instance, External)) for i in value.items or ())


def _assigned_later(info: ClassInfo) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for name, method in info.methods.items():
        if name != "__init__" and not isinstance(method.node, ast.Lambda):
            _collect_assigned(method, found)
    return found


def _collect_assigned(method: FunctionInfo, found: dict[str, list[ast.expr]]) -> None:
    for node in own_statements(method.node):
        targets: list[ast.expr] = []
        value: ast.expr | None = None
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            targets, value = [node.target], node.value
        if value is None:
            continue
        for target in targets:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self":
                    found.setdefault(part.attr, []).append(value)


def member_module(value: Value) -> Module | None:
    """The module a value is, if it is one."""
    return value if isinstance(value, Module) else None


def merged(a: Value | None, b: Value) -> Value:
    """The join with a value that may be missing."""
    return b if a is None else join(a, b)


SURE = CERTAIN
