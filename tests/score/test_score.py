import pytest
from hypothesis import given
from hypothesis import strategies as st

from compile_lint.score import RECOMPILE_FACTOR, readiness, run_score

SIZES = st.lists(st.integers(0, 10_000), max_size=20)


@pytest.mark.parametrize(
    ("sizes", "outside", "score"),
    [
        ([10], 0, 100.0),
        ([], 0, 100.0),
        ([0, 0], 0, 100.0),
        ([5, 5], 0, 50.0),
        ([1, 1, 1, 1], 0, 25.0),
        ([9, 1], 0, 82.0),
        ([], 4, 25.0),
        ([6], 4, 40.0),
        ([], 1, 100.0),
    ],
)
def test_formula(sizes, outside, score):
    assert readiness(sizes, outside) == pytest.approx(score)


def test_errors_and_recompiles():
    assert readiness([10], errors=True) == 0.0
    assert readiness([], errors=True) == 0.0
    assert readiness([10], unbounded_recompiles=1) == 100 * RECOMPILE_FACTOR
    assert readiness([10], unbounded_recompiles=7) == 100 * RECOMPILE_FACTOR


def test_negative_sizes():
    for sizes, outside in (([-1], 0), ([1], -1)):
        with pytest.raises(ValueError, match="negative"):
            readiness(sizes, outside)


@given(SIZES, st.integers(0, 10_000), st.booleans(), st.integers(0, 3))
def test_bounds(sizes, outside, errors, recompiles):
    assert 0.0 <= readiness(sizes, outside, errors, recompiles) <= 100.0


@given(SIZES, st.integers(0, 100))
def test_order_does_not_matter(sizes, outside):
    assert readiness(sizes, outside) == readiness(sizes[::-1], outside)


@given(st.integers(1, 1000), st.integers(1, 1000), SIZES)
def test_a_break_never_helps(left, right, others):
    assert readiness([left, right, *others]) < readiness([left + right, *others])


@given(st.integers(1, 1000), SIZES)
def test_leaving_the_graph_never_helps(size, others):
    assert readiness(others, outside=size) <= readiness([size, *others])


def test_run_score():
    assert run_score([]) == 100.0
    assert run_score([(40.0, 0)]) == 40.0
    assert run_score([(100.0, 30), (0.0, 10)]) == 75.0
    assert run_score([(100.0, 0), (0.0, 1)]) == 50.0
