"""Where compile regions begin: the functions that a compiled call starts in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from compile_lint.project.modules import ClassInfo, FunctionInfo, ModuleInfo, all_nodes, function_info
from compile_lint.project.project import Project

COMPILERS = frozenset(("torch.compile", "torch._dynamo.optimize"))
DISABLERS = frozenset(
    (
        "torch.compiler.disable",
        "torch._dynamo.disable",
        "torch._disable_dynamo",
        "torch.jit.script",
        "torch.jit.ignore",
        "torch.jit.unused",
        "torch.library.custom_op",
        "torch.library.register_fake",
        "torch.library.triton_op",
        "triton.jit",
    )
)


_FUNCTION = ("torch.autograd.Function", "torch.autograd.function.Function")
"""Nobody compiles a method of one by itself: `apply` calls them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `explicit`: someone said that it is compiled; `receiver`: the class it is called on."""

    info: FunctionInfo
    name: str
    explicit: bool
    receiver: ClassInfo | None = None
    outer: FunctionInfo | None = None
    """The function that defines it, for a nested one."""

    @property
    def known(self) -> bool:
        """Whether it is compiled for all that can be told: someone named it, or it is the forward of a module."""
        return self.explicit or self.info.name == "forward"


def entries_of(project: Project, module: ModuleInfo, patterns: tuple[str, ...]) -> list[Entry]:
    """The entries of a file: what the patterns name, or by default what is compiled and every module's forward."""
    found = list(_matching(module, patterns) if patterns else _default(project, module))
    return [e for e in found if not any(d in DISABLERS or d.endswith(".register_fake") for d in e.info.decorators)]


def _default(project: Project, module: ModuleInfo) -> Iterator[Entry]:
    for info in module.classes.values():
        for method in info.methods.values():
            if (method.name != "forward" or not project.is_nn_module(info)) and _is_compiled(method):
                yield Entry(method, method.qualname, True, info)
        if not project.is_nn_module(info):
            continue
        if "forward" in info.methods:
            yield Entry(
                info.methods["forward"], f"{info.qualname}.forward", _is_compiled(info.methods["forward"]), info
            )
        elif any(not name.startswith("_") for name in info.methods):
            inherited = _inherited_forward(project, info)
            if inherited is not None:
                yield Entry(inherited, f"{info.qualname}.forward", False, info)
    for function in module.functions.values():
        if _is_compiled(function):
            yield Entry(function, function.qualname, True)
        yield from _nested_compiled(function)


def _nested_compiled(function: FunctionInfo) -> Iterator[Entry]:
    """Functions that are defined and compiled inside another."""
    if isinstance(function.node, ast.Lambda) or "compile" not in function.module.text:
        return
    for node in function.node.body:
        if isinstance(node, ast.FunctionDef):
            qualname = f"{function.qualname}.{node.name}"
            info = function_info(function.module, node, qualname)
            if _is_compiled(info):
                yield Entry(info, qualname, True, None, function)


def _inherited_forward(project: Project, info: ClassInfo) -> FunctionInfo | None:
    for base in project.mro(info)[1:]:
        if isinstance(base, ClassInfo) and "forward" in base.methods:
            return base.methods["forward"]
    return None


def _is_compiled(info: FunctionInfo) -> bool:
    if isinstance(info.node, ast.Lambda):
        return False
    if any(d in COMPILERS for d in info.decorators):
        return True
    for decorator in info.node.decorator_list:  # @functools.partial(torch.compile, ...)
        if isinstance(decorator, ast.Call) and decorator.args and "partial" in info.module.dotted(decorator.func):
            if info.module.dotted(decorator.args[0]) in COMPILERS:
                return True
    return False


def _matching(module: ModuleInfo, patterns: tuple[str, ...]) -> Iterator[Entry]:
    for function in module.functions.values():
        yield from _if_matching(function, None, patterns)
        yield from _nested(function, patterns)
    for info in module.classes.values():
        if any(base in ("type", "abc.ABCMeta", "enum.EnumMeta") for base in info.bases):
            continue  # what a metaclass does runs where classes are made
        named = patterns if not any(base in _FUNCTION for base in info.bases) else _without_wildcards(patterns)
        for method in info.methods.values():
            yield from _if_matching(method, info, named)


def _without_wildcards(patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(pattern for pattern in patterns if not any(sign in pattern for sign in "*?["))


def _if_matching(function: FunctionInfo, owner: ClassInfo | None, patterns: tuple[str, ...]) -> Iterator[Entry]:
    for pattern in patterns:
        if _matches(function.qualname, pattern):
            yield Entry(function, function.qualname, names(pattern), owner)
            return


def _matches(qualname: str, pattern: str) -> bool:
    """A pattern with wildcards for a last part leaves out special methods: nobody compiles `__repr__`."""
    last = qualname.rpartition(".")[2]
    if last.startswith("__") and not names(pattern):
        return last == "__call__"
    return fnmatchcase(qualname, pattern)


def names(pattern: str) -> bool:
    """Whether a pattern names the function rather than taking all of them."""
    return bool(pattern.rpartition(".")[2].strip("*?"))


def _nested(function: FunctionInfo, patterns: tuple[str, ...]) -> Iterator[Entry]:
    """Functions defined in a function: named by their own name, or by `outer.inner`."""
    if isinstance(function.node, ast.Lambda):
        return
    for node in function.node.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for pattern in patterns:
            qualname = f"{function.qualname}.{node.name}"
            if names(pattern) and (fnmatchcase(node.name, pattern) or fnmatchcase(qualname, pattern)):
                info = function_info(function.module, node, qualname)
                yield Entry(info, qualname, True, None, function)
                break


def compile_calls(module: ModuleInfo) -> list[tuple[FunctionInfo | None, ast.Call]]:
    """Every `torch.compile(x)` and `x.compile()` of a file, with the module-level function or method it stands in."""
    if "torch.compile" not in module.text and ".compile(" not in module.text:
        return []
    found: list[tuple[FunctionInfo | None, ast.Call]] = []
    inside: set[int] = set()
    functions = [*module.functions.values(), *(m for c in module.classes.values() for m in c.methods.values())]
    for function in functions:
        for node in all_nodes(function.node):
            if isinstance(node, ast.Call) and _compiles(module, node):
                inside.add(id(node))
                found.append((function, node))
    for statement in module.tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for node in all_nodes(statement):
            if isinstance(node, ast.Call) and id(node) not in inside and _compiles(module, node):
                found.append((None, node))
    return found


def _compiles(module: ModuleInfo, node: ast.Call) -> bool:
    if module.dotted(node.func) in COMPILERS:
        return bool(node.args)
    return isinstance(node.func, ast.Attribute) and node.func.attr == "compile" and not node.args
