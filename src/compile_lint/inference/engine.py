"""Analysis across functions: who is called, what classes hold, what names mean, and what was recorded on the way.

One engine serves the entries of one file, so that a finding never depends on which files were analysed before.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from compile_lint.customops.declaring import Declaring, of_module
from compile_lint.customops.joined import joined
from compile_lint.inference import arguments_change, objects, operators
from compile_lint.inference.annotations import annotated
from compile_lint.inference.frame import Event, Frame, Summary
from compile_lint.inference.parameters import bind_call, entry_values
from compile_lint.inference.usage import Usage, usages
from compile_lint.inference.values import (
    CERTAIN,
    LIKELY,
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    External,
    Func,
    Instance,
    Module,
    Py,
    Seq,
    Tensor,
    Union,
    Unknown,
    Value,
    join,
    join_all,
)
from compile_lint.project.modules import ClassInfo, FunctionInfo, ModuleInfo
from compile_lint.project.replaced import Replaced

if TYPE_CHECKING:
    from compile_lint.customops.declared import Declared, Operator
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.tables import Tables
    from compile_lint.project.project import Project
    from compile_lint.settings import Settings

MAX_CONTEXTS = 4
"""How many different kinds of arguments one function is analysed for before further calls share a result."""
MAX_DEPTH = 30
"""Calls into calls that are followed."""

Key = tuple[object, ...]


class Engine(objects.Objects, arguments_change.ArgumentChanges, operators.Operators):
    """Analyses functions of the linted tree and keeps what they said."""

    def __init__(self, project: Project, tables: Tables, settings: Settings) -> None:
        self.project = project
        self.tables = tables
        self.facts = tables.facts
        self.contexts = tables.contexts
        self.tensor_methods = tables.tensor_methods
        self.settings = settings
        self.events: dict[tuple[str, int, int, str, str], Event] = {}
        self.entry = ""
        self.explicit = False
        self.found_compiled: list[Value] = []
        self.enclosing: list[Frame] = []
        """The frames that functions were defined in, which close over their variables."""
        self._memo: dict[Key, Summary] = {}
        self._contexts: dict[Key, list[Summary]] = {}
        self._active: list[Key] = []
        self._globals: dict[tuple[str, str], Value] = {}
        self.replaced = Replaced(project)
        self._assigned: dict[int, frozenset[str]] = {}
        self._operators: dict[tuple[str, str], Operator | None] = {}
        self._catching = []
        self.reset_objects()

    def forget(self) -> None:
        """Drop what was learnt, with the circles in it, so that the trees are freed without the collector."""
        for frame in self.enclosing:
            frame.env, frame.closure = {}, []
        self.enclosing.clear()
        self.found_compiled = []
        for held in (self.events, self._memo, self._contexts, self._globals, self._operators):
            held.clear()
        self.reset_objects()

    # recording

    def record(self, event: Event) -> Event:
        """Keep an event, or merge it with what is known of the same place."""
        known = self.events.get(event.key)
        if known is None:
            self.events[event.key] = known = event
        else:
            if event.sure > known.sure:
                known.sure, known.origin = event.sure, event.origin
            known.in_loop = known.in_loop or event.in_loop
            known.frame_skipped = known.frame_skipped or event.frame_skipped
        known.entries.add(self.entry)
        return known

    # functions

    def function_key(self, info: FunctionInfo) -> Key:
        """What tells one function from every other, however often its file was parsed."""
        return (info.module.path, info.node.lineno, info.node.col_offset, info.name)

    def usage(self, info: FunctionInfo) -> dict[str, Usage]:
        """How a function uses its parameters."""
        return info.module.once(("usage", *self.function_key(info)), lambda: usages(info, self.tables.tensor_first))

    def analyse_entry(self, func: Func, entry: str, explicit: bool, known: bool = True) -> Summary:
        """Analyse a function as the entry of a compile region: nothing is known of its arguments but what it says.

        `known`: it is a module's forward, or someone named it; what only a catch-all pattern takes is never certain.
        """
        self.entry, self.explicit = entry, explicit
        env = entry_values(self, func, explicit)
        return self._run(func, env, False, CERTAIN if known and func.info not in self.replaced else LIKELY)

    def call_function(
        self,
        frame: Frame,
        node: ast.AST,
        func: Func,
        args: list[Value],
        kwargs: dict[str, Value],
        open: bool = False,
    ) -> Value:
        """Call a function of the linted tree from a frame; its breaks become the frame's."""
        info = func.info
        identity = self.function_key(info)
        muted = frame.muted > 0
        if len(self._active) >= MAX_DEPTH or self._active.count(identity) > 1:
            return self.returned_by_annotation(func) or UNKNOWN
        env = bind_call(self, func, args, kwargs, open)
        replaced = info in self.replaced
        reach = min(frame.reach_of_breaks, LIKELY) if replaced else frame.reach_of_breaks
        key = self._key(func, env, muted, reach)
        summary = self._memo.get(key)
        if summary is None:
            context = (identity, muted, reach, id(func.closure) if func.closure is not None else 0)
            known = self._contexts.setdefault(context, [])
            if len(known) >= MAX_CONTEXTS:
                summary = known[-1]
            elif not (summary := self._running(key)):
                self._catching.append(frame.caught)
                stores = frame.stores if self._same_object(frame, func) else None
                summary = self._run(func, env, muted, reach, stores, key)
                self._catching.pop()
                known.append(summary)
        if not summary.done:
            return self.returned_by_annotation(func) or UNKNOWN
        frame.attach(summary, node, replaced)
        return summary.result

    def _running(self, key: Key) -> Summary | None:
        return self._memo.get(key)

    def _same_object(self, frame: Frame, func: Func) -> bool:
        """A constructor's own helper methods store into the same object."""
        return isinstance(func.bound, Instance) and frame.bound_class is not None and func.info.owner is not None

    def _key(self, func: Func, env: dict[str, Value], muted: bool, reach: int) -> Key:
        values = tuple((name, value.key()) for name, value in env.items())
        closure = id(getattr(func.closure, "frame", None))
        return (self.function_key(func.info), values, muted, reach, closure)

    def _run(
        self,
        func: Func,
        env: dict[str, Value],
        muted: bool,
        reach: int,
        stores: dict[str, Value] | None = None,
        key: Key | None = None,
    ) -> Summary:
        from compile_lint.inference.statements import run_block

        info = func.info
        frame = Frame(self, info, info.module, env)
        if func.closure is not None:
            frame.closure = [func.closure]  # type: ignore[list-item]
        frame.muted = int(muted)
        frame.reach = reach
        frame.stores = stores
        frame.summary.done = False
        if key is not None:
            self._memo[key] = frame.summary
        generator = info.is_generator
        self._active.append(self.function_key(info))
        try:
            with frame.inside(skip=int(generator)):
                if isinstance(info.node, ast.Lambda):
                    from compile_lint.inference.expressions import evaluate

                    frame.results.append(evaluate(frame, info.node.body))
                else:
                    run_block(frame, info.node.body)
        finally:
            self._active.pop()
        frame.summary.result = self._result(frame, func, generator)
        frame.summary.done = True
        return frame.summary

    def _result(self, frame: Frame, func: Func, generator: bool) -> Value:
        value = join_all(frame.results) if frame.results else NONE
        if generator:
            return Seq("generator", None, value)
        if isinstance(value, Unknown):
            return self.returned_by_annotation(func) or value
        return value

    def returned_by_annotation(self, func: Func) -> Value | None:
        """What a function's return annotation promises, as far as an annotation can be trusted."""
        node = func.info.node
        if isinstance(node, ast.Lambda):
            return None
        value = annotated(node.returns, func.info.module, self.project)
        if isinstance(value, Tensor):
            return value.replaced(sure=LIKELY, made="computed")
        return value

    def annotated(self, node: ast.expr, module: ModuleInfo) -> Value | None:
        """What a variable's annotation promises."""
        return annotated(node, module, self.project)

    def assigned_in(self, node: ast.stmt) -> frozenset[str]:
        """The names that a loop assigns, computed once a loop."""
        from compile_lint.inference.statements import assigned_names

        found = self._assigned.get(id(node))
        if found is None:
            found = self._assigned[id(node)] = assigned_names(node)
        return found

    def decorated(
        self, frame: Frame, value: Value, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ) -> Value:
        """What a name stands for after its decorators were applied, innermost first."""
        from compile_lint.inference.calls import Arguments, apply
        from compile_lint.inference.expressions import evaluate

        for decorator in reversed(node.decorator_list):
            dotted = frame.module.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if dotted in _PLAIN_DECORATORS:
                continue
            operator = self.operator_decorator(frame, decorator, dotted, value)
            if operator is not None:
                value = operator
                continue
            frame.muted += 1
            try:
                result = apply(frame, decorator, evaluate(frame, decorator), Arguments([value], {}, False, [decorator]))
            finally:
                frame.muted -= 1
            if isinstance(result, (Func, Bound, External, Instance, Class, Union)):
                value = result
        return value

    # names

    def global_value(self, module: ModuleInfo, name: str) -> Value:
        """What a name means at module level."""
        key = (module.path, name)
        value = self._globals.get(key)
        if value is None:
            self._globals[key] = UNKNOWN  # a definition in terms of itself
            value = self._globals[key] = self._global(module, name)
        return value

    def _global(self, module: ModuleInfo, name: str) -> Value:
        if name in module.functions:
            info = module.functions[name]
            return self._decorated_global(module, Func(info), info.node)
        if name in module.classes:
            info_class = module.classes[name]
            return Class(info_class)
        if name in module.assigns:
            return self._assigned_global(module, name)
        if name in module.imports:
            return self.dotted_value(module.imports[name])
        if name in _BUILTINS:
            return Module(f"builtins.{name}")
        for star in module.stars:
            found = self.project.resolve(f"{star}.{name}")
            if found is not None:
                return self._target_value(found, f"{star}.{name}")
        return UNKNOWN

    def _decorated_global(self, module: ModuleInfo, value: Func, node: ast.AST) -> Value:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not node.decorator_list:
            return value
        return self.decorated(self.module_frame(module), value, node)

    def module_frame(self, module: ModuleInfo) -> Frame:
        """A frame that evaluates module-level code without recording anything."""
        frame = Frame(self, None, module, {})
        frame.muted = 1
        return frame

    def _assigned_global(self, module: ModuleInfo, name: str) -> Value:
        from compile_lint.inference.expressions import evaluate

        frame = self.module_frame(module)
        frame.stores = {}  # parameters and modules made while a file loads break nothing
        values = [evaluate(frame, node) for node in module.assigns[name][-4:]]
        if name in module.imports:
            values.append(self.dotted_value(module.imports[name]))
        value = join_all(values)
        if isinstance(value, Tensor):
            return value.replaced(made="input")
        return value

    def dotted_value(self, dotted: str) -> Value:
        """What a dotted name stands for: a class or function of the linted tree, or something outside it."""
        if dotted in _CONSTANTS:
            return _CONSTANTS[dotted]
        target = self.project.resolve(dotted)
        return self._target_value(target, dotted)

    def _target_value(
        self, target: ModuleInfo | ClassInfo | FunctionInfo | tuple[ModuleInfo, str] | None, dotted: str
    ) -> Value:
        if isinstance(target, ClassInfo):
            return Class(target)
        if isinstance(target, FunctionInfo):
            if target.owner is None:
                return self.global_value(target.module, target.name)
            return Func(target)
        if isinstance(target, tuple):
            return self.global_value(*target)
        return Module(self.project.outside(dotted) if self.project.owns(dotted) else dotted)

    def module_member(self, base: Module, name: str) -> Value:
        """`module.name`, where the module is outside the linted tree or one of its packages."""
        dotted = f"{base.name}.{name}"
        if dotted in _CONSTANTS:
            return _CONSTANTS[dotted]
        top = base.name.partition(".")[0]
        if top == "torch" and not self.project.owns("torch"):
            return Module(dotted)
        return self.dotted_value(dotted)

    def class_named(self, module: ModuleInfo, dotted: str) -> ClassInfo | None:
        """The class of the linted tree that a dotted name in a module means."""
        found = module.classes.get(dotted) or self.project.resolve(dotted)
        return found if isinstance(found, ClassInfo) else None

    def declared(self, module: ModuleInfo) -> Declared:
        """The custom operators that a file declares."""
        return of_module(self.project, module)

    def operator(self, module: ModuleInfo, name: str) -> Operator | None:
        """A custom operator by its qualified name, as a file that calls it sees it; remembered."""
        key = (module.path, name)
        if key not in self._operators:
            self._operators[key] = joined(self.project, module, self.declaring(), name)
        return self._operators[key]

    def declaring(self) -> Declaring:
        """The files that declare custom operators, found once for all."""
        return self.project.shared("declaring", lambda: Declaring.in_project(self.project))

    def _mentions(self, namespace: str) -> set[str]:
        """The paths of linted files that declare or register something in the namespace; remembered for all files."""
        find = super()._mentions
        return self.project.shared(("mentions", namespace), lambda: find(namespace))

    # assignments to module-level names

    def global_assigned(self, frame: Frame, node: ast.AST, value: Value, counted: bool = False) -> None:
        """A function of the region assigns a module-level name: its next call sees another guard."""
        if isinstance(value, (Tensor,)):
            return
        if counted or isinstance(value, (Py, Unknown)):
            frame.emit("global-changed", node, LIKELY if not counted else 3, subject=node, splits=False)

    def compiled(self, frame: Frame, node: ast.AST, model: Value, args: Arguments) -> None:
        """A `torch.compile(model)` call was evaluated."""
        self.found_compiled.append(model)

    def values_compiled(self, module: ModuleInfo, calls: list[tuple[FunctionInfo | None, ast.Call]]) -> list[Value]:
        """What the `torch.compile` calls of a file are given, as far as its own code tells."""
        from compile_lint.inference.expressions import evaluate
        from compile_lint.inference.statements import run_block

        found: list[Value] = []
        self.found_compiled = found
        for function, call in calls:
            if function is None:
                frame = self.module_frame(module)
                value = evaluate(frame, call.args[0] if call.args else _receiver(call))
                found.append(value)
            elif isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                func = Func(function)
                frame = Frame(self, function, module, entry_values(self, func, False))
                frame.muted = 1
                run_block(frame, function.node.body)
        return found

    def nested_function(self, outer: FunctionInfo, name: str) -> Func | None:
        """A function defined inside another, with the variables it closes over as the outer function leaves them."""
        from compile_lint.inference.statements import run_block

        func = Func(outer)
        frame = Frame(self, outer, outer.module, entry_values(self, func, False))
        frame.muted = 1
        frame.stores = {}
        body = outer.node.body
        run_block(frame, body if isinstance(body, list) else [])
        value = frame.env.get(name)
        return value if isinstance(value, Func) else None

    def join_values(self, a: Value, b: Value) -> Value:
        """The join of two values."""
        return join(a, b)


def _receiver(call: ast.Call) -> ast.expr:
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func


_BUILTINS = frozenset(dir(builtins))
_PLAIN_DECORATORS = frozenset(("staticmethod", "classmethod", "property", "abc.abstractmethod", "typing.overload"))
_CONSTANTS: dict[str, Value] = {
    "typing.TYPE_CHECKING": Const(False),
    "math.pi": Const(3.141592653589793),
    "math.inf": Py("float"),
    "torch.inf": Py("float"),
    "torch.nan": Py("float"),
    "numpy.inf": Py("float"),
    "numpy.pi": Py("float"),
    "torch.__version__": Py("str"),
    "sys.version_info": Py("tuple"),
    "sys.platform": Py("str"),
}
