"""Traffic under each remedy, with a backend that compiles nothing."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("psutil")
pytest.importorskip("msgspec")

from compile_lint.bench.read import read_record

pytestmark = pytest.mark.torch
SOURCE = """\
import torch


def loops(x):
    for step in range(x.shape[0]):
        x = x + step
    return x


def plain(x):
    return torch.tanh(x)


def rows(x):
    return torch.nn.functional.linear(x, torch.ones(3, 8))
"""
QUICK = ("--device", "cpu", "--starts", "1", "--repeats", "2", "--calls", "3", "--isolated", "--no-warm",
         "--no-artifacts", "--backend", "eager")  # fmt: skip


@pytest.fixture
def bench(command, tmp_path):
    """Measure a function of m.py; gives the outcome of the command and the target of the record."""
    (tmp_path / "m.py").write_text(SOURCE)

    def call(name, *options):
        done = command("bench", name, *QUICK, "--save", "bench.json", *options)
        return done, read_record("bench.json").targets[0]

    return call


def test_the_traffic_under_each_remedy(bench, tmp_path):
    (tmp_path / "t.csv").write_text("x.0,count\n4,10\n6,5\n8,1\n")
    done, target = bench("m.py:loops", "--input", "x=float32[4,2]", "--traffic", "t.csv", "--buckets", "2")
    assert (done.code, target.status) == (0, "ok")
    traffic = target.traffic
    assert (traffic.source, traffic.dimensions, traffic.requests) == ("t.csv", ("x.0",), 16)
    assert [values for values, _, _ in traffic.size_ms] == [(4,), (6,), (8,)]
    assert all(eager > 0 and compiled > 0 for _, eager, compiled in traffic.size_ms)
    found = {each.remedy: each for each in traffic.remedies}
    assert list(found) == ["as-is", "dynamic", "static", "mark-dynamic", "buckets"]
    for name in ("as-is", "static"):
        assert (found[name].compiles, found[name].requests_that_compile) == (3, 3), "the loop is unrolled for each size"
        assert 0 < found[name].compile_ms < found[name].total_ms
    assert found["mark-dynamic"].total_ms is None
    assert found["mark-dynamic"].raised.startswith("ConstraintViolationError: ")
    (edges,) = traffic.edges
    assert edges[-1] == 8 and len(edges) <= 2
    assert found["buckets"].compiles == len(edges)
    assert not any(each.estimated or each.limit_hit for each in traffic.remedies)
    cheapest = min((one for one in traffic.remedies if one.total_ms is not None), key=lambda one: one.total_ms)
    assert traffic.cheapest == cheapest.remedy
    assert {one.input for one in target.confirmation.recompiles} == {"x.size(0)"}
    assert "  cheapest    " in done.out


def test_sizes_that_become_dynamic_compile_twice(bench):
    done, target = bench("m.py:plain", "--input", "x=float32[4,2]", "--vary", "x.0=4,6,8,10,12", "--sizes", "3",
                         "--no-remedies", "--no-confirm")  # fmt: skip
    (as_is,) = target.traffic.remedies
    assert (done.code, target.traffic.source) == (0, "--vary x.0=4,6,8,10,12")
    assert (as_is.compiles, as_is.requests_that_compile, as_is.estimated) == (2, 2, True)
    assert target.traffic.edges == ()


def test_sizes_that_the_target_cannot_take(bench):
    done, target = bench("m.py:rows", "--input", "x=float32[4,8]", "--vary", "x.1=8,9", "--no-confirm")
    assert (done.code, target.status) == (2, "user-error")
    assert target.message.startswith("the traffic as it is: calling it in eager mode: RuntimeError: ")
    assert [size for size, _, _ in target.traffic.size_ms] == [(8,)]
    assert [cost.remedy for cost in target.traffic.remedies] == ["as-is"], "the others could not be served either"


def test_a_dimension_that_is_not_there(bench):
    done, target = bench("m.py:plain", "--input", "x=float32[4,2]", "--vary", "y.0=8,9", "--no-confirm")
    assert (done.code, target.status) == (2, "user-error")
    assert target.message == "the traffic as it is: --vary 'y.0=8': the call has no argument 'y'; valid are 'x'"
    assert (
        target.traffic.remedies[0].raised == "user-error: --vary 'y.0=8': the call has no argument 'y'; valid are 'x'"
    )
    assert len(target.traffic.remedies) == 1 and target.traffic.cheapest == ""
