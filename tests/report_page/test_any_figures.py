"""Whatever figures there are, a page comes of them, in every form and language."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compile_lint.bench.figures import Range
from compile_lint.bench.record import Latency, RemedyCost, Size, Traffic, WarmUp
from compile_lint.decision.decide import decide
from compile_lint.decision.evidence import evidence
from compile_lint.decision.model import Business, Evidence
from compile_lint.report_page.catalogue import LANGUAGES, Catalogue
from compile_lint.report_page.markdown import render
from compile_lint.report_page.view import Subject

TIMES = st.floats(1e-6, 1e9)
MONEY = st.none() | st.just(0.0) | st.floats(0.01, 1e12)
COUNTS = st.none() | st.just(0.0) | st.floats(0.001, 1e12)


@st.composite
def ranges(draw, values=TIMES):
    low, value, high = sorted(draw(st.tuples(values, values, values)))
    return Range(value, low, high)


EVIDENCE = st.builds(
    Evidence,
    name=st.just("m"),
    eager_ms=st.none() | ranges(),
    compiled_ms=st.none() | ranges(),
    saving=st.none() | ranges(st.floats(-1e6, 0.999)),
    cold_s=st.none() | ranges(),
    warm_s=st.none() | ranges(),
    recompile_s=st.none() | TIMES,
    score=st.none() | st.floats(0, 100),
    breaks=st.none() | st.integers(0, 1000),
)
BUSINESS = st.builds(
    Business,
    gpu_cost_per_month=MONEY,
    requests_per_day=COUNTS,
    replicas=st.none() | st.floats(0.001, 1e6),
    restarts_per_day=COUNTS,
    engineering_cost=MONEY,
)
CALLS = st.lists(st.lists(st.floats(0, 1e9), max_size=4).map(tuple), max_size=3).map(tuple)


@given(EVIDENCE, BUSINESS, st.sampled_from(LANGUAGES))
@settings(max_examples=50, deadline=None)
def test_of_a_decision(view, html, figures, business, language):
    shown = view(Subject(decide(figures, business)), language=language)
    assert html(shown).endswith("</html>\n")
    assert render(shown, Catalogue(language)).endswith("\n")


@given(CALLS, CALLS, st.lists(st.floats(0, 1e9), max_size=3).map(tuple), BUSINESS)
@settings(max_examples=50, deadline=None)
def test_of_a_record(view, html, made, eager, compiled, starts, business):
    one = made.bench(eager=Latency(eager), compiled=Latency(compiled), warm_ups=(WarmUp("cold", starts),), traffic=None)
    found = decide(evidence(one, "bench.json"), business, one, "cpu")
    assert html(view(Subject(found, one, made.record(one)))).endswith("</html>\n")


@given(
    st.lists(st.builds(Size, st.tuples(st.integers(1, 10**6), st.integers(1, 9)), st.integers(0, 10**9)), max_size=60),
    st.lists(
        st.builds(
            RemedyCost,
            st.sampled_from(["as-is", "dynamic", "buckets"]),
            st.none() | st.floats(0, 1e12),
            st.none() | st.floats(0, 1e12),
            compiled_at=st.lists(st.tuples(st.tuples(st.integers(1, 99)), st.integers(0, 99)), max_size=4).map(tuple),
        ),
        max_size=4,
        unique_by=lambda one: one.remedy,
    ),
)
@settings(max_examples=50, deadline=None)
def test_of_traffic(view, html, made, sizes, remedies):
    traffic = Traffic("a.csv", ("x.0", "x.1"), tuple(sizes), tuple(remedies))
    one = made.bench(traffic=traffic)
    assert html(view(Subject(made.decision(), one, made.record(one)))).endswith("</html>\n")


@pytest.mark.parametrize("status", ["user-error", "crashed", "timeout", "out-of-memory", "unsupported"])
def test_of_a_target_that_could_not_be_measured(view, html, made, status):
    one = made.bench(
        status=status,
        message="ValueError: no",
        eager=Latency(),
        compiled=Latency(),
        warm_ups=(),
        traffic=None,
        confirmation=None,
    )
    shown = view(Subject(decide(evidence(one, "bench.json"), Business(), one, "cpu"), one, made.record(one)))
    assert shown.models[0].troubles == (f"It could not be measured whole ({status}): ValueError: no",)
    assert shown.models[0].verdict == "no-go" and html(shown).endswith("</html>\n")
