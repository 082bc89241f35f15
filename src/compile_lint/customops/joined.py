"""The custom operators of a whole tree: a schema, its kernels and its fake kernel may stand in files of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from compile_lint.customops.declared import Declared, Operator
from compile_lint.project.modules import FunctionInfo
from compile_lint.project.project import Project


def operators_of(project: Project, declared: Iterable[tuple[str, Declared]]) -> dict[str, Operator]:
    """Every operator by its qualified name, but for those that several files define: each of these speaks for itself.

    Args:
        project: tells what an imported name stands for.
        declared: path and declarations of each file.
    """
    found: dict[str, Operator] = {}
    by_path = dict(declared)
    defined = Counter(n for d in by_path.values() for n, o in d.operators.items() if o.custom or o.schema)
    for path in sorted(by_path):
        for name, operator in by_path[path].operators.items():
            if defined[name] <= 1:
                _add(found, name, operator)
    for path in sorted(by_path):
        for dotted, fake in by_path[path].fakes_of_imported:
            function = project.resolve(dotted)
            if isinstance(function, FunctionInfo) and function.module.path in by_path:
                name = by_path[function.module.path].functions.get(function.name, "")
                if name in found:
                    found[name].fakes.append(fake)
    return found


def _add(found: dict[str, Operator], name: str, part: Operator) -> None:
    """Join what one file says of an operator with what others said; the parts of the files stay as they are."""
    whole = found.setdefault(name, Operator(name, False))
    whole.custom = whole.custom or part.custom
    whole.schema = whole.schema or part.schema
    whole.function = whole.function or part.function
    whole.mutates = part.mutates if whole.mutates is None else whole.mutates
    whole.kernels.update(part.kernels)
    whole.fakes.extend(part.fakes)
