"""One start of a fresh process: its first compiled calls, with the cache folder as the starter has made it."""

from __future__ import annotations

import time

import torch.compiler

from compile_lint.bench.measure.calls import Calls
from compile_lint.bench.measure.context import Context
from compile_lint.bench.measure.first import first_calls
from compile_lint.bench.measure.turns import in_turn


def start(context: Context) -> None:
    """First calls, then the plan's repeats; before them portable artifacts are loaded where the plan names them."""
    calls = Calls(context)
    load_ms = _load(context) if context.plan.load_artifacts else 0.0
    context.phase("first compiled call")
    function = calls.compiled(context.target.dynamic)
    first_calls(context, calls, function, load_ms=load_ms)
    if not context.answer.error:
        in_turn(context, calls, function)


def _load(context: Context) -> float:
    """Milliseconds of loading the artifacts."""
    context.phase("loading of cache artifacts")
    with open(context.plan.load_artifacts, "rb") as file:
        content = file.read()
    begun = time.perf_counter()
    found = torch.compiler.load_cache_artifacts(content)
    took = (time.perf_counter() - begun) * 1e3
    context.clock.spent += took / 1e3
    context.say(artifacts=found is not None)
    return took


def save(context: Context) -> None:
    """Leave the artifacts of what this process compiled, where this torch can."""
    function = getattr(torch.compiler, "save_cache_artifacts", None)
    saved = function() if function is not None else None
    if saved is None:
        context.note("torch has no cache artifacts of this target: it was not measured with them")
        return
    with open(context.plan.save_artifacts, "wb") as file:
        file.write(saved[0])
    context.say(artifacts=True)
