"""Finds what will break, recompile or go wrong under torch.compile, before anything runs.

`compile_lint.confirm(fn_or_module, *args)` runs something under TorchDynamo and says what happened;
`compile_lint.assert_compiles(fn_or_module, *args)` is the same as an assertion. Importing this package imports no
torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Confirmation", "__version__", "assert_compiles", "confirm"]

if TYPE_CHECKING:
    from compile_lint.confirm.api import assert_compiles as assert_compiles
    from compile_lint.confirm.api import confirm as confirm
    from compile_lint.confirm.join.model import Confirmation as Confirmation

_LATE = {"assert_compiles": "compile_lint.confirm.api", "Confirmation": "compile_lint.confirm.join.model"}


def __getattr__(name: str) -> Any:
    """What needs more than the linter is imported when it is asked for."""
    if name == "confirm":
        return import_module("compile_lint.confirm")  # a package that can be called
    if name in _LATE:
        return getattr(import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
