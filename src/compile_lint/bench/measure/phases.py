"""What TorchDynamo counts and times of compilations in this process."""

from __future__ import annotations

from typing import Any

import torch._dynamo.utils

from compile_lint.bench.record import Phases

_WHOLE = ("_compile.compile_inner", "entire_frame_compile")
"""TorchDynamo's names of the time of whole frames: torch 2.6 to 2.14."""
_BACKEND = ("OutputGraph.call_user_compiler",)
_INDUCTOR = ("compile_fx_inner", "AOTAutogradCache.inductor_load")
"""Compiling a graph, or loading it from the cache."""
Times = dict[str, float]


def compilations() -> int:
    """How many pieces of code were compiled until now: a function, or what follows a break in one."""
    frames = torch._dynamo.utils.counters.get("frames", {})
    return int(frames.get("ok", 0))


def times() -> Times:
    """Seconds by part until now."""
    found: Any = getattr(torch._dynamo.utils, "compilation_time_metrics", {})
    return {name: float(sum(each)) for name, each in found.items()}


def since(before: Times, inductor: bool) -> Phases:
    """The parts of what was compiled since `before`; nothing where this torch does not tell."""
    now = times()

    def took(names: tuple[str, ...]) -> float:
        return sum(now.get(name, 0.0) - before.get(name, 0.0) for name in names) * 1e3

    if not any(name in now for name in _WHOLE):
        return Phases()
    whole, backend = took(_WHOLE), took(_BACKEND)
    inner = took(_INDUCTOR) if inductor else None
    return Phases(
        dynamo=_rounded(whole - backend),
        aot=_rounded(backend - (inner or 0.0)),
        inductor=None if inner is None else _rounded(inner),
    )


def _rounded(value: float) -> float:
    return round(max(value, 0.0), 3)
