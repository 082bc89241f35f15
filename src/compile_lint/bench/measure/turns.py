"""Eager and compiled calls in one steady process, in turn, so that a noisy machine cannot favour one."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

from compile_lint.bench.measure.calls import Calls
from compile_lint.bench.measure.context import Context
from compile_lint.bench.measure.first import failed
from compile_lint.bench.measure.peak import Peak

FEWEST = 3
MOST = 200
"""Calls of a repeat, where a time and no number is given."""


def in_turn(context: Context, calls: Calls, function: Callable[..., Any]) -> None:
    """Repeats A B A B of eager and compiled calls, put into the answer one after another."""
    context.phase("eager and compiled calls")
    try:
        _in_turn(context, calls, calls.bound(function, calls.call))
    except Exception as error:
        failed(context, error)


def _in_turn(context: Context, calls: Calls, compiled: Callable[[], Any]) -> None:
    def eagerly(count: int) -> tuple[float, ...]:
        with calls.eagerly() as call:
            return _repeat(context, call, count)

    def as_compiled(count: int) -> tuple[float, ...]:
        with calls.modes():
            return _repeat(context, compiled, count)

    peak, memory = Peak(context.clock.cuda), []
    count = calls_of_a_repeat(context, [a + b for a, b in zip(eagerly(FEWEST), as_compiled(FEWEST), strict=True)])
    before: list[tuple[float, ...]] = []
    after: list[tuple[float, ...]] = []
    for _ in range(context.plan.repeats):
        before.append(eagerly(count))
        peak.reset()
        after.append(as_compiled(count))
        memory.append(peak.read())
        known = [each for each in memory if each is not None]
        context.say(
            eager=tuple(before),
            compiled=tuple(after),
            compiled_memory=max(known) if len(known) == len(memory) else None,
        )


def _repeat(context: Context, call: Callable[[], Any], count: int) -> tuple[float, ...]:
    """So many calls, after one that is not counted: the other side has just used the caches of the processor."""
    call()
    return tuple(context.clock.steady(call) for _ in range(count))


def calls_of_a_repeat(context: Context, samples: list[float]) -> int:
    """Calls of a repeat: what was asked for, or what fits the time."""
    if context.plan.calls:
        return context.plan.calls
    fits = context.plan.seconds * 1e3 / context.plan.repeats / max(median(samples), 1e-6)
    return int(min(max(fits, FEWEST), MOST))
