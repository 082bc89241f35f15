"""Whether a target calls torch.compile itself, and the context for a run without compilation."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch._dynamo.eval_frame

from compile_lint.confirm.observation import Place
from compile_lint.confirm.observe.places import Places, definition


class Eager:
    """Runs everything without compilation, and notes whether compiled functions of the project are called."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.compiles_itself = False

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """The context of one call."""
        module: Any = torch._dynamo.eval_frame
        asked = getattr(module, "_callback_from_stance", None)
        with contextlib.ExitStack() as undo:
            if asked is not None:  # what each compiled function asks when it is called
                undo.callback(setattr, module, "_callback_from_stance", asked)
                module._callback_from_stance = self._noting(asked)
            undo.enter_context(torch.compiler.set_stance("force_eager"))
            yield

    def _noting(self, asked: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def ask(callback: Any) -> Any:
            if callback not in (None, False):
                function = sys._getframe(1).f_locals.get("fn")
                self.compiles_itself = self.compiles_itself or self._in_project(function)
            return asked(callback)

        return ask

    def _in_project(self, function: Any) -> bool:
        found = entry(function)
        return found is not None and self._places.in_project(found.path)


def compiled_already(function: Any) -> bool:
    """Whether the callable, or a module within it, is the result of torch.compile."""
    modules = list(function.modules()) if isinstance(function, torch.nn.Module) else [function]
    return any(_compiled(each) for each in modules)


def _compiled(each: Any) -> bool:
    optimized = torch._dynamo.eval_frame.OptimizedModule
    return (
        isinstance(each, optimized)
        or getattr(each, "_compiled_call_impl", None) is not None
        or (not isinstance(each, torch.nn.Module) and hasattr(each, "_torchdynamo_orig_callable"))
    )


def entry(function: Any) -> Place | None:
    """The function that is compiled, `forward` of a module, at the line of its definition."""
    for _ in range(8):
        if isinstance(function, torch.nn.Module):
            function = type(getattr(function, "_orig_mod", function)).forward
        elif hasattr(function, "_torchdynamo_orig_callable"):
            function = function._torchdynamo_orig_callable
        elif isinstance(getattr(function, "__self__", None), torch.nn.Module):
            name = getattr(function, "__name__", "")
            owner = function.__self__
            function = owner if name.endswith("_call_impl") else function.__func__
        elif hasattr(function, "func"):  # functools.partial
            function = function.func
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif not hasattr(function, "__code__") and callable(function) and hasattr(type(function).__call__, "__code__"):
            function = type(function).__call__
        else:
            break
    code = getattr(function, "__code__", None)
    return definition(code.co_filename, code.co_firstlineno, code.co_name) if code is not None else None
