"""Real tensors that were made before FakeTensorMode was on, exchanged for fake ones."""

from __future__ import annotations

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


def fake_module(module: torch.nn.Module, device: torch.device, dtype: torch.dtype | None) -> None:
    """Exchange parameters and buffers, in place, for fake ones on the device; floating-point ones of the dtype.

    `Module.to` cannot: it swaps tensors that something refers to weakly, as a FakeTensorMode does to its own.
    """
    mode = current_mode()
    assert mode is not None, "called within FakeTensorMode"
    done: dict[int, torch.Tensor] = {}
    for part in module.modules():
        for held in (part._parameters, part._buffers):
            for name, tensor in held.items():
                if tensor is not None:
                    if id(tensor) not in done:
                        done[id(tensor)] = _moved(_fake(tensor, mode), device, dtype)
                    held[name] = done[id(tensor)]


def _moved(tensor: torch.Tensor, device: torch.device, dtype: torch.dtype | None) -> torch.Tensor:
    wanted = dtype if dtype is not None and tensor.is_floating_point() else tensor.dtype
    if tensor.device == device and tensor.dtype == wanted:
        return tensor
    moved = tensor.detach().to(device, wanted)
    return torch.nn.Parameter(moved, tensor.requires_grad) if isinstance(tensor, torch.nn.Parameter) else moved


def fakes_of(module: torch.nn.Module) -> dict[int, Any]:
    """Fake tensors by the identity of the real ones, as deepcopy's memo takes them; empty where no mode is on."""
    mode = current_mode()
    if mode is None:
        return {}
    return {id(tensor): _fake(tensor, mode) for tensor in (*module.parameters(), *module.buffers())}


def _fake(tensor: torch.Tensor, mode: FakeTensorMode) -> Any:
    return tensor if isinstance(tensor, FakeTensor) else mode.from_tensor(tensor)
