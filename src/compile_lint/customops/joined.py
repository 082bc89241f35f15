"""A custom operator as a whole: its schema, its kernels and its fake kernel may stand in files of their own."""

from __future__ import annotations

from compile_lint.customops.declared import Operator
from compile_lint.customops.declaring import Declaring, of_module
from compile_lint.project.modules import ModuleInfo
from compile_lint.project.project import Project


def joined(
    project: Project, module: ModuleInfo, files: Declaring, name: str, everywhere: bool = False
) -> Operator | None:
    """The operator of a qualified name as the file that calls it sees it; None where nothing declares it.

    Only files that import one another, or lie in one package, are taken to be loaded together. Of two files that
    define the same name, the caller's own counts. `everywhere`: all files are taken to be loaded together.
    """
    key = ("declaring-loaded-with", module.path)
    near = list(files.parts) if everywhere else project.shared(key, lambda: files.loaded_with(project, module))
    definers = {path: None for path in near if name in files.parts[path].defined}
    chosen = module.path if module.path in definers else next(iter(definers), "")
    registering = files.registering(project, chosen, name)
    whole = Operator(name, False)
    for path in near:
        own = name in files.parts[path].operators and (path == chosen or path not in definers)
        found = project.module_at(path) if own or path in registering else None
        if found is None:
            continue
        declared = of_module(project, found)
        if own:
            add(whole, declared.operators.get(name))
        for dotted, what, keys, function in declared.of_imported:
            if path in registering and files.operator_named(project, dotted) == (chosen, name):
                whole.register(what, keys, function)
    return whole if whole.defined or whole.kernels or whole.fakes else None


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
    whole.inferred = whole.inferred or part.inferred
    whole.traced = whole.traced or part.traced
