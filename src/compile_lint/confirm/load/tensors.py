"""Every tensor in nested arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.utils._pytree as pytree


def each_tensor(values: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """Nested tuples, lists and dicts with every tensor changed; a tensor that is there twice is changed once."""
    done: dict[int, torch.Tensor] = {}

    def once(tensor: torch.Tensor) -> torch.Tensor:
        if id(tensor) not in done:
            done[id(tensor)] = change(tensor)
        return done[id(tensor)]

    return pytree.tree_map_only(torch.Tensor, once, values)
