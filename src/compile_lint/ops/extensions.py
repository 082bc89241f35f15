"""Compiled extension modules that a project builds: in setup.py, in pyproject.toml, or when it runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from compile_lint.customops.texts import named_texts, text_of
from compile_lint.project.modules import ModuleInfo, all_nodes

MARKS = ("Extension(", "cpp_extension", "Extension as ", "Extension if ", "Extension\n")
_MAKERS = ("CUDAExtension", "CppExtension", "SyclExtension", "HIPExtension", "Pybind11Extension", "Extension")
_LOADERS = ("torch.utils.cpp_extension.load", "torch.utils.cpp_extension.load_inline")


@dataclass(frozen=True, slots=True)
class Extension:
    """One extension module."""

    name: str
    """Dotted, as Python imports it."""
    path: str
    line: int
    """Of the module, where a notebook's cells make one."""
    sources: tuple[str, ...] = ()
    """As the build names them; those that are made at run time are left out."""
    functions: tuple[str, ...] = ()
    """What load_inline is told to bind."""
    variable: str = ""
    """The local name of one that is built when the file runs."""


def extensions_in(module: ModuleInfo) -> Iterator[Extension]:
    """The extension modules that a file builds; one whose name is made at run time is left out."""
    nodes = list(all_nodes(module.tree))
    texts = named_texts(nodes)
    makers = {*_MAKERS, *_makers(nodes)}
    bound = {id(value): name for name, value in _bound(nodes)}
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        dotted = module.dotted(node.func)
        loads = dotted in _LOADERS
        if not loads and dotted.rpartition(".")[2] not in makers:
            continue
        name = text_of(_argument(node, 0, "name"), texts)
        if name:
            sources = _strings(_argument(node, 1, "sources"), texts) if not dotted.endswith("load_inline") else ()
            functions = _strings(_argument(node, 3, "functions"), texts) if dotted.endswith("load_inline") else ()
            yield Extension(
                name, module.path, node.lineno, sources, functions, bound.get(id(node), "") if loads else ""
            )


def extensions_of_pyproject(text: str, path: str) -> Iterator[Extension]:
    """The extension modules that a pyproject.toml names for setuptools or maturin. Text that is no TOML names none."""
    try:
        tool = tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    tool = tool if isinstance(tool, dict) else {}
    setuptools, maturin = tool.get("setuptools", {}), tool.get("maturin", {})
    modules = setuptools.get("ext-modules", []) if isinstance(setuptools, dict) else []
    for one in modules if isinstance(modules, list) else []:
        if isinstance(one, dict) and isinstance(one.get("name"), str):
            sources = tuple(part for part in one.get("sources", ()) if isinstance(part, str))
            yield Extension(one["name"], path, _line_of(text, one["name"]), sources)
    name = maturin.get("module-name") if isinstance(maturin, dict) else None
    if isinstance(name, str):
        yield Extension(name, path, _line_of(text, name))


def _line_of(text: str, name: str) -> int:
    at = max(text.find(f'"{name}"'), text.find(f"'{name}'"), 0)
    return text.count("\n", 0, at) + 1


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    found = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    return found if found is not None else call.args[place] if len(call.args) > place else None


def _bound(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value


def _makers(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Names for what makes an extension: `extension = CUDAExtension if use_cuda else CppExtension`."""
    for name, value in _bound(nodes):
        parts = (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,)
        names = [part.id if isinstance(part, ast.Name) else getattr(part, "attr", "") for part in parts]
        if any(part in _MAKERS for part in names):
            yield name


def _strings(node: ast.expr | None, texts: dict[str, str]) -> tuple[str, ...]:
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(text for text in (text_of(part, texts) for part in node.elts) if text)
    if isinstance(node, ast.Dict):
        return tuple(text for text in (text_of(part, texts) for part in node.keys) if text)
    text = text_of(node, texts)
    return (text,) if text else ()
