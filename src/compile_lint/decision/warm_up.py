"""The snippet that compiles for every input size of the traffic before a process takes requests."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from compile_lint.bench.record import Traffic
from compile_lint.decision.call_code import arguments

MOST = 32
"""Sizes that a snippet lists; the most common ones."""
_AROUND = {"grad": "torch.enable_grad()", "no-grad": "torch.no_grad()", "inference-mode": "torch.inference_mode()"}
_TWICE = 2
"""Calls of each size: CUDA graphs are recorded by the second."""


def snippet(inputs: Sequence[str], grad: str, device: str, traffic: Traffic | None) -> str:
    """A Python function `warm_up(model)`; empty where the arguments cannot be written.

    Args:
        inputs: the arguments as TargetBench.inputs describes them.
        grad: how gradients are recorded, as TargetBench.grad.
        device: where the measurement ran, as Machine.device.
        traffic: the sizes that come, padded to the bucket edges where those are the cheapest remedy.
    """
    rows = sizes(traffic)
    groups = [group.split() for group in traffic.dimensions] if traffic is not None and rows else []
    names = {path: f"size_{place}" for place, group in enumerate(groups) for path in group}
    made = arguments(inputs, names)
    if made is None:
        return ""
    return _function(made, _AROUND.get(grad, _AROUND["grad"]), _bare(device), _loop(groups, rows))


def sizes(traffic: Traffic | None) -> tuple[tuple[int, ...], ...]:
    """The sizes that the process will meet, of each the values of all dimensions; none without traffic."""
    if traffic is None or not traffic.sizes:
        return ()
    if traffic.cheapest == "buckets" and traffic.edges:
        return tuple(itertools.islice(itertools.product(*traffic.edges), MOST))
    common = sorted(traffic.sizes, key=lambda size: (-size.requests, size.values))
    return tuple(sorted(size.values for size in common[:MOST]))


def _loop(groups: Sequence[Sequence[str]], rows: Sequence[tuple[int, ...]]) -> str:
    if not rows:
        return ""
    names = ", ".join(f"size_{place}" for place in range(len(groups)))
    values = tuple(row[0] for row in rows) if len(groups) == 1 else tuple(rows)
    paths = "; ".join(" ".join(group) for group in groups)
    return f"for {names} in {values}:  # {paths}"


def _function(made: Sequence[str], around: str, device: str, loop: str) -> str:
    lines = [
        "import torch",
        "",
        "",
        f'def warm_up(model, device="{device}"):',
        '    """Compile for every size; `model` is what torch.compile returned. Call it before the first request."""',
        f"    with {around}:",
    ]
    indent = " " * 8
    if loop:
        lines.append(f"{indent}{loop}")
        indent += " " * 4
    lines.append(f"{indent}for _ in range({_TWICE}):")
    lines.append(f"{indent}    model({', '.join(made)})")
    return "\n".join(lines)


def _bare(device: str) -> str:
    """`cuda` of `cuda:0 (NVIDIA H200)`."""
    return "cuda" if device.startswith("cuda") else "cpu"
