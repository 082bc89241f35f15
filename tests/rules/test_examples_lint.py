"""Each example is linted: of a bad one exactly the marked lines are flagged, with those codes; of a good one none."""

import re
import sys

import pytest

from compile_lint._data import rules_root
from compile_lint.findings import CONFIDENCES, Source
from compile_lint.rulebook import load
from compile_lint.settings import Settings

analysis = pytest.importorskip("compile_lint.analysis")

BOOK = load(rules_root())
ENTRIES = ("fn", "*.fn", "*.forward")
BY_OTHERS = {"CL901"}
"""Reported when suppressions are applied, after the analysis."""


def examples():
    return list(_examples())


def _examples():
    for torch in ("2.13", "2.14"):
        for rule in BOOK.valid_for(torch).rules:
            for kind in ("bad", "good"):
                for number, example in enumerate(getattr(rule, kind), 1):
                    yield pytest.param(rule, example, torch, id=f"{rule.code}-{kind}-{number}-torch{torch}")


def flagged(rule, example, torch):
    settings = Settings(
        entry_points=ENTRIES,
        target_torch=torch,
        torch_config=example.torch_config,
        min_confidence=min(rule.confidence, "likely", key=CONFIDENCES.index),
    )
    report = analysis.analyze([Source("example.py", example.source)], settings, BOOK, None)
    assert report.errors == ()
    least = CONFIDENCES.index(settings.min_confidence)
    return [finding for finding in report.findings if CONFIDENCES.index(finding.confidence) >= least]


@pytest.mark.parametrize(("rule", "example", "torch"), examples())
def test_example_is_flagged_where_it_is_marked(rule, example, torch, expect):
    if sys.version_info < (3, 11) and "except*" in example.source:
        pytest.skip("syntax of Python 3.11")
    findings = flagged(rule, example, torch)
    expected = {(line, code) for line, codes in example.marks.items() for code in codes if code not in BY_OTHERS}
    if rule.code == "CL900" and expected:
        assert [finding.code for finding in findings] == ["CL900"]
        return
    spans = expect.spans(example.source)
    at = {(spans[finding.line], finding.code) for finding in findings}
    assert at == {(spans[line], code) for line, code in expected}, findings


@pytest.mark.parametrize(("rule", "example", "torch"), examples())
def test_texts_are_filled_in(rule, example, torch):
    for finding in flagged(rule, example, torch):
        assert not re.search(r"\{(subject|callee|name)\}", finding.message)
        assert finding.message
        assert finding.why
        assert finding.instead
