import pytest

from compile_lint.bench import served
from compile_lint.bench.plan import SizeRun
from compile_lint.bench.record import Size
from compile_lint.bench.remedies import proposed

SIZES = (Size((8,), 100), Size((4,), 10), Size((16,), 1), Size((12,), 5))


def run(size, first, steady, compiles=1, calls=1):
    return SizeRun((size,), first, steady, compiles, calls)


def eager(values):
    return 1000.0


def test_the_ends_the_most_frequent_and_the_middle_are_run():
    sizes = [Size((n,), 1000 if n == 7 else 1) for n in range(1, 101)]
    found = [values[0] for values in served.chosen(sizes, 5)]
    assert len(found) == 5 and found == sorted(found)
    assert {1, 7, 100} <= set(found)
    assert served.chosen(SIZES, 9) == ((8,), (4,), (16,), (12,)), "in the order of the traffic"
    assert served.chosen(SIZES, 2) == ((4,), (16,))


def test_times_between_two_sizes_lie_on_the_line():
    time = served.interpolated({(2, 4): 10.0, (4, 4): 30.0})
    assert [time((2, 4)), time((3, 4)), time((1, 1)), time((9, 9))] == [10.0, 20.0, 10.0, 30.0]


def test_the_slope_is_that_of_least_squares_and_never_below_nothing():
    assert served.slope({(1, 5): 1.0, (2, 5): 3.0, (3, 5): 5.0}, 0) == pytest.approx(2.0)
    assert served.slope({(1, 5): 1.0, (2, 5): 3.0}, 1) == 0.0
    assert served.slope({(1,): 3.0, (2,): 1.0}, 0) == 0.0


def test_everything_that_was_run_is_added_up():
    runs = [run(8, 102, 2), run(4, 61, 1), run(16, 4, 4, 0, 0), run(12, 3, 3, 0, 0)]
    cost = served.cost("as-is", SIZES, runs, eager)
    assert cost.compile_ms == 100 + 60
    assert cost.total_ms == 160 + 100 * 2 + 10 * 1 + 1 * 4 + 5 * 3
    assert (cost.compiles, cost.requests_that_compile, cost.estimated, cost.limit_hit) == (2, 2, False, False)
    assert cost.compiled_at == (((8,), 1), ((4,), 1), ((16,), 0), ((12,), 0))


def test_sizes_that_were_not_run_do_not_compile_where_the_last_did_not():
    cost = served.cost("as-is", SIZES, [run(8, 102, 2), run(4, 61, 1), run(16, 4, 4, 0, 0)], eager)
    assert cost.estimated and (cost.compiles, cost.compile_ms) == (2, 160)
    assert cost.total_ms == 160 + 200 + 10 + 4 + 5 * 3, "12 lies in the middle of 8 and 16"


def test_sizes_that_were_not_run_compile_where_the_last_two_did():
    cost = served.cost("static", SIZES, [run(8, 102, 2, 3), run(16, 64, 4, 3)], eager)
    assert (cost.compiles, cost.requests_that_compile) == (3 + 3 + 2 * 3, 2 + 2)
    assert cost.compile_ms == 100 + 60 + 2 * 60, "the first pays for the start of the compiler, so it is not usual"


def test_beyond_the_limit_sizes_run_in_eager_mode():
    cost = served.cost("static", SIZES, [run(8, 102, 2), run(16, 64, 4)], eager, limit=3)
    assert cost.limit_hit and cost.compiles == 3
    assert cost.total_ms == 100 + 60 + 60 + 100 * 2 + 1 * 4 + 10 * 2 + 5 * 1000, "4 is compiled, 12 is not"


def test_padding_is_told_as_a_share_of_what_is_computed():
    cost = served.cost(
        "buckets", SIZES, [run(16, 104, 4)], eager, pads_to=lambda values: (16,) if values[0] <= 16 else values
    )
    assert cost.total_ms == 100 + 116 * 4
    assert cost.padding_share == 1 - (100 * 8 + 10 * 4 + 16 + 5 * 12) / (116 * 16)
    assert not cost.estimated


def test_buckets_of_two_dimensions_are_few_together():
    sizes = [Size((a, b), 1000) for a in (1, 2, 3, 4) for b in (10, 20, 30)]
    times = {size.values: float(size.values[0] * size.values[1]) for size in sizes}
    first, second = proposed(sizes, times, 1.0, 8)
    assert len(first) * len(second) <= 8 and first[-1] == 4 and second[-1] == 30
