"""A custom operator as a whole: its schema, its kernels and its fake kernel may stand in files of their own."""

from __future__ import annotations

from collections.abc import Mapping

from compile_lint.customops.declared import Declared, Operator
from compile_lint.project.modules import FunctionInfo, ModuleInfo
from compile_lint.project.project import Project


def joined(
    project: Project,
    module: ModuleInfo,
    files: Mapping[str, tuple[ModuleInfo, Declared]],
    name: str,
    everywhere: bool = False,
) -> Operator | None:
    """The operator of a qualified name as the file that calls it sees it; None where nothing declares it.

    Only files that import one another, or lie in one package, are taken to be loaded together. Of two files that
    define the same name, the caller's own counts. `everywhere`: all files are taken to be loaded together.
    """
    near = list(files) if everywhere else _loaded_with(project, module, files)
    definers = [path for path in near if _defines(files[path][1], name)]
    chosen = module.path if module.path in definers else next(iter(definers), "")
    whole = Operator(name, False)
    for path in near:
        declared = files[path][1]
        if path == chosen or path not in definers:
            add(whole, declared.operators.get(name))
        for dotted, what, keys, function in declared.of_imported:
            if _operator_named(project, files, dotted) == (chosen, name):
                whole.register(what, keys, function)
    return whole if whole.custom or whole.schema or whole.kernels or whole.fakes else None


def _loaded_with(project: Project, module: ModuleInfo, files: Mapping[str, tuple[ModuleInfo, Declared]]) -> list[str]:
    """Paths of the files with declarations that are loaded when this one is, its own first."""
    found = [module]
    left = [other for other, _ in files.values() if other.path != module.path]
    for one in found:  # grows meanwhile
        near = [other for other in left if _near(project, one, other) or _near(project, other, one)]
        found.extend(near)
        left = [other for other in left if other not in near]
    return [one.path for one in found if one.path in files]


def _near(project: Project, one: ModuleInfo, other: ModuleInfo) -> bool:
    top = one.name.partition(".")[0]
    if project.has(top) and other.name.startswith(top + "."):
        return True
    return any(name == other.name or name.startswith(other.name + ".") for name in one.imports.values())


def _defines(declared: Declared, name: str) -> bool:
    operator = declared.operators.get(name)
    return operator is not None and operator.defined


def _operator_named(project: Project, files: Mapping[str, tuple[ModuleInfo, Declared]], dotted: str) -> tuple[str, str]:
    """The file and the qualified name of the operator that an imported function is."""
    function = project.resolve(dotted)
    if not isinstance(function, FunctionInfo) or function.module.path not in files:
        return "", ""
    path = function.module.path
    return path, files[path][1].functions.get(function.name, "")


def add(whole: Operator, part: Operator | None) -> None:
    """Join what one file says with what others said; the parts of the files stay as they are."""
    if part is None:
        return
    whole.line = part.line if part.defined or not whole.line else whole.line
    whole.custom = whole.custom or part.custom
    whole.schema = whole.schema or part.schema
    whole.function = whole.function or part.function
    whole.mutates = part.mutates if whole.mutates is None else whole.mutates
    whole.kernels.update(part.kernels)
    whole.fakes.extend(part.fakes)
    whole.devices += part.devices
    whole.autograd = whole.autograd or part.autograd
    whole.vmap = whole.vmap or part.vmap
    whole.variants += part.variants
    whole.helpers = {**part.helpers, **whole.helpers}
    whole.traced = whole.traced or part.traced
