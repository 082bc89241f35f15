import itertools
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compile_lint.bench.buckets import padded, propose


def cost(requests, edges, unit, edge):
    padding = sum(count * (padded(size, edges) - size) for size, count in requests.items())
    return unit * padding + edge * len(edges)


def best(requests, unit, edge, most):
    sizes = sorted(requests)
    choices = (
        (*chosen, sizes[-1])
        for count in range(min(most, len(sizes)))
        for chosen in itertools.combinations(sizes[:-1], count)
    )
    return min(cost(requests, edges, unit, edge) for edges in choices)


@given(
    st.dictionaries(st.integers(1, 60), st.integers(0, 50), min_size=1, max_size=9),
    st.integers(0, 5),
    st.integers(0, 200),
    st.integers(1, 9),
)
def test_no_edges_cost_less(requests, unit, edge, most):
    edges = propose(requests, unit, edge, most)
    assert list(edges) == sorted(set(edges)) and set(edges) <= set(requests)
    assert 1 <= len(edges) <= most and edges[-1] == max(requests)
    assert cost(requests, edges, unit, edge) == best(requests, unit, edge, most)


def test_compilations_that_cost_nothing_leave_no_padding():
    assert propose({3: 1, 5: 1, 9: 4}, 1, 0, 9) == (3, 5, 9)


def test_padding_that_costs_nothing_leaves_one_edge():
    assert propose({3: 1, 5: 1, 9: 4}, 0, 1, 9) == (9,)


def test_the_edge_goes_where_the_requests_are():
    assert propose({10: 1, 100: 1000, 128: 1}, 1, 50, 2) == (100, 128)


def test_nothing_to_serve():
    with pytest.raises(ValueError, match="no requests"):
        propose({}, 1, 1, 1)


def test_many_requests_take_less_than_two_seconds():
    sizes = random.Random(0).sample(range(1, 20_000), 2_000)
    requests = dict.fromkeys(sizes, 50)
    begun = time.process_time()
    edges = propose(requests, 0.01, 5_000, 64)
    assert time.process_time() - begun < 2
    assert 1 < len(edges) <= 64


def test_a_size_beyond_the_last_edge_stays_as_it_is():
    assert [padded(size, (4, 8)) for size in (1, 4, 5, 8, 9)] == [4, 4, 8, 8, 9]
