"""Bucket edges for input sizes: the ones that cost least in padding and compilations together. Needs no torch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence


def propose(requests: Mapping[int, float], unit_cost: float, edge_cost: float, most: int) -> tuple[int, ...]:
    """The edges for sizes of one dimension; every size is padded to the next edge, each edge is compiled once.

    The cost is `unit_cost` for each unit of padding of each request, and `edge_cost` for each edge. Edges of least cost
    lie on sizes that occur. The best cost of the first sizes is a minimum over straight lines in the size of the last
    edge, so that a monotone hull of lines gives it: the whole takes time in proportion to `most` times the sizes.

    Args:
        requests: how many requests have a size, or what they weigh.
        unit_cost: not negative.
        edge_cost: not negative.
        most: edges that there may be, at least 1.

    Returns:
        Edges in rising order; of several of equal cost those with the fewest edges.

    Raises:
        ValueError: there are no requests, or `most` is less than 1.
    """
    if not requests or most < 1:
        raise ValueError("no requests, or no edges")
    sizes = sorted(requests)
    counts, weights = [0.0], [0.0]
    for size in sizes:
        counts.append(counts[-1] + requests[size])
        weights.append(weights[-1] + requests[size] * size)
    rows = [_first(sizes, counts, weights)]
    came: list[list[int]] = [[0] * len(sizes)]
    for _ in range(1, min(most, len(sizes))):
        row, from_ = _next(rows[-1], sizes, counts, weights)
        rows.append(row)
        came.append(from_)
    costs = [unit_cost * row[-1] + edge_cost * (number + 1) for number, row in enumerate(rows)]
    best = min(range(len(costs)), key=lambda number: (costs[number], number))
    return _edges(sizes, came, best)


def padded(size: int, edges: Sequence[int]) -> int:
    """What a size is padded to: the next edge; itself beyond the last."""
    at = bisect_left(edges, size)
    return edges[at] if at < len(edges) else size


def _first(sizes: Sequence[int], counts: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The padding of the first sizes, for each number of them, with one edge."""
    return [size * counts[n + 1] - weights[n + 1] for n, size in enumerate(sizes)]


def _next(
    before: Sequence[float], sizes: Sequence[int], counts: Sequence[float], weights: Sequence[float]
) -> tuple[list[float], list[int]]:
    """The same with one edge more, and the last size below it that is itself an edge (its number).

    Padding of sizes i+1..j to size j is size[j] * (counts[j+1] - counts[i+1]) - (weights[j+1] - weights[i+1]), so that
    with edge i before it the cost is a line in size[j] with slope -counts[i+1]. Slopes fall as i rises, sizes rise.
    """
    row, from_ = [before[0]], [0]
    hull: list[tuple[float, float, int]] = []
    at = 0
    for j in range(1, len(sizes)):
        _add(hull, -counts[j], before[j - 1] + weights[j], j - 1)
        at = min(at, len(hull) - 1)
        size = sizes[j]
        while at + 1 < len(hull) and _value(hull[at + 1], size) <= _value(hull[at], size):
            at += 1
        row.append(size * counts[j + 1] - weights[j + 1] + _value(hull[at], size))
        from_.append(hull[at][2])
    return row, from_


def _value(line: tuple[float, float, int], size: int) -> float:
    return line[0] * size + line[1]


def _add(hull: list[tuple[float, float, int]], slope: float, start: float, number: int) -> None:
    """Add a line with a slope below all others, and take out those that are nowhere lowest any more."""
    while hull and hull[-1][0] == slope:  # requests of weight 0
        if hull[-1][1] <= start:
            return
        hull.pop()
    while len(hull) >= 2:
        (a, b, _), (c, d, _) = hull[-2], hull[-1]
        if (start - b) * (a - c) > (d - b) * (a - slope):
            break
        hull.pop()
    hull.append((slope, start, number))


def _edges(sizes: Sequence[int], came: Sequence[Sequence[int]], best: int) -> tuple[int, ...]:
    found, at = [], len(sizes) - 1
    for number in range(best, -1, -1):
        found.append(sizes[at])
        at = came[number][at]
        if number and found[-1] == sizes[0]:
            break
    return tuple(sorted(set(found)))
