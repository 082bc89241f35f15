from compile_lint.bench.figures import Range, latency, percentile, saving, settled_after
from compile_lint.bench.record import Latency


def test_percentiles_lie_between_neighbours():
    values = [4.0, 1.0, 3.0, 2.0]
    assert [percentile(values, share) for share in (0, 0.5, 1)] == [1.0, 2.5, 4.0]


def test_the_range_of_a_latency_is_that_of_its_repeats():
    assert latency(Latency(((1.0, 2.0, 9.0), (3.0,), (), (2.5,)))) == Range(2.5, 2.0, 3.0)
    assert latency(Latency()) is None


def test_a_saving_is_paired_by_repeat():
    eager, compiled = Latency(((10.0,), (20.0,))), Latency(((5.0,), (16.0,)))
    found = saving(eager, compiled)
    assert found is not None
    assert (round(found.value, 9), found.low, found.high) == (0.35, 1 - 16 / 20, 0.5)
    assert saving(eager, Latency()) is None


def test_a_process_settles_when_two_calls_in_a_row_take_what_later_ones_take():
    assert settled_after([9.0, 1.0, 9.0, 1.0, 9.0, 1.0]) is None
    assert settled_after([9.0, 1.0, 9.0, 1.0, 9.0, 1.0]) is None
    assert settled_after([1.0, 1.0, 1.0]) == 0
    assert settled_after([1.0, 1.0]) is None
    assert settled_after([9.0, 1.0, 9.0, 1.0, 9.0, 1.0]) is None
