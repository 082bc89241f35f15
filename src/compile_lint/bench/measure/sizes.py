"""The sizes of the traffic, served by one process under one remedy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Signature
from statistics import median
from typing import Any

import torch
import torch._dynamo
import torch._dynamo.config

from compile_lint.bench.measure.calls import Calls
from compile_lint.bench.measure.context import Context
from compile_lint.bench.measure.first import failed
from compile_lint.bench.measure.phases import compilations
from compile_lint.bench.plan import SizeRun
from compile_lint.confirm.load.inputs import Call
from compile_lint.confirm.load.missing import signature_of
from compile_lint.confirm.load.varied import at_path, sized
from compile_lint.confirm.observe.listener import Heard, enabled, listening
from compile_lint.confirm.targets.vary import Path, path_of

STEADY = 5
"""Calls of a size whose median is taken, after its first."""
_DYNAMIC: dict[str, bool | None] = {"dynamic": True, "static": False, "buckets": False}
"""What torch.compile is told under a remedy; the target's own setting under the others."""


def sizes(context: Context) -> None:
    """Serve each size of the plan in turn: its first call, then some more, and what was compiled meanwhile.

    LoadError for a size that the target cannot be given, or that it raises for in eager mode.
    """
    remedy = context.plan.remedy
    calls = Calls(context)
    paths = [tuple(path_of(part, "--traffic") for part in text.split()) for text in context.plan.dimensions]
    signature = signature_of(calls.prepared.callable)
    function = calls.compiled(_DYNAMIC.get(remedy, context.target.dynamic))
    context.say(recompile_limit=_limit())
    heard = Heard()
    done: list[SizeRun] = []
    with listening(heard):
        for values in context.plan.sizes:
            context.phase(f"calls of size {' x '.join(map(str, values))}")
            call = sized(calls.call, list(zip(paths, values, strict=True)), signature)
            if remedy == "mark-dynamic":
                _mark(call, paths, signature)
            eager_ms = _eagerly(context, calls, call) if remedy == "as-is" else None
            enabled()
            try:
                done.append(_served(context, calls, calls.bound(function, call), values, eager_ms))
            except Exception as error:
                failed(context, error)
                return
            context.say(sizes=tuple(done), limit_hit=bool(heard.limits))


def _served(
    context: Context, calls: Calls, call: Callable[[], Any], values: tuple[int, ...], eager_ms: float | None
) -> SizeRun:
    times, compiled = [], []
    with calls.modes():
        for _ in range(1 + STEADY):
            before = compilations()
            times.append(context.clock.wall(call)[1])
            compiled.append(compilations() - before)
    steady = [took for took, count in zip(times[1:], compiled[1:], strict=True) if not count] or times[1:]
    return SizeRun(values, times[0], median(steady), sum(compiled), sum(map(bool, compiled)), eager_ms)


def _eagerly(context: Context, calls: Calls, call: Call) -> float:
    with calls.eagerly(call) as eager:
        eager()
        return median(context.clock.steady(eager) for _ in range(STEADY))


def _mark(call: Call, paths: Sequence[Sequence[Path]], signature: Signature | None) -> None:
    """Tell torch that these dimensions change; ints it takes care of itself."""
    for path in (each for together in paths for each in together):
        tensor, dimension = at_path(call, path, signature)
        if dimension is not None:
            torch._dynamo.mark_dynamic(tensor, dimension)


def _limit() -> int:
    """How often one function is compiled before torch gives up on it and runs it in eager mode."""
    config: Any = torch._dynamo.config
    return int(getattr(config, "recompile_limit", 0) or config.cache_size_limit)
