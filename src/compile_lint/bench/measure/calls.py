"""An instance of the target as something to call: eagerly, or compiled by a real backend."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
import torch._dynamo
import torch.compiler

from compile_lint.bench.measure.context import Context
from compile_lint.confirm.load.errors import users_code
from compile_lint.confirm.load.inputs import Call
from compile_lint.confirm.load.missing import signature_of
from compile_lint.confirm.observe import state
from compile_lint.confirm.observe.itself import compiled_already
from compile_lint.confirm.observe.subject import Prepared

INDUCTOR = "inductor"
_GRAD: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "grad": torch.enable_grad,
    "no-grad": torch.no_grad,
    "inference-mode": torch.inference_mode,
}


class Calls:
    """One instance with its inputs."""

    def __init__(self, context: Context) -> None:
        """Make the instance; LoadError if it cannot be made."""
        self.context = context
        state.seed(context.target.seed)
        self.prepared: Prepared = context.subject.fresh()
        self.call: Call = self.prepared.calls[0]
        self.around = self.prepared.around or context.subject.around
        self.itself = compiled_already(self.prepared.callable)

    def compiled(self, dynamic: bool | None) -> Callable[..., Any]:
        """The callable under torch.compile; as it is where the user has compiled it."""
        target, function = self.context.target, self.prepared.callable
        if self.itself:
            return function
        backend = target.backend or INDUCTOR
        options = {"mode": target.mode} if target.mode and backend == INDUCTOR else {}
        return torch.compile(function, backend=backend, dynamic=dynamic, **options)  # type: ignore[no-any-return]

    @contextlib.contextmanager
    def eagerly(self, call: Call | None = None) -> Iterator[Callable[[], Any]]:
        """In the block: an eager call, of the first input set by default. What the user's code raises is LoadError."""
        with users_code("calling it in eager mode"), self.modes(), torch.compiler.set_stance("force_eager"):
            yield self.bound(self.prepared.callable, call or self.call)

    @contextlib.contextmanager
    def modes(self) -> Iterator[None]:
        """The modes of a call: whether gradients are recorded, and what the subject brings itself."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(_GRAD[self.context.target.grad]())
            if self.around is not None:
                stack.enter_context(self.around(0))
            yield

    def bound(self, function: Callable[..., Any], call: Call) -> Callable[[], Any]:
        """The function with these arguments; on the GPU each call begins a step of CUDA graphs."""
        args, kwargs = call
        if not self.context.clock.cuda:
            return lambda: function(*args, **kwargs)

        def step() -> Any:
            torch.compiler.cudagraph_mark_step_begin()
            return function(*args, **kwargs)

        return step

    def seeded(self) -> None:
        """Random numbers as they are before every first call."""
        state.seed(self.context.target.seed)


def described(calls: Calls) -> tuple[str, ...]:
    """The arguments of the first call as `--input` writes them; what it cannot write is named by its type."""
    args, kwargs = calls.call
    signature = signature_of(calls.prepared.callable)
    named = {value: key for key, value in enumerate(signature.parameters)} if signature is not None else {}
    names = list(named)[: len(args)]
    names += [""] * (len(args) - len(names))
    pairs: Sequence[tuple[str, Any]] = [*zip(names, args, strict=True), *kwargs.items()]
    return tuple(f"{name}={_value(value)}" if name else _value(value) for name, value in pairs)


def _value(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype)[6:]}[{','.join(map(str, value.shape))}]"
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)[:60]
    if isinstance(value, (tuple, list)):
        opened, closed = "()" if isinstance(value, tuple) else "[]"
        return f"{opened}{', '.join(map(_value, value))}{closed}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_value(one)}' for key, one in value.items())}}}"
    return type(value).__name__ if not inspect.isclass(value) else value.__name__
