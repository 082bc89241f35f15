"""Loads a target: imports it and says how instances of it are made."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compile_lint.confirm.load.errors import LoadError
from compile_lint.confirm.load.find import check_file, find, package
from compile_lint.confirm.target import Target
from compile_lint.confirm.targets.names import Reference, reference

if TYPE_CHECKING:
    from compile_lint.confirm.observe.subject import Subject

OLDEST = (2, 6)
"""The oldest torch whose TorchDynamo is observed."""
_EXTRA = "pip install 'compile-lint[confirm]'"


def check_files(target: Target) -> None:
    """See that the files that a target names are there; needs no torch.

    Raises:
        LoadError: one is not.
    """
    for found in (_reference(target.target), _reference(target.inputs)):
        if found is not None:
            check_file(found)


def check_torch() -> str:
    """The version of torch, imported.

    Raises:
        LoadError: (unsupported) there is none, it cannot be imported, or it is too old.
    """
    try:
        import torch
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "torch":
            words = "torch is not installed"
        else:
            words = f"torch cannot be imported ({type(error).__name__}: {error})"
        raise LoadError("unsupported", f"{words}; confirm needs torch {_text(OLDEST)} or newer: {_EXTRA}") from error
    version = str(torch.__version__)
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        words = f"torch {version} is too old; confirm needs torch {_text(OLDEST)} or newer: {_EXTRA}"
        raise LoadError("unsupported", words)
    return version


def load(target: Target) -> Subject:
    """The target, ready to be observed; instances are made by `Subject.fresh`, which raises LoadError too.

    Raises:
        LoadError: it does not exist, its code raised, or this machine cannot run it.
    """
    check_files(target)
    check_torch()
    from compile_lint.confirm.load import place
    from compile_lint.confirm.load.make import Maker
    from compile_lint.confirm.observe.state import seed
    from compile_lint.confirm.observe.subject import Subject

    device = place.device(target)
    place.check_settings(target)
    seed(target.seed)
    named = _reference(target.target)
    assert named is not None, "every target has a reference"
    value = find(named, target.root)
    of_inputs = _reference(target.inputs)
    inputs = None if of_inputs is None else find(of_inputs, target.root)
    maker = Maker(target, value, inputs, device)
    file = named.file or _module_file(named.module, value)
    return Subject(
        name=target.name,
        make=maker,
        project=place.project(target, file, _top(file) if file else ""),
        device=place.device_text(device),
    )


def _reference(text: str) -> Reference | None:
    return reference(text, Path.cwd(), "TARGET") if text else None


def _module_file(name: str, value: Any) -> str:
    """The file of the module that a target names; that of the value where the module only passes it on."""
    module = sys.modules.get(name)
    path = getattr(module, "__file__", None) or getattr(inspect.getmodule(value), "__file__", None)
    return os.path.abspath(path) if path else ""


def _top(file: str) -> str:
    """The folder of the outermost package that a file lies in; empty for a file in none."""
    above, name = package(file)
    return os.path.join(above, name.partition(".")[0]) if name else ""


def _text(version: tuple[int, int]) -> str:
    return "{}.{}".format(*version)
