"""The forms of the report: whole, in both languages, and whatever names hold is shown as it is."""

import dataclasses
import json
import re

import pytest
from markdown_it import MarkdownIt

from compile_lint.bench.figures import Range
from compile_lint.decision.decide import decide
from compile_lint.decision.evidence import evidence
from compile_lint.decision.formulas import ASSUMPTIONS, FORMULAS
from compile_lint.decision.report import render
from compile_lint.report_page.catalogue import LANGUAGES, Catalogue, texts

HOSTILE = "a|b`c`<script>alert(1)</script>[x](javascript:1)\n\x1b[31m\u202e\udc80{y}{% z %}"
CONTROL = {"\x1b", "\u202e", "\udc80"}


@pytest.fixture
def hostile(made):
    """A decision with the worst in every text that comes from outside."""
    seen = made.confirmation(breaks=(made.broken(f"{HOSTILE}.py", reason=HOSTILE, source=HOSTILE),))
    bench = made.bench(confirmation=seen, compiled_error=HOSTILE, differences=(HOSTILE,), same_result=False)
    found = evidence(bench, HOSTILE)
    return decide(dataclasses.replace(found, name=HOSTILE), made.business(currency="€|<b>"), bench)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_hostile_texts(hostile, form, language):
    text = render([hostile, hostile], form, language)
    assert not CONTROL & set(text)
    if form == "json":
        assert json.loads(text)["decisions"][0]["conditions"][0]["key"] == "condition.error"
    if form == "markdown":
        html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
        assert "<script" not in html and "<b>" not in html and "href" not in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_formulas_and_what_they_take_for_granted_stand_in_every_report(made, language):
    found = decide(made.evidence(), made.business())
    catalogue = Catalogue(language)
    lines = [catalogue.text(key, limit="24") for key in (*FORMULAS, *ASSUMPTIONS)]
    text = " ".join(render([found], "text", language).split())
    assert all(" ".join(line.split())[:60] in text for line in lines)
    document = json.loads(render([found], "json", language))
    assert [*document["formulas"], *document["assumptions"]] == lines


def test_every_formula_and_assumption_of_the_catalogue_is_shown():
    known = {key for key in texts("en") if key.startswith(("formula.", "assumption."))}
    assert known == {*FORMULAS, *ASSUMPTIONS}


def test_never_is_said_in_words(made):
    never = decide(made.evidence(saving=Range(0.05, -0.03, 0.13)), made.business())
    text = render([never], "text")
    assert re.search(r"^  Pay-back time +never$", text, re.MULTILINE)
    assert "The saving of 5% may be none: it lies between -3% and 13%." in text
    slower = decide(made.evidence(saving=Range(-0.2, -0.3, -0.1)), made.business())
    assert "A compiled call takes 20% more time than an eager one." in render([slower], "markdown")


def test_colours_only_where_asked_for(made):
    found = decide(made.evidence(), made.business())
    assert "\x1b[" not in render([found], "text")
    assert "\x1b[32;1mGo\x1b[0m" in render([found], "text", color=True)
