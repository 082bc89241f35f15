"""Imports what a target names. Only the user's own code can bring torch in here."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import pkgutil
import sys
from types import ModuleType
from typing import Any

from compile_lint.config.nearest import hint
from compile_lint.confirm.load.errors import user_error, users_code
from compile_lint.confirm.targets.candidates import candidates
from compile_lint.confirm.targets.names import Reference


def check_file(reference: Reference) -> None:
    """See that the file of a reference is there, before anything is imported.

    Raises:
        LoadError: it is not; the nearest name in its folder is suggested.
    """
    if not reference.file or os.path.isfile(reference.file):
        return
    folder, name = os.path.split(reference.file)
    if os.path.isdir(reference.file):
        raise user_error(f"{reference.file}: is a folder, not a file")
    if not os.path.isdir(folder):
        raise user_error(f"{reference.file}: no such file; there is no folder {folder}")
    others = [other for other in os.listdir(folder) if other.endswith(".py")]
    raise user_error(f"{reference.file}: no such file{hint(name, others)}")


def find(reference: Reference, root: str) -> Any:
    """What the reference names, imported; `root` is the folder that modules are found from.

    Raises:
        LoadError: the file or the name does not exist (the nearest is suggested), or the code raised.
    """
    _search_from(root)
    module = _from_file(reference.file) if reference.file else _module(reference.module, root)
    return named(module, reference)


def named(module: ModuleType, reference: Reference) -> Any:
    """The value of a dotted name in a module.

    Raises:
        LoadError: there is none.
    """
    value: Any = module
    path = reference.name.split(".")
    for number, part in enumerate(path):
        owner = value
        with users_code(f"looking up {reference.name}"):
            value = inspect.getattr_static(owner, part, _MISSING)
            if value is not _MISSING or hasattr(owner, part):
                value = getattr(owner, part)
        if value is _MISSING:
            where = ".".join(path[:number]) or os.path.basename(reference.file) or reference.module
            raise user_error(f"{where} defines no {part!r}{hint(part, _names(owner, reference))}")
        if number and isinstance(owner, type) and inspect.isfunction(value) and not _static(owner, part):
            whole = ":".join((reference.file or reference.module, ".".join(path[:number])))
            raise user_error(f"{reference.name} is a method that needs an instance; name the class: {whole}")
    return value


_MISSING = object()


def _static(owner: type, part: str) -> bool:
    return isinstance(inspect.getattr_static(owner, part), staticmethod)


def _names(owner: Any, reference: Reference) -> list[str]:
    """Names that may have been meant: what the file itself defines, or else all that is there."""
    own = candidates_of(reference) if isinstance(owner, ModuleType) else ()
    return list(own) or [name for name in dir(owner) if not name.startswith("_")]


def candidates_of(reference: Reference) -> tuple[str, ...]:
    """What the file of a reference defines."""
    from pathlib import Path

    return candidates(Path(reference.file)) if reference.file else ()


def _search_from(folder: str) -> None:
    """Let modules be found in the folder, and in its `src` where there is one."""
    for path in (os.path.join(folder, "src"), folder):
        if folder and os.path.isdir(path) and path not in sys.path:
            sys.path.insert(0, path)


def _from_file(path: str) -> ModuleType:
    """The module of a file: under its real name where it lies in a package, else under that of the file."""
    folder, name = package(path)
    if folder in sys.path:
        sys.path.remove(folder)
    sys.path.insert(0, folder)
    with users_code(f"importing {os.path.basename(path)}"):
        if name:
            module = importlib.import_module(name)
            if os.path.realpath(getattr(module, "__file__", None) or "") == os.path.realpath(path):
                return module
        return _executed(path)


def package(path: str) -> tuple[str, str]:
    """The folder above the outermost package that a file lies in, and its dotted name; empty for a file in none."""
    folder, name = os.path.split(path)
    parts = [] if name == "__init__.py" else [name.removesuffix(".py")]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    in_package = len(parts) > 1 or path.endswith("__init__.py")
    return folder, ".".join(parts) if in_package and all(part.isidentifier() for part in parts) else ""


def _executed(path: str) -> ModuleType:
    """The file run as a module of its own, in the way a script finds what lies beside it."""
    stem = os.path.basename(path).removesuffix(".py")
    # A file that is called like a module of another (types.py, torch.py) must not take its place.
    taken = stem in sys.modules or stem in sys.stdlib_module_names or not stem.isidentifier()
    name = f"_target_{stem}" if taken else stem
    loader = importlib.machinery.SourceFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None, "a spec is made of any path where the loader is given"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def _module(name: str, root: str) -> ModuleType:
    with users_code(f"importing {name}"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            missing = error.name or ""
            if missing != name and not name.startswith(missing + "."):
                raise  # the module is there, and what it imports is not
    parent, _, last = missing.rpartition(".")
    paths = list(getattr(sys.modules.get(parent), "__path__", ())) if parent else [os.path.join(root, "src"), root]
    others = [each.name for each in pkgutil.iter_modules(paths)]
    raise user_error(f"there is no module {missing!r}{hint(last, others)}")
