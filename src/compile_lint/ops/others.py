"""What a project's Python declares that torch.compile treats apart, and that is no operator of torch's dispatcher."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from compile_lint.cells import locate
from compile_lint.findings import where
from compile_lint.ops.model import Kind, Place, Row
from compile_lint.ops.verdicts import Judged
from compile_lint.project.modules import ClassInfo, ModuleInfo, all_nodes, children, decorator_names
from compile_lint.project.project import Project

MARKS = (
    "Function",
    "triton",
    "allow_in_graph",
    "disable",
    "nonstrict_trace",
    "assume_constant_result",
    "leaf_function",
    "numba",
    "cupy",
    "jax",
    "warp",
)
"""A file without one of these declares none of them."""
_FUNCTION = frozenset(("torch.autograd.Function", "torch.autograd.function.Function"))
_KERNELS = frozenset(("triton.jit", "triton.autotune", "triton.heuristics"))
_FOREIGN = ("numba.", "cupy.", "jax.", "warp.", "pycuda.")
FOREIGN: Judged = (
    "splits",
    "another compiler makes it, which TorchDynamo cannot trace; wrap it in torch.library.custom_op with a fake kernel",
)
_SPLITS = "each call ends the graph, and what it does runs in eager mode"
_OPT_OUTS: dict[str, Judged] = {
    "disable": ("splits", f"torch.compile is told to leave it alone: {_SPLITS}"),
    "allow_in_graph": (
        "risk",
        "it is put into the graph unseen: fake tensors run through it, and whatever else it does is done once",
    ),
    "nonstrict_trace": ("ready", "it is traced by running it once: Python values that it reads are baked in"),
    "assume_constant_result": ("risk", "it runs once, and its result is taken for every later call"),
    "leaf_function": ("ready", "it stands in the graph as one call"),
}
_TORCHS = ("torch.compiler.", "torch._dynamo.", "torch._disable_dynamo")


@dataclass(frozen=True, slots=True)
class Declared:
    """A row without its uses, and the lines that it spans."""

    row: Row
    names: tuple[str, ...]
    """Dotted names that calls of it are noted by."""
    path: str
    first: int
    last: int
    decided: bool = True
    """Whether its verdict stands whatever the linter finds in it."""


def declared_in(project: Project, module: ModuleInfo) -> Iterator[Declared]:
    """The autograd functions, Triton kernels and opt-outs of a file."""
    for node, qualname in _named(module.tree):
        if isinstance(node, ast.ClassDef):
            if _is_function(project, module, node, qualname):
                yield _function(module, node, qualname)
        elif isinstance(node, ast.FunctionDef):
            yield from _decorated(module, node, qualname)
    if any(f"{word}(" in module.text for word in _OPT_OUTS):
        yield from _calls(module)


def _named(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Classes and functions at any depth, with their names as the project has them: `Outer.inner`."""
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, prefix = stack.pop()
        for child in children(node):
            if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                yield child, prefix + child.name
                stack.append((child, f"{prefix}{child.name}."))
            else:
                stack.append((child, prefix))


def _is_function(project: Project, module: ModuleInfo, node: ast.ClassDef, qualname: str) -> bool:
    info = module.classes.get(qualname)
    if isinstance(info, ClassInfo):
        return any(base in _FUNCTION for base in project.mro(info) if isinstance(base, str))
    return any(module.dotted(base) in _FUNCTION for base in node.bases)


def _row(module: ModuleInfo, node: ast.AST, name: str, kind: Kind, judged: Judged, **more: object) -> Row:
    cell, line = locate(module.cells, getattr(node, "lineno", 1))
    values: dict[str, object] = {"fake": False, "autograd": False, "vmap": False, "mutates": (), **more}
    return Row(
        name=name,
        overload="",
        schema="",
        declared=Place(where(module.path, cell), line),
        kernels=(),
        fake=bool(values["fake"]),
        autograd=bool(values["autograd"]),
        vmap=bool(values["vmap"]),
        mutates=tuple(map(str, values["mutates"])) if isinstance(values["mutates"], tuple) else (),
        aliases=(),
        uses=(),
        verdict=judged[0],
        reason=judged[1],
        kind=kind,
    )


def _span(row: Row, module: ModuleInfo, node: ast.AST, decided: bool = True) -> Declared:
    first = getattr(node, "lineno", 1)
    last = getattr(node, "end_lineno", None) or first
    local = f"{module.name}.{row.name.rpartition('.')[2]}"  # what is defined in a function has no other name there
    return Declared(row, tuple(dict.fromkeys((row.name, local))), module.path, first, last, decided)


def _function(module: ModuleInfo, node: ast.ClassDef, qualname: str) -> Declared:
    """An autograd.Function."""
    methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
    judged, decided = _judged(module, methods)
    row = _row(
        module,
        node,
        f"{module.name}.{qualname}",
        "autograd-function",
        judged,
        autograd=bool({"backward", "vjp", "jvp"} & set(methods)),
        vmap="vmap" in methods or _true(node, "generate_vmap_rule"),
        mutates=_marked(methods.get("forward")) or _marked(methods.get("setup_context")),
    )
    return _span(row, module, node, decided)


def _judged(module: ModuleInfo, methods: dict[str, ast.FunctionDef]) -> tuple[Judged, bool]:
    """The verdict on an autograd.Function by its methods, and whether that is the last word. Measured on torch 2.13."""
    forward = methods.get("forward")
    for name in ("vjp", "jvp"):
        if name in methods:
            return ("splits", f"TorchDynamo does not trace a custom `{name}`; write `backward` in its place"), True
    if forward is not None and "staticmethod" not in decorator_names(module, forward.decorator_list):
        words = (
            "`apply` of it is traced through; calling an instance of it raises, for its `forward` is no staticmethod"
        )
        return ("ready", words), False
    if forward is not None and not {"backward", "jvp"} & set(methods):
        return ("ready", "it is traced through; it has no backward, and raises where gradients are asked for"), False
    return ("ready", "its forward and backward are traced through"), False


def _marked(method: ast.FunctionDef | None) -> tuple[str, ...]:
    """The arguments that are given to `ctx.mark_dirty`."""
    if method is None:
        return ()
    calls = [n for n in ast.walk(method) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    found = [a.id for n in calls if _attribute(n) == "mark_dirty" for a in n.args if isinstance(a, ast.Name)]
    return tuple(dict.fromkeys(found))


def _attribute(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _true(node: ast.ClassDef, name: str) -> bool:
    return any(
        isinstance(one, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in one.targets)
        and isinstance(one.value, ast.Constant)
        and one.value.value is True
        for one in node.body
    )


def _decorated(module: ModuleInfo, node: ast.FunctionDef, qualname: str) -> Iterator[Declared]:
    names = decorator_names(module, node.decorator_list)
    name = f"{module.name}.{qualname}"
    if any(one in _KERNELS for one in names):
        words = (
            "launches of it are captured; inside a triton_op, through wrap_triton, subclasses and autograd see it too"
        )
        yield _span(_row(module, node, name, "triton-kernel", ("ready", words)), module, node)
    if any(one.startswith(_FOREIGN) for one in names):
        yield _span(_row(module, node, name, "foreign", FOREIGN), module, node)
    for one in names:
        judged = _opt_out(one)
        if judged is not None:
            yield _span(_row(module, node, name, "opt-out", judged), module, node)
            return


def _opt_out(dotted: str) -> Judged | None:
    if not dotted.startswith(_TORCHS):
        return None
    return _OPT_OUTS["disable"] if dotted == "torch._disable_dynamo" else _OPT_OUTS.get(dotted.rpartition(".")[2])


def _calls(module: ModuleInfo) -> Iterator[Declared]:
    """`torch.compiler.allow_in_graph(f)` and its kin, called with a function."""
    for node in all_nodes(module.tree):
        if isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Constant):
            judged = _opt_out(module.dotted(node.func))
            target = module.dotted(node.args[0])
            if judged is not None and target:
                own = target in module.functions or target in module.classes
                name = f"{module.name}.{target}" if own else target
                yield _span(_row(module, node, name, "opt-out", judged), module, node)
