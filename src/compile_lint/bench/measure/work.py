"""The way in: one worker's plan carried out, its answer left after each stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from compile_lint.bench.measure.context import Context
from compile_lint.bench.plan import Plan
from compile_lint.confirm.observe import state
from compile_lint.confirm.observe.subject import Subject
from compile_lint.confirm.target import Target


def run(target: Target, subject: Subject, plan: dict[str, Any], phase: Callable[[str], None]) -> None:
    """Measure what the plan says.

    Raises:
        LoadError: the eager code of the user raised.
    """
    context = Context(target, subject, msgspec.convert(plan, Plan), phase)
    state.configure(target.torch_config)
    _work(context.plan.work)(context)


def _work(name: str) -> Callable[[Context], None]:
    from compile_lint.bench.measure import sizes, start, steady

    return {"eager": steady.eager, "steady": steady.steady, "start": start.start, "sizes": sizes.sizes}[name]
