"""The rule files that ship."""

import ast
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from compile_lint._data import rules_root
from compile_lint.rulebook import EVENTS, load

BOOK = load(rules_root())
RANGES = {
    "1-control-flow": "CL1",
    "2-value-reads": "CL2",
    "3-dynamic-shapes": "CL3",
    "4-custom-operators": "CL4",
    "5-side-effects": "CL5",
    "6-recompilation": "CL6",
    "7-opt-outs": "CL7",
    "8-compile-calls": "CL8",
    "9-tool": "CL9",
}


def each(kind="rules"):
    if kind == "rules":
        return [pytest.param(rule, id=rule.code) for rule in BOOK.rules]
    return [
        pytest.param(rule, example, id=f"{rule.code}-{kind}-{number}")
        for rule in BOOK.rules
        for number, example in enumerate(getattr(rule, kind), 1)
    ]


def test_there_are_rules_in_every_range():
    assert len(BOOK.rules) > 95
    assert {rule.code[:3] for rule in BOOK.rules} == set(RANGES.values())
    assert list(BOOK.codes) == sorted(set(BOOK.codes))


@pytest.mark.parametrize("rule", each())
def test_file_stands_where_its_code_says(rule):
    path = Path(rule.path)
    assert path.name == f"{rule.code}-{rule.name}.toml"
    assert rule.code.startswith(RANGES[path.parent.name])


@pytest.mark.parametrize("rule", each())
def test_texts_read_well(rule):
    assert not rule.summary.endswith("."), "a summary is a line, not a sentence"
    assert not rule.message.endswith(".")
    assert "\n" not in rule.summary + rule.message
    assert rule.why.endswith("."), "the reason is whole sentences"
    assert len(rule.why.split()) >= 12
    assert len(rule.instead.split()) >= 5
    assert all(len(line) <= 170 for line in (rule.why + "\n" + rule.instead).splitlines())


@pytest.mark.parametrize("rule", each())
def test_rule_answers_to_an_event_and_has_examples(rule):
    assert rule.matches
    assert rule.bad, "no example of what is flagged"
    assert len(rule.good) >= 2, "not flagged: needs two near misses"
    titles = [example.title for example in (*rule.bad, *rule.good)]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("rule", each())
def test_breaks_name_their_graph_break_ids(rule):
    if rule.kind == "break":
        assert rule.graph_break_ids
    assert len(set(rule.graph_break_ids)) == len(rule.graph_break_ids)


@pytest.mark.parametrize(("rule", "example"), [*each("bad"), *each("good")])
def test_example_is_python(rule, example):
    if sys.version_info < (3, 11) and "except*" in example.source:
        pytest.skip("syntax of Python 3.11")
    if rule.code != "CL900" or not example.marks:
        tree = ast.parse(example.source)
        assert any(isinstance(node, (ast.FunctionDef, ast.ClassDef)) for node in tree.body)
    for codes in example.marks.values():
        assert all(BOOK.get(code) for code in codes)


def test_every_event_has_a_rule():
    answered = {match.event for rule in BOOK.rules for match in rule.matches}
    assert answered == set(EVENTS)


def test_dotted_names_in_matches_are_plain():
    for rule in BOOK.rules:
        for match in rule.matches:
            for name in match.calls:
                assert re.fullmatch(r"[\w*?.]+", name), (rule.code, name)


def test_loading_is_quick_and_imports_neither_torch_nor_libcst():
    code = (
        "import sys, time; from compile_lint._data import rules_root; from compile_lint.rulebook import load\n"
        "start = time.process_time(); load(rules_root()); print(time.process_time() - start)\n"
        "print(sorted({'torch', 'libcst', 'click'} & sys.modules.keys()))"
    )
    spent, modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert modules == "[]"
    start = time.process_time()
    ast.parse("x = 1\n" * 20_000)
    yardstick = time.process_time() - start  # about 90 ms where all rules load in 30
    assert float(spent) < 2 * yardstick


def test_lookup_is_a_few_dictionary_reads():
    BOOK.for_event("call", "numpy.foo", ("GB0007",))
    start = time.process_time()
    for _ in range(10_000):
        BOOK.for_event("call", "numpy.foo", ("GB0007",))
    assert time.process_time() - start < 0.2
