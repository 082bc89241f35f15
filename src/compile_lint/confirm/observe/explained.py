"""What `torch._dynamo.explain` says, which people know; it misses breaks that the log has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch._dynamo

from compile_lint.confirm.observation import Explain
from compile_lint.confirm.observe.operations import describe


def explain(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Explain | None:
    """Trace one call; None where explain itself fails, which it does where the compiled call raises."""
    try:
        said = torch._dynamo.explain(function)(*args, **kwargs)
    except Exception:
        return None
    finally:
        torch._dynamo.reset()  # explain does so itself, unless it fails
    return Explain(
        graph_count=said.graph_count,
        graph_break_count=max(0, said.graph_break_count),  # it says -1 where no graph was captured
        ops_per_graph=tuple(describe(graph).nodes for graph in said.graphs),
        guards=len(said.out_guards or ()),
        break_reasons=tuple(str(reason.reason).partition("\n")[0] for reason in said.break_reasons),
    )
