"""Confirmation: a model is run under TorchDynamo, and what happened is held against what the linter predicted.

The package itself can be called: `compile_lint.confirm(fn, x)` is `compile_lint.confirm.api.confirm(fn, x)`, whatever
of the package was imported before. Only `observe` and `load` import torch.
"""

from __future__ import annotations

import sys
import types
from typing import Any


class _Callable(types.ModuleType):
    """This package, as something to call."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """`compile_lint.confirm.api.confirm`."""
        from compile_lint.confirm.api import confirm

        return confirm(*args, **kwargs)

    @property
    def __signature__(self) -> Any:
        import inspect

        from compile_lint.confirm.api import confirm

        return inspect.signature(confirm)


sys.modules[__name__].__class__ = _Callable
