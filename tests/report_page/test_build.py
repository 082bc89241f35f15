"""What the page says of one target and of several."""

import pytest

from compile_lint.bench.figures import Range
from compile_lint.decision.model import Condition, Reason
from compile_lint.decision.words import NOTHING, PRACTICE
from compile_lint.report_page.catalogue import LANGUAGES, Catalogue
from compile_lint.report_page.facts import facts, tables
from compile_lint.report_page.markdown import render
from compile_lint.report_page.method import method
from compile_lint.report_page.sentence import sentence
from compile_lint.report_page.view import Subject

EN = Catalogue("en")


# The sentence


def test_sentence(made):
    assert sentence(made.decision(), EN) == (
        "Go with conditions: torch.compile saves 30% (28% to 32%) of the time of a call; "
        "that is 3,000 USD (2,800 USD to 3,200 USD) a month; the work pays back in 6 months."
    )
    assert sentence(made.decision(), Catalogue("zh")) == (
        "满足条件后启用：torch.compile 使每次调用的耗时减少 30%（28% 至 32%）；"  # noqa: RUF001
        "相当于每月 3,000 USD（2,800 USD 至 3,200 USD）；投入的工程成本 6 个月收回。"  # noqa: RUF001
    )


def test_sentence_of_a_no_go_is_its_weightiest_reason(made):
    reasons = (Reason("blocks", "trouble.limit", {}, "a"), Reason("against", "trouble.error", {"error": "b"}, "b"))
    no = made.decision(verdict="no-go", reasons=reasons)
    assert sentence(no, EN) == "No-go: The recompile limit was reached: what came after ran in eager mode."
    unknown = made.decision(verdict="go", saving_share=None, saving_per_month=None, payback_months=None)
    assert sentence(unknown, EN) == "Go."


# Figures


def test_facts_mark_what_was_assumed_and_what_follows_from_it(made):
    names = ("eager_ms", "cold_s")
    one = made.decision(assumed=names, evidence=made.evidence(assumed=names))
    assert [fact.name for fact in facts(one, EN) if fact.assumed] == [
        "Saving per month",
        "Pay-back time",
        "Eager call",
        "First call, cold start",
        "Requests until warm-up pays",
        "Requests a day that meet a cold process",
        "Cost of recompilations per month",
    ]
    assert sentence(one, EN).endswith("; what it rests on was assumed, not measured.")


def test_facts_say_never_in_words_and_leave_out_what_is_not_known(made):
    never = made.decision(payback_months=None, break_even_requests=None)
    shown = {fact.name: fact.value for fact in facts(never, EN)}
    assert (shown["Pay-back time"], shown["Requests until warm-up pays"]) == ("never", "never")
    unknown = made.decision(
        payback_months=None, saving_per_month=None, break_even_requests=None, evidence=made.evidence(cold_s=None)
    )
    names = [fact.name for fact in facts(unknown, EN)]
    assert not {"Pay-back time", "Saving per month", "Requests until warm-up pays"} & set(names)


def test_tables(made):
    latencies, starts = tables(made.bench(), EN)
    assert latencies.rows[0] == ("p50", "10 ms", "7 ms") and latencies.rows[-1] == ("peak memory", "300 MiB", "350 MiB")
    assert starts.rows[0] == ("cold: no cache", "60.5 s", "20 s", "10 s", "28 s", "1")
    with_eager = list(tables(made.bench(eager_first_call=(80.0, 90.0)), EN))[1]
    assert with_eager.rows[0] == ("eager", "85 ms", "", "", "", "")
    empty = made.bench(eager=made.bench().eager.__class__(), compiled=made.bench().eager.__class__(), warm_ups=())
    assert list(tables(empty, EN)) == []


def test_method(made):
    shown = {fact.name: fact.value for fact in method(made.subject(), EN)}
    assert shown["torch"] == "2.13.0+cpu" and shown["Seed"] == "0" and shown["C++ compiler"] == "g++ 12.2"
    assert shown["Repeats x calls, eager and compiled in turn"] == "2 x 4"
    assert shown["Requests per day"] == "100,000" and shown["Cost of the engineering"] == "18,000 USD"
    assert "CUDA" not in shown


@pytest.mark.parametrize(
    ("evidence", "part"),
    [
        ("bench.json: detr: latency, warm-up; business: gpu-cost-per-month", "figures"),
        ("a: b; c.json: a: confirmation", "method"),
        ("bench.json: detr: agreement", "engineers"),
        ("assumed: eager_ms", "method"),
        ("practice", "method"),
    ],
)
def test_reasons_and_conditions_lead_to_their_evidence(made, view, evidence, part):
    reasons = (Reason("for", "reason.whole", {}, evidence),)
    conditions = (Condition("condition.canary", {}, evidence),)
    model = view(made.subject(reasons=reasons, conditions=conditions)).models[0]
    assert [one.link for one in (*model.reasons, *model.checklist)] == [f"#model-1-{part}"] * 2


def test_evidence_is_told_in_the_language_of_the_page(made, view):
    given = ("bench.json: detr: latency; assumed: cold_s; business: replicas", NOTHING, PRACTICE)
    reasons = tuple(Reason("for", "reason.whole", {}, one) for one in given)
    told = {
        language: [one.evidence for one in view(made.subject(reasons=reasons), language=language).models[0].reasons]
        for language in LANGUAGES
    }
    assert told["en"] == list(given)
    assert told["zh"] == [
        "bench.json: detr: latency; 假定：cold_s; 业务数据：replicas",  # noqa: RUF001
        "既无测量也无假定",
        "通行做法",
    ]


def test_no_break_is_only_claimed_where_it_was_looked_for(made, view):
    whole = made.bench(confirmation=made.confirmation(breaks=()))
    given = {
        "No graph break was seen.": whole,
        "Nobody looked for graph breaks: `compile-lint bench` does, and `compile-lint confirm`.": made.bench(
            confirmation=None
        ),
    }
    for words, one in given.items():
        model = view(Subject(made.decision(), one, made.record(one))).models[0]
        assert (model.breaks, model.no_breaks) == ((), words)
    crashed = made.bench(confirmation=made.confirmation(breaks=(), status="crashed"))
    assert view(Subject(made.decision(), crashed)).models[0].no_breaks.startswith("Nobody looked")
    assert view(Subject(made.decision())).models[0].no_breaks.startswith("Nobody looked")


# Several


def page_row(page, name):
    """The row of a target in the overview."""
    return next(row for row in page.overview.rows if row[0] == name)


def test_several_are_ranked_by_saving_for_the_effort(made, view):
    cheap = made.subject("cheap", "go", business=made.business(engineering_cost=1_000.0))
    never = made.subject("never", "no-go", saving_per_month=Range(9e6, 9e6, 9e6))
    unknown = made.subject("unknown", saving_per_month=None, saving_share=None)
    cheap_one = page_row(view(made.subject("dear"), made.subject("typed", assumed=("saving",))), "typed")
    assert cheap_one[1] == "Go with conditions (assumed)"
    page = view(made.subject("dear"), never, unknown, cheap)
    assert [model.name for model in page.models] == ["cheap", "dear", "unknown", "never"]
    assert [row[0] for row in page.overview.rows] == ["cheap", "dear", "unknown", "never"]
    assert page.overview.links == ("#model-1", "#model-2", "#model-3", "#model-4")
    assert page.sentence == "4 models, ranked by what they save for the effort; cheap comes first."
    assert page.overview.rows[1] == ("dear", "Go with conditions", "3,000 USD", "30%", "6 months", "61", "1", "0.167")


def test_one_has_no_overview(made, view):
    page = view(made.subject())
    assert (page.overview, page.title) == (None, "Is torch.compile worth it for detr?")
    assert page.sentence == page.models[0].sentence


# Markdown


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_has_every_part(made, view, language):
    catalogue = Catalogue(language)
    page = view(made.subject(), language=language)
    text = render(page, catalogue)
    parts = ("figures", "charts", "engineers", "method")
    assert [line[4:] for line in text.splitlines() if line.startswith("### ")] == [
        catalogue.text(f"page.{part}") for part in parts
    ]
    for chart in page.models[0].charts:
        assert f"#### {chart.title}" in text
    assert text.startswith("# ") and text.endswith(".\n" if language == "en" else "。\n")
    assert text.count("<details>") == len(page.models[0].charts)
    assert "> 7 | if mask.any():" in text


def test_markdown_tells_a_rule_once(made, view, rule_of):
    seen = made.confirmation(breaks=(made.broken(), made.broken(line=9)))
    text = render(view(Subject(made.decision(), made.bench(confirmation=seen))), EN)
    assert text.count("**CL101 tensor-branch**") == 2 and text.count("What to write instead:") == 1
    assert "See `models/detr.py:7` above." in text
