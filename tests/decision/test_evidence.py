"""From a record to the figures of a decision."""

import pytest

from compile_lint.bench.figures import Range
from compile_lint.bench.record import Latency, RemedyCost, WarmUp
from compile_lint.confirm.observation import Place, Raised
from compile_lint.decision.evidence import evidence


def test_all_that_was_measured(made):
    found = evidence(made.bench(), "bench.json")
    assert (found.name, found.source, found.assumed) == ("detr", "bench.json", ())
    assert (found.eager_ms, found.compiled_ms) == (Range(10.0, 10.0, 10.5), Range(7.0, 7.0, 7.0))
    assert found.saving == Range(pytest.approx(0.3), pytest.approx(0.3), pytest.approx(1 - 7 / 10.5))
    assert (found.cold_s, found.warm_s) == (Range(60.5, 60.0, 61.0), Range(9.1, 9.0, 9.2))
    assert found.recompile_s == 100.0 - 60.5
    assert found.requests_that_compile == 0.03
    assert (found.score, found.predicted_score, found.breaks, found.repeats) == (61.0, 58.0, 1, 3)
    assert (found.error, found.failed, found.same_result, found.limit_hit) == ("", "", True, False)


def test_what_was_not_measured_is_not_known(made):
    empty = made.bench(
        eager=Latency(), compiled=Latency(), warm_ups=(), traffic=None, same_result=None, confirmation=None
    )
    found = evidence(empty, "bench.json")
    known = (found.eager_ms, found.saving, found.cold_s, found.warm_s, found.recompile_s, found.score, found.breaks)
    assert set(known) == {None}
    assert (found.repeats, found.same_result, found.limit_hit) == (None, None, None)


def test_one_compilation_is_no_recompilation(made):
    once = made.traffic(remedies=(RemedyCost("as-is", 9.0, 60_000.0, 1, 1),))
    assert evidence(made.bench(traffic=once), "").recompile_s == 0.0
    no_cold = made.bench(traffic=made.traffic(), warm_ups=(WarmUp("artifacts", (5_000.0,)),))
    found = evidence(no_cold, "")
    assert found.recompile_s == pytest.approx(100 * 2 / 3)
    assert (found.cold_s, found.warm_s) == (None, Range(5.0, 5.0, 5.0))


def test_errors_in_one_line(made):
    raised = made.confirmation(error=Raised("RuntimeError", "no fake\nkernel", Place("a.py", 3)))
    assert evidence(made.bench(confirmation=raised), "").error == "RuntimeError: no fake"
    assert evidence(made.bench(compiled_error="Boom: x\ny"), "").error == "Boom: x"
    assert evidence(made.bench(status="timeout", message="after 300 s"), "").failed == "timeout: after 300 s"


def test_breaks_that_follow_from_another_count_once(made):
    seen = made.confirmation(breaks=(made.broken(), made.broken(line=9, consequence_of="models/detr.py:7")))
    assert evidence(made.bench(confirmation=seen), "").breaks == 1
