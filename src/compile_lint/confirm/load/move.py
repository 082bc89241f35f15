"""Moves what is called, and what it is called with, to its device and dtype."""

from __future__ import annotations

from typing import Any

import torch

from compile_lint.confirm.load.fake import fake_module
from compile_lint.confirm.load.tensors import each_tensor


def module_of(value: Any) -> torch.nn.Module | None:
    """The module that a callable is, or is a method of."""
    value = getattr(value, "func", value)  # of functools.partial
    if isinstance(value, torch.nn.Module):
        return value
    owner = getattr(value, "__self__", None)
    return owner if isinstance(owner, torch.nn.Module) else None


def place_module(value: Any, found: torch.device, dtype: torch.dtype | None, train: bool | None) -> None:
    """Move the module that is called, where there is one, and set its mode."""
    module = module_of(value)
    if module is None:
        return
    fake_module(module)
    module.to(device=found, dtype=dtype)
    if train is not None:
        module.train(train)


def place_inputs(values: Any, found: torch.device, dtype: torch.dtype | None) -> Any:
    """Arguments with their tensors on the device, floating-point ones of the dtype; one tensor stays one tensor."""
    return each_tensor(values, lambda tensor: _moved(tensor, found, dtype))


def _moved(tensor: torch.Tensor, found: torch.device, dtype: torch.dtype | None) -> torch.Tensor:
    wanted = dtype if dtype is not None and tensor.is_floating_point() else tensor.dtype
    if tensor.device == found and tensor.dtype == wanted:
        return tensor
    moved = tensor.detach().to(found, wanted)
    return moved.requires_grad_(tensor.requires_grad) if moved.is_floating_point() or moved.is_complex() else moved
