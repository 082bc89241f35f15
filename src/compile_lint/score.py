"""The readiness score, 0 to 100, and nothing else: the same formula serves predicted graphs and observed ones.

For one entry it is 100 times the probability that two operations taken at random from one call land in the same
compiled graph. With n_i operations in graph i and N in all that is 100 * sum(n_i ** 2) / N ** 2. An operation that runs
outside any graph, because its whole frame fell back to eager or because it ends the graph itself, counts as a graph of
its own; a read on the host is no operation. An error makes the score 0.
If the entry compiles again without bound the score is halved, once however many causes there are: up to the recompile
limit every such call pays for a compilation, and after it the rest of the run is eager.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RECOMPILE_FACTOR = 0.5
"""What is left of a score when an entry compiles again on every call."""


def readiness(
    graph_sizes: Sequence[int], outside: int = 0, errors: bool = False, unbounded_recompiles: int = 0
) -> float:
    """The score of one entry, 0 to 100.

    Args:
        graph_sizes: operations in each compiled graph of one call.
        outside: operations that run in no graph.
        errors: whether the compiled call raises.
        unbounded_recompiles: causes for which later calls compile again without bound.

    Raises:
        ValueError: a negative number of operations.
    """
    if outside < 0 or any(size < 0 for size in graph_sizes):
        raise ValueError("a number of operations cannot be negative")
    if errors:
        return 0.0
    total = sum(graph_sizes) + outside
    together = (sum(size * size for size in graph_sizes) + outside) / (total * total) if total else 1.0
    return 100.0 * together * (RECOMPILE_FACTOR if unbounded_recompiles else 1.0)


def run_score(entries: Iterable[tuple[float, int]]) -> float:
    """The score of a run: the mean over (score, operations) of its entries, each weighing its operations, at least one.

    A run without entries has nothing that could break and scores 100.
    """
    weighed = [(score, max(1, ops)) for score, ops in entries]
    weight = sum(ops for _, ops in weighed)
    return sum(score * ops for score, ops in weighed) / weight if weight else 100.0
