"""Records the custom operators that eager calls call, with the metadata of their arguments."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from compile_lint.confirm.exceptions import is_own
from compile_lint.confirm.observation import OperatorSeen, Place
from compile_lint.confirm.observe.metadata import Values, arguments
from compile_lint.confirm.observe.places import Places
from compile_lint.confirm.observe.records import Frame

_TORCHS = frozenset(
    str.split("""
    _ _TorchScriptTesting _c10d_functional _c10d_functional_autograd _dtensor _inductor_debug _inductor_test
    _native _quantized _test _torch_testing ao aten bucketing c10d c10d_functional coor debug_mode_ops debugprims
    device_mesh export flex_lib fsdp higher_order inductor inductor_prims mempool mkl mkldnn mkldnn_prepacked
    onednn onnx onnx_symbolic prepacked prim prims profiler quantization quantized quantized_decomposed rngprims
    semi_structured sparse static_runtime streams symm_mem torch_attn triton xnnpack
    """)
)
"""Namespaces that torch itself fills: those of `torch._C._dispatch_get_all_op_names()` in 2.13.0 and 2.14.1 with the
submodules that add some, and those that their sources name in `Library` and `custom_op`."""
_MOST_SAMPLES = 3
"""Calls of one operator, different in their metadata, whose arguments are kept."""
_COMPOSITE = "CompositeImplicitAutograd"


def is_custom(name: str) -> bool:
    """Whether an operator, `namespace::name`, is not of torch itself."""
    namespace, colons, _ = name.partition("::")
    return bool(colons) and namespace not in _TORCHS


def any_custom() -> bool:
    """Whether an operator is registered that is not of torch itself."""
    return any(is_custom(name) for name in torch._C._dispatch_get_all_op_names())


@dataclass(slots=True)
class Called:
    """One operator, and the values of its samples where they are kept."""

    seen: OperatorSeen
    op: Any
    values: list[Values] = field(default_factory=list)


class Recorder:
    """What was called while `recording()`, by qualified name in the order of the first calls."""

    def __init__(
        self,
        places: Places,
        keep: Callable[[Any], Any] | None = None,
        first: Callable[[str], AbstractContextManager[None]] | None = None,
    ) -> None:
        """`keep` copies one argument, so that the values of samples are at hand later; without it they are not kept.

        `first` is entered, with the qualified name, around the first call of each operator.
        """
        self.called: dict[str, Called] = {}
        self.was_blind = False
        """Whether calls were made while there was no operator to record, so that one registered by them was missed."""
        self._places = places
        self._keep = keep
        self._first = first

    @property
    def operators(self) -> tuple[OperatorSeen, ...]:
        """All that was called."""
        return tuple(each.seen for each in self.called.values())

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Record the calls of the block. Where no custom operator is registered the block runs as if without this."""
        if not any_custom():
            yield
            self.was_blind = self.was_blind or any_custom()
            return
        with _Composites(self), _Operators(self):
            yield

    def call(self, op: Any, func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Note one call, and make it."""
        called = self._note(op, args, kwargs)
        if self._first is None or called.seen.times > 1:
            return func(*args, **kwargs)
        with self._first(called.seen.qualified):
            return func(*args, **kwargs)

    def _note(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Called:
        name = f"{op._schema.name}.{op._overloadname}"
        called = self.called.get(name)
        if called is None:
            seen = OperatorSeen(op._schema.name, op._overloadname, str(op._schema), 0, self._place())
            called = self.called[name] = Called(seen, op)
        seen = replace(called.seen, times=called.seen.times + 1)
        if len(seen.samples) < _MOST_SAMPLES:
            sample = arguments(op._schema, args, kwargs)
            if sample not in seen.samples:
                seen = replace(seen, samples=(*seen.samples, sample))
                self._kept(called, args, kwargs)
        called.seen = seen
        return called

    def _kept(self, called: Called, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._keep is not None:
            keep = self._keep
            called.values.append((tuple(map(keep, args)), {name: keep(value) for name, value in kwargs.items()}))

    def _place(self) -> Place | None:
        frame: FrameType | None = sys._getframe(3)
        while frame is not None and not self._is_users(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is None:
            return None
        return self._places.place(Frame(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))

    def _is_users(self, path: str) -> bool:
        return self._places.in_project(path) and not is_own(path)


class _Operators(TorchDispatchMode):  # type: ignore[misc,unused-ignore]
    """Sees what comes to kernels: calls from C++ and from backward passes too."""

    # torch.cond and its like are none of ours; without this they raise under a mode that they do not know.
    supports_higher_order_operators = True

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note the call if it is one of a custom operator, and make it."""
        if isinstance(func, torch._ops.OpOverload) and is_custom(func._schema.name):
            return self._recorder.call(func, func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


class _Composites(TorchFunctionMode):  # type: ignore[misc,unused-ignore]
    """Sees calls from Python of operators that are made of others, of which only the parts come to kernels."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note the call if it is one of a composite custom operator, and make it."""
        op = _overload(func)
        if op is not None and is_custom(op._schema.name) and is_composite(op):
            return self._recorder.call(op, func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


def _overload(func: Any) -> Any:
    if isinstance(func, torch._ops.OpOverload):
        return func
    if isinstance(func, torch._ops.OpOverloadPacket):
        names = func.overloads()
        return getattr(func, names[0]) if len(names) == 1 else None
    return None


def is_composite(op: Any) -> bool:
    """Whether what others make of an operator's parts serves for it: it has no kernel of its own to be promised for."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), _COMPOSITE))
