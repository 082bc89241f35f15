"""Real tensors that were made before FakeTensorMode was on, exchanged for fake ones."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

from compile_lint.confirm.load.tensors import each_tensor


def current_mode() -> FakeTensorMode | None:
    """The FakeTensorMode that is on, if one is."""
    modes = [mode for mode in _get_current_dispatch_mode_stack() if isinstance(mode, FakeTensorMode)]
    return modes[-1] if modes else None


def fake_inputs(values: Any) -> Any:
    """The values with each real tensor made fake; as they are where no mode is on."""
    mode = current_mode()
    if mode is None:
        return values
    return each_tensor(values, lambda tensor: _fake(tensor, mode))


def fake_module(module: torch.nn.Module | None) -> None:
    """Exchange parameters and buffers that are real, in place; nothing happens where no mode is on."""
    mode = current_mode()
    if mode is None or module is None:
        return
    for part in module.modules():
        for held in (part._parameters, part._buffers):
            for name, tensor in held.items():
                if tensor is not None:
                    held[name] = _fake(tensor, mode)


@contextlib.contextmanager
def modules_can_move() -> Iterator[None]:
    """Let `Module.to` and its like work on fake tensors, where a mode is on.

    torch swaps each parameter with the moved one, which fails where something refers to it weakly; a FakeTensorMode
    does so to tensors that it has described, which ones depends on what it has seen before. Here the moved parameter
    takes the place of the other, once for a parameter that several modules share.
    """
    if current_mode() is None:
        yield
        return
    original = torch.nn.Module._apply
    done: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
    depth = 0

    def apply(module: torch.nn.Module, fn: Any, recurse: bool = True) -> Any:
        nonlocal depth
        own = [tensor for held in (module._parameters, module._buffers) for tensor in held.values()]
        if not all(tensor is None or isinstance(tensor, FakeTensor) for tensor in own):
            return original(module, fn, recurse)
        depth += 1
        try:
            for child in module.children() if recurse else ():
                child._apply(fn)
            _exchange(module, fn, done)
        finally:
            depth -= 1
            if not depth:
                done.clear()
        return module

    torch.nn.Module._apply = apply
    try:
        yield
    finally:
        torch.nn.Module._apply = original


def _exchange(module: torch.nn.Module, fn: Any, done: dict[int, tuple[torch.Tensor, torch.Tensor]]) -> None:
    """The module's own tensors exchanged for what `fn` makes of them; `done` keeps the old ones, so that ids last."""
    for held in (module._parameters, module._buffers):
        for name, tensor in held.items():
            if tensor is None:
                continue
            if id(tensor) not in done:
                with torch.no_grad():
                    new = fn(tensor)
                if isinstance(tensor, torch.nn.Parameter):
                    new = torch.nn.Parameter(new, tensor.requires_grad)
                done[id(tensor)] = (tensor, new)
            held[name] = done[id(tensor)][1]


def fakes_of(module: torch.nn.Module) -> dict[int, Any]:
    """Fake tensors by the identity of the real ones, as deepcopy's memo takes them; empty where no mode is on."""
    mode = current_mode()
    if mode is None:
        return {}
    return {id(tensor): _fake(tensor, mode) for tensor in (*module.parameters(), *module.buffers())}


def _fake(tensor: torch.Tensor, mode: FakeTensorMode) -> Any:
    return tensor if isinstance(tensor, FakeTensor) else mode.from_tensor(tensor)
