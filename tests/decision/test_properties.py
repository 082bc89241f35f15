"""What holds of every decision: more traffic, a larger bill and a faster model never make it worse."""

import dataclasses
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from compile_lint.bench.figures import Range
from compile_lint.decision.assumed import Assumption, assume
from compile_lint.decision.decide import decide
from compile_lint.decision.model import Business, Evidence
from compile_lint.decision.report import FORMATS, render

RANK = {"no-go": 0, "conditions": 1, "go": 2}
amounts = st.one_of(st.just(0.0), st.floats(1e-6, 1e12), st.floats(0, 1e15), st.integers(1, 10**6).map(float))
maybe = st.one_of(st.none(), amounts)
cases = settings(max_examples=150, deadline=None)


@st.composite
def ranges(draw, least=0.0, most=1e12):
    low, value, high = sorted(draw(st.tuples(*(st.floats(least, most),) * 3)))
    return Range(value, low, high)


def times():
    return st.one_of(st.none(), ranges(1e-3, 1e9))


@st.composite
def evidences(draw):
    eager, compiled = draw(times()), draw(times())
    saving = draw(st.one_of(st.none(), ranges(-10.0, 0.999), ranges(0.01, 0.9)))
    return Evidence(
        "model",
        eager_ms=eager,
        compiled_ms=compiled,
        saving=saving,
        cold_s=draw(st.one_of(st.none(), ranges(0.0, 1e6))),
        recompile_s=draw(st.one_of(st.none(), st.floats(0, 1e6))),
        requests_that_compile=draw(st.one_of(st.none(), st.floats(0, 1))),
        score=draw(st.one_of(st.none(), st.floats(0, 100))),
        breaks=draw(st.one_of(st.none(), st.integers(0, 50))),
        error=draw(st.sampled_from(["", "RuntimeError: no"])),
        same_result=draw(st.sampled_from([None, True, False])),
        repeats=draw(st.sampled_from([None, 1, 5])),
    )


@st.composite
def services(draw):
    values = {field: draw(maybe) for field in ("gpu_cost_per_month", "requests_per_day", "engineering_cost")}
    values |= {field: draw(maybe) for field in ("replicas", "restarts_per_day")}
    return Business(**values, first_request_slo=draw(st.one_of(st.none(), st.floats(0.01, 1e4))))


@st.composite
def sound(draw):
    """A model that may well pay, so that verdicts of all three kinds come."""
    return Evidence(
        "model",
        eager_ms=draw(ranges(1.0, 10_000.0)),
        saving=draw(ranges(0.05, 0.9)),
        cold_s=draw(ranges(0.0, 600.0)),
        recompile_s=draw(st.sampled_from([None, 0.0, 10.0])),
        breaks=draw(st.sampled_from([0, 0, 1])),
    )


@st.composite
def ordinary(draw):
    """A service as there are many."""
    return Business(
        gpu_cost_per_month=draw(st.sampled_from([None, 100.0, 10_000.0])),
        requests_per_day=draw(st.floats(1, 1e6)),
        replicas=draw(st.sampled_from([None, 1.0, 7.5])),
        restarts_per_day=draw(st.sampled_from([None, 0.0, 0.5, 24.0])),
        engineering_cost=draw(st.sampled_from([None, 0.0, 18_000.0])),
    )


def _numbers(value):
    if isinstance(value, Range):
        yield from (value.value, value.low, value.high)
    elif value is not None:
        yield value


@cases
@given(evidences(), services())
def test_every_decision_can_be_made_and_reported(evidence, business):
    found = decide(evidence, business)
    shown = (found.saving_per_month, found.saving_share, found.break_even_requests, found.cold_requests_per_day)
    assert not any(math.isnan(one) for value in shown for one in _numbers(value))
    assert found.payback_months is None or (math.isfinite(found.payback_months) and found.payback_months >= 0)
    assert found.break_even_requests is None or math.isfinite(found.break_even_requests)
    assert all(saved.low <= saved.value <= saved.high for saved in (found.saving_per_month,) if saved is not None)
    for form in FORMATS:
        text = render([found], form)
        assert "nan" not in text.lower().replace("finance", "") and "inf " not in text


def test_every_verdict_comes():
    """Else the properties below would say little."""
    found = set()

    @settings(max_examples=200, deadline=None, database=None, derandomize=True)
    @given(sound(), ordinary())
    def collect(evidence, business):
        found.add(decide(evidence, business).verdict)

    collect()
    assert found == set(RANK)


@cases
@given(st.one_of(evidences(), sound()), st.one_of(services(), ordinary()))
def test_what_is_never_go(evidence, business):
    found = decide(evidence, business)
    if evidence.error or found.saving_share is None or found.saving_share.low <= 0:
        assert found.verdict == "no-go"
    if business.requests_per_day is not None and found.requests_per_start is not None:
        assert found.requests_per_start > 1 or found.verdict == "no-go"
    if found.verdict == "no-go":
        assert any(one.weight == "blocks" for one in found.reasons)


def _compare(worse, better):
    assert RANK[worse.verdict] <= RANK[better.verdict]
    if worse.saving_per_month is not None and better.saving_per_month is not None and worse.saving_per_month.value > 0:
        assert worse.saving_per_month.value <= better.saving_per_month.value * (1 + 1e-9) + 1e-9
    if worse.payback_months is not None:
        assert better.payback_months is not None
        assert better.payback_months <= worse.payback_months * (1 + 1e-9)


@cases
@given(st.one_of(evidences(), sound()), st.one_of(services(), ordinary()), amounts, amounts)
def test_more_traffic_is_never_worse(evidence, business, one, other):
    few, many = sorted((one, other))
    worse = decide(evidence, dataclasses.replace(business, requests_per_day=few))
    _compare(worse, decide(evidence, dataclasses.replace(business, requests_per_day=many)))


@cases
@given(st.one_of(evidences(), sound()), st.one_of(services(), ordinary()), amounts, amounts)
def test_a_larger_bill_is_never_worse(evidence, business, one, other):
    small, large = sorted((one, other))
    worse = decide(evidence, dataclasses.replace(business, gpu_cost_per_month=small))
    _compare(worse, decide(evidence, dataclasses.replace(business, gpu_cost_per_month=large)))


@cases
@given(st.one_of(evidences(), sound()), st.one_of(services(), ordinary()), ranges(0.01, 1.5), st.floats(0.001, 1.0))
def test_a_faster_compiled_model_is_never_worse(evidence, business, share, faster):
    eager = evidence.eager_ms or Range(5000.0, 4990.0, 5010.0)
    compiled = Range(*(one * eager.value for one in (share.value, share.low, share.high)))
    slow = dataclasses.replace(evidence, eager_ms=eager, compiled_ms=compiled, saving=None)
    quick = Range(*(one * faster for one in (compiled.value, compiled.low, compiled.high)))
    _compare(decide(slow, business), decide(dataclasses.replace(slow, compiled_ms=quick), business))


@cases
@given(st.one_of(evidences(), sound()), st.one_of(services(), ordinary()), amounts, amounts)
def test_dearer_engineering_is_never_better(evidence, business, one, other):
    cheap, dear = sorted((one, other))
    worse = decide(evidence, dataclasses.replace(business, engineering_cost=dear))
    _compare(worse, decide(evidence, dataclasses.replace(business, engineering_cost=cheap)))


@cases
@given(ranges(1e-3, 1e9), ranges(-10.0, 0.99))
def test_a_saving_with_one_time_gives_the_other(time, saving):
    given_ = (Assumption("", "eager_ms", time), Assumption("", "saving", saving))
    found, idle = assume(Evidence("model"), given_)
    assert idle == ()
    assert found.compiled_ms.low <= found.compiled_ms.value <= found.compiled_ms.high
    assert found.compiled_ms.value == time.value * (1 - saving.value)
    assert set(found.assumed) == {"eager_ms", "saving", "compiled_ms"}
