"""The tables and the targets in each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from compile_lint.confirm.probe import names_arrays, names_python, names_torch
from compile_lint.confirm.probe.danger import dangerous
from compile_lint.confirm.probe.overrides import CALLS, EXTRA
from compile_lint.confirm.probe.target import Target

TABLES = ("tensor", *names_torch.MODULES, "builtins", "stdlib", "numpy", "scipy")


def targets(table: str) -> Iterator[Target]:
    """The targets of one table, each name once."""
    if table in ("builtins", "stdlib"):
        source = names_python.targets(table)
    elif table in ("numpy", "scipy"):
        source = names_arrays.targets(table)
    else:
        source = names_torch.targets(table)
    extra = (Target(table, name, "missing", "python", form="expression") for name in EXTRA.get(table, ()))
    seen = set()
    for target in itertools.chain(source, extra):
        if target.name not in seen:
            seen.add(target.name)
            yield target


def split(table: str) -> tuple[list[Target], list[str]]:
    """The targets that may be run, and the names of those that may not."""
    found = list(targets(table))
    return [t for t in found if _runs(t.name)], sorted(t.name for t in found if not _runs(t.name))


def _runs(name: str) -> bool:
    """A call written by hand is safe, and an empty entry among them says that there is none."""
    return bool(CALLS[name]) if name in CALLS else not dangerous(name)
