"""What makes later calls compile again: Python values of arguments, attributes and globals that the code depends on.

What a caller passes cannot be seen from the callee, so these are likely where someone named the function as compiled
and only possible for every other forward.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference.iteration import items_of
from compile_lint.inference.usage import STACKS
from compile_lint.inference.values import (
    LIKELY,
    POSSIBLE,
    Const,
    External,
    Instance,
    Map,
    Py,
    Seq,
    Sym,
    Tensor,
    Unknown,
    Value,
    options,
    python_type,
)
from compile_lint.project.modules import ClassInfo, ModuleInfo, all_nodes, all_statements

if TYPE_CHECKING:
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.engine import Engine
    from compile_lint.inference.frame import Frame


class ArgumentChanges:
    """The part of the engine that watches for guards that change between calls."""

    explicit: bool
    entry: str

    @property
    def catching(self) -> list[list[str]]:
        """The exception names caught by the functions being walked, innermost last."""
        return self._catching

    _catching: list[list[str]] = []  # noqa: RUF012 - replaced by the engine

    @property
    def _named(self) -> int:
        return LIKELY if self.explicit else POSSIBLE

    def _changes(self, frame: Frame, event: str, node: ast.AST, name: str) -> None:
        frame.emit(event, node, self._named, subject=name or node, splits=False)

    def argument_counted(self, frame: Frame, node: ast.AST, value: Value) -> None:
        """`range(argument)`."""
        self._changes(frame, "argument-range", node, getattr(value, "argument", ""))

    def argument_indexed(self, frame: Frame, node: ast.AST, base: Unknown, index: Value) -> None:
        """`argument[key]`: a value of the argument is read; which one it is cannot be told."""

    def tensor_indexed(self, frame: Frame, node: ast.AST, index: Value) -> None:
        """`x[argument]`: a Python int or a 0-d tensor is another guard with each value."""
        if isinstance(index, Unknown) and index.argument and not index.number:
            self._changes(frame, "index-input", node, index.argument)

    def global_read(self, frame: Frame, node: ast.Name, value: Value) -> None:
        """A module-level name that another function of the file changes."""
        if frame.muted or node.id not in frame.module.assigns or node.id in frame.globals:
            return
        how, by = changed_globals(frame.module).get(node.id, ("", frozenset[str]()))
        if not how or by == {frame.info.name if frame.info else ""}:
            return
        if (how == "grown" and isinstance(value, Seq)) or (how == "assigned" and python_type(value) in ("int", "str")):
            frame.emit("global-changed", node, LIKELY, subject=node, splits=False)

    def index_used(self, frame: Frame, node: ast.AST, base: Value, index: Value) -> None:
        """`self.layers[argument]`: another layer is another guard."""
        if isinstance(index, (Unknown, Py)) and index.argument and python_type(index) in ("int", ""):
            if (isinstance(base, Seq) and base.type == "ModuleList") or isinstance(base, External):
                self._changes(frame, "argument-range", node, index.argument)

    def argument_measured(self, frame: Frame, node: ast.AST, value: Unknown) -> None:
        """`len(argument)` where nothing says that it is a tensor."""
        self._changes(frame, "argument-container", node, value.argument)

    def argument_iterated(self, frame: Frame, node: ast.AST, value: Unknown | Map) -> None:
        """`argument.items()`."""
        self._changes(frame, "argument-container", node, value.argument)

    def argument_stacked(self, frame: Frame, node: ast.AST, name: str, args: Arguments) -> None:
        """`torch.stack(argument)`: the number of tensors is a guard."""
        if name not in STACKS:
            return
        value = args.get(0, "tensors")
        if isinstance(value, (Unknown, Seq)) and value.argument:
            self._changes(frame, "argument-container", node, value.argument)

    def argument_compared(self, frame: Frame, node: ast.AST, value: Py) -> None:
        """`argument == "mode"`: every other string is another guard."""
        self._changes(frame, "argument-string", node, value.argument)

    def argument_called(self, frame: Frame, node: ast.AST, value: Unknown) -> None:
        """`argument(...)`: every other function or module is another guard."""
        self._changes(frame, "argument-function", node, value.argument)

    def dtype_argument(self, frame: Frame, node: ast.AST, args: Arguments) -> None:
        """`x.to(argument)` with an argument that nothing says is a tensor."""
        for value in args.positional[:1]:
            if isinstance(value, (Unknown, Py)) and value.argument and python_type(value) in ("", "dtype", "device"):
                self._changes(frame, "argument-dtype", node, value.argument)

    def shape_used(self, frame: Frame, node: ast.AST, subject: ast.AST, how: str, value: Value | None = None) -> None:
        """A size decides how much is traced: as a loop count, in a string, as a key."""
        if how == "iteration over a tensor" and not (isinstance(value, Tensor) and value.argument):
            return
        self._changes(frame, "shape-specialised", node, frame.module.source(subject))

    def attribute_read(self, frame: Frame, node: ast.AST, base: Instance, name: str, value: Value) -> None:
        """An attribute that other code of the file changes on the object between calls."""
        if frame.muted or frame.stores is not None:
            return
        if self._set_from_outside(frame, base.info, name, value):
            frame.emit("attribute-changed", node, LIKELY, subject=node, splits=False)
        elif (
            self.explicit and self._differs_by_instance(base.info, name) and python_type(value) in ("int", "number", "")
        ):
            frame.emit("instance-attribute", node, self._named, subject=node, splits=False)

    def _set_from_outside(self, frame: Frame, info: ClassInfo, name: str, value: Value) -> bool:
        outside = _outside_assignments(info.module).get(name)
        if outside is None or isinstance(value, (Tensor, Map)) or python_type(value) in ("float", "bool"):
            return False
        engine: Engine = self  # type: ignore[assignment]
        from compile_lint.inference.expressions import evaluate

        assigned = [evaluate(engine.module_frame(info.module), node) for node in outside]
        return any(not isinstance(a, (Const, Tensor, Instance)) and _guards(a, value) for a in assigned)

    def _differs_by_instance(self, info: ClassInfo, name: str) -> bool:
        init = info.methods.get("__init__")
        if init is None or isinstance(init.node, ast.Lambda):
            return False
        parameters = [a.arg for a in init.node.args.args[1:]]
        stored = {
            t.attr: n.value.id
            for n in init.node.body
            if isinstance(n, ast.Assign) and isinstance(n.value, ast.Name)
            for t in n.targets
            if isinstance(t, ast.Attribute)
        }
        return name in stored and stored[name] in _varied(info.module, info.name, parameters)


def _made_in_comprehensions(module: ModuleInfo) -> list[tuple[ast.Call, frozenset[str]]]:
    """The calls that a file's list comprehensions make, with their loop variables."""
    return module.once("made", lambda: _find_made(module))


def _find_made(module: ModuleInfo) -> list[tuple[ast.Call, frozenset[str]]]:
    return [
        (node.elt, frozenset(g.target.id for g in node.generators if isinstance(g.target, ast.Name)))
        for statement in module.tree.body
        # blocks that another module holds are part of its graph
        if not isinstance(statement, ast.ClassDef)
        for node in all_nodes(statement)
        if isinstance(node, ast.ListComp) and isinstance(node.elt, ast.Call)
    ]


def _varied(module: ModuleInfo, name: str, parameters: list[str]) -> set[str]:
    """The constructor's parameters that a comprehension gives its loop variable: `[Block(i) for i in range(4)]`."""
    found: set[str] = set()
    for call, targets in _made_in_comprehensions(module):
        if not (isinstance(call.func, ast.Name) and call.func.id == name):
            continue
        given = [*zip(parameters, call.args, strict=False), *((k.arg, k.value) for k in call.keywords)]
        found.update(p for p, v in given if p and any(isinstance(n, ast.Name) and n.id in targets for n in ast.walk(v)))
    return found


def _guards(assigned: Value, held: Value) -> bool:
    """Whether assigning such a value over such a one changes a guard each time."""
    if any(isinstance(i, External) for i in (*options(assigned), *items_of(assigned))):
        return True
    kind = python_type(held)
    return kind in ("int", "str") and (python_type(assigned) in (kind, "number", "") or isinstance(assigned, Sym))


Changed = dict[str, tuple[str, frozenset[str]]]


def changed_globals(module: ModuleInfo) -> Changed:
    """Module-level names that functions of the file assign anew ("assigned") or add to ("grown"), and which do."""
    return module.once("changed", lambda: _find_changed(module))


def _find_changed(module: ModuleInfo) -> Changed:
    found: Changed = {}
    if "global " in module.text or ".append(" in module.text or ".extend(" in module.text:
        for function in module.functions.values():
            changes: dict[str, str] = {}
            _changes_in(function.node, set(module.assigns), changes)
            for name, how in changes.items():
                found[name] = (how, found.get(name, ("", frozenset()))[1] | {function.name})
    return found


def _changes_in(node: ast.AST, names: set[str], found: dict[str, str]) -> None:
    declared: set[str] = set()
    local: set[str] = set()
    grown: set[str] = set()
    assigned: set[str] = set()
    for child in all_nodes(node):
        if isinstance(child, ast.Global):
            declared.update(child.names)
        elif isinstance(child, ast.arg):
            local.add(child.arg)
        elif isinstance(child, (ast.Assign, ast.AugAssign)):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            constant = isinstance(child, ast.Assign) and isinstance(child.value, ast.Constant)
            for target in targets:
                if isinstance(target, ast.Name):
                    local.add(target.id)
                    assigned.update([] if constant else [target.id])
        elif isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            if child.func.attr in ("append", "extend", "add") and isinstance(child.func.value, ast.Name):
                grown.add(child.func.value.id)
    found.update(dict.fromkeys(declared & assigned & names, "assigned"))
    found.update(dict.fromkeys((grown & names) - (local - declared), "grown"))


def _outside_assignments(module: ModuleInfo) -> dict[str, list[ast.expr]]:
    """`variable.name = value` in functions of the file that are no methods, by attribute name."""
    return module.once("outside", lambda: _find_outside(module))


def _find_outside(module: ModuleInfo) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for function in module.functions.values():
        for node in all_statements(function.node):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                        found.setdefault(target.attr, []).append(node.value)
    return found
