"""Whether a compiled call gives what the eager one gave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from compile_lint.bench.measure.context import Context
from compile_lint.confirm.observe import agreement

SLACK = 10.0
"""So many times what torch.testing.assert_close allows: a compiler that fuses rounds in other places than eager."""


def remember(context: Context, result: Any) -> None:
    """Leave the eager result for the process that compiles; say if it is not finite."""
    kept = agreement.kept(result)
    torch.save(kept, context.plan.results)
    finite = all(bool(torch.isfinite(each).all()) for each in _floats(kept))
    context.say(not_finite=not finite)


def compare(context: Context, result: Any) -> None:
    """Hold the compiled result against what the eager process left."""
    eager = torch.load(context.plan.results, weights_only=False)
    said = agreement.differences("the result", eager, agreement.kept(result), SLACK)
    context.say(same_result=not said, differences=tuple(said), tolerance=agreement.tolerance([eager], SLACK))


def _floats(value: Any) -> Iterator[torch.Tensor]:
    for each in agreement.tensors(value):
        if each.dtype in agreement.TOLERANCES and not each.is_nested and each.layout is torch.strided:
            yield each
