"""The figures that must hold, and the verdicts."""

import dataclasses

import pytest

from compile_lint.bench.figures import Range
from compile_lint.decision.decide import decide
from compile_lint.decision.model import Business


def texts(decision, weight=None):
    return [one.text for one in decision.reasons if weight in (None, one.weight)]


def test_ten_thousand_at_thirty_percent_saves_three_thousand(made):
    found = decide(made.evidence(), made.business())
    assert found.saving_per_month == Range(3000.0, 3000.0, 3000.0)
    assert found.payback_months == 6.0
    assert found.saving_share == made.exactly(0.3)
    assert found.break_even_requests == 40.0
    assert found.verdict == "go"
    assert texts(found, "for")[0] == "reason.saving-times"


def test_money_without_traffic(made):
    found = decide(made.evidence(eager_ms=None, compiled_ms=None), Business(10_000.0, engineering_cost=18_000.0))
    assert (found.saving_per_month.value, found.payback_months) == (3000.0, 6.0)
    assert found.break_even_requests is None


@pytest.mark.parametrize("more", [{"replicas": 8.0, "restarts_per_day": 2.0}, {}, {"restarts_per_day": 24.0}])
def test_a_hundred_thousand_requests_of_five_seconds_pay(made, more):
    found = decide(made.evidence(), made.business(**more))
    assert found.verdict == "go"
    assert 2800 < found.saving_per_month.low <= 3000


@pytest.mark.parametrize(
    "more",
    [
        {"requests_per_day": 1.0, "replicas": 1.0, "restarts_per_day": 1.0},
        {"requests_per_day": 1.0},
        {"requests_per_day": 1 / 30, "restarts_per_day": 0.0},
        {"requests_per_day": 8.0, "replicas": 8.0, "restarts_per_day": 1.0},
    ],
)
def test_a_model_that_is_called_once_never_pays(made, more):
    found = decide(made.evidence(), made.business(**more))
    assert (found.verdict, found.payback_months) == ("no-go", None)
    assert found.saving_per_month.value < 0
    assert set(texts(found, "blocks")) <= {"reason.once", "reason.unearned"}


def test_called_once_never_pays_even_where_nobody_knows_the_warm_up(made):
    found = decide(made.evidence(cold_s=None), made.business(requests_per_day=1.0, restarts_per_day=1.0))
    assert texts(found, "blocks") == ["reason.once"]


def test_a_hard_error_is_never_go(made):
    found = decide(made.evidence(error="RuntimeError: no fake kernel"), made.business())
    assert (found.verdict, texts(found)[0]) == ("no-go", "reason.error")
    assert found.conditions[0].text == "condition.error"


def test_a_saving_within_the_noise_is_none(made):
    found = decide(made.evidence(saving=Range(0.05, -0.03, 0.13)), made.business())
    assert (found.verdict, texts(found, "blocks")) == ("no-go", ["reason.noise"])
    assert found.payback_months is None
    assert found.saving_per_month == Range(500.0, pytest.approx(-300.0), pytest.approx(1300.0))


def test_slower_when_compiled(made):
    found = decide(made.evidence(saving=Range(-0.2, -0.25, -0.1)), made.business())
    assert (found.verdict, texts(found)[0]) == ("no-go", "reason.slower")
    assert (found.payback_months, found.break_even_requests) == (None, None)


def test_nothing_known(made):
    found = decide(dataclasses.replace(made.evidence(), saving=None, compiled_ms=None), made.business())
    assert (found.verdict, texts(found)[0], found.saving_per_month) == ("no-go", "reason.unknown", None)


def test_no_request(made):
    found = decide(made.evidence(), made.business(requests_per_day=0.0, restarts_per_day=1.0))
    assert texts(found, "blocks") == ["reason.no-traffic"]


def test_engineering_that_takes_too_long_or_forever(made):
    assert texts(decide(made.evidence(), made.business(engineering_cost=80_000.0)))[0] == "reason.payback-long"
    free = decide(made.evidence(), made.business(gpu_cost_per_month=0.0))
    assert (texts(free)[0], free.payback_months) == ("reason.payback-never", None)


def test_pay_back_that_may_take_too_long_is_told(made):
    found = decide(made.evidence(saving=Range(0.3, 0.05, 0.5)), made.business())
    assert found.verdict == "go"
    assert "reason.payback-unsure" in texts(found, "against")
    assert found.payback_range == Range(6.0, 3.6, 36.0)


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"breaks": 2, "score": 60.0}, "reason.breaks"),
        ({"breaks": None, "score": 60.0}, "reason.score"),
        ({"same_result": False}, "reason.differs"),
        ({"cold_s": None}, "reason.cold-unknown"),
        ({"recompile_s": 30.0, "requests_that_compile": 0.05}, "reason.recompiles"),
        ({"recompile_s": 30.0, "limit_hit": True}, "reason.limit"),
    ],
)
def test_what_must_come_first(made, more, text):
    found = decide(made.evidence(**more), made.business())
    assert (found.verdict, texts(found)[0]) == ("conditions", text)


def test_first_requests_that_take_too_long(made):
    assert texts(decide(made.evidence(), made.business(first_request_slo=5.0)))[0] == "reason.slo"
    assert decide(made.evidence(), made.business(first_request_slo=90.0)).verdict == "go"


def test_recompilations_cost(made):
    more = {"replicas": 6.0, "restarts_per_day": 10.0}
    found = decide(made.evidence(recompile_s=60.0, requests_that_compile=0.001), made.business(**more))
    assert found.recompile_cost_per_month == pytest.approx(10_000 * 60 * 60 / 500_000)
    assert found.saving_per_month.value == pytest.approx(3000 - 2 * 72)
    assert found.verdict == "go"


def test_requests_that_meet_a_cold_process(made):
    rarely = decide(made.evidence(), made.business(requests_per_day=1000.0, replicas=2.0, restarts_per_day=3.0))
    assert rarely.cold_requests_per_day == 6.0
    often = decide(made.evidence(), made.business(requests_per_day=86_400.0 * 10, replicas=10.0, restarts_per_day=1.0))
    assert often.cold_requests_per_day == 600.0


def test_starts_take_up_the_saving(made):
    found = decide(made.evidence(), made.business(requests_per_day=None, restarts_per_day=600.0))
    assert texts(found, "blocks") == ["reason.net"]


def test_doubts_are_told(made):
    found = decide(made.evidence(assumed=("saving",), repeats=1), made.business(replicas=2.0))
    assert set(texts(found, "against")) == {"reason.too-busy", "reason.one-repeat", "reason.assumed"}
    assert "reason.idle" in texts(decide(made.evidence(), made.business(replicas=60.0)))
    assert "reason.part" in texts(decide(made.evidence(eager_ms=made.exactly(900.0)), made.business(replicas=2.0)))


def test_reasons_name_their_evidence(made):
    found = decide(made.evidence(assumed=("cold_s",)), made.business(restarts_per_day=1.0))
    places = {one.text: one.evidence for one in found.reasons}
    assert places["reason.saving-times"] == "bench.json: detr: latency"
    assert places["reason.earned"] == (
        "bench.json: detr: latency; assumed: cold_s; business: requests-per-day, restarts-per-day"
    )
