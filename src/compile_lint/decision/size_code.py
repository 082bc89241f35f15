"""Snippets that deal with input sizes: padding to buckets, or telling TorchDynamo which sizes change."""

from __future__ import annotations

from collections.abc import Sequence

from compile_lint.bench.record import Traffic
from compile_lint.config.errors import ConfigError
from compile_lint.confirm.targets.vary import Path, vary

_PADDED = '''\
import torch

EDGES = {edges}


def padded(tensor, name):
    """`tensor` with zeros behind, up to the next edges of the argument `name`; cut the result back to the old size."""
    for dim, edges in EDGES[name].items():
        size = tensor.shape[dim]
        shape = list(tensor.shape)
        shape[dim] = next((edge for edge in edges if edge >= size), size) - size
        tensor = torch.cat((tensor, tensor.new_zeros(shape)), dim)
    return tensor'''


def padding(traffic: Traffic) -> str:
    """A function that pads the arguments of the traffic to its edges; empty where they lie inside containers."""
    edges: dict[str, dict[int, tuple[int, ...]]] = {}
    for group, of_group in zip(traffic.dimensions, traffic.edges, strict=False):
        for path in _paths(group):
            if len(path.parts) != 1 or not isinstance(path.parts[0], int):
                return ""
            edges.setdefault(str(path.argument), {})[path.parts[0]] = of_group
    return _PADDED.format(edges=edges) if edges else ""


def dynamic(traffic: Traffic) -> str:
    """Lines that mark the sizes that change, before the first call; empty where they lie inside containers."""
    lines = []
    for path in (path for group in traffic.dimensions for path in _paths(group)):
        if len(path.parts) != 1 or not isinstance(path.argument, str):
            return ""
        lines.append(f"torch._dynamo.mark_dynamic({path.argument}, {path.parts[0]})")
    return "\n".join(["import torch", "", *lines]) if lines else ""


def _paths(group: str) -> Sequence[Path]:
    """The paths that change together; none for one that is not of the grammar."""
    try:
        return [path for one in group.split() for path in vary(f"{one}=1", "").paths]
    except ConfigError:
        return ()
