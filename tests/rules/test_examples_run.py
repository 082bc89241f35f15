"""Each example is run under the installed torch.

A bad one breaks, raises, recompiles or differs at the marked line; a good one does not.
"""

import importlib.util

import pytest

from compile_lint._data import rules_root
from compile_lint.rulebook import load

torch = pytest.importorskip("torch")

from compile_lint.confirm.examples import run  # noqa: E402

BOOK = load(rules_root())
HERE = torch.__version__.split("+")[0]

pytestmark = pytest.mark.torch


def examples():
    return list(_examples())


def _examples():
    for rule in BOOK.valid_for(HERE).rules:
        for kind in ("bad", "good"):
            for number, example in enumerate(getattr(rule, kind), 1):
                yield pytest.param(example, id=f"{rule.code}-{kind}-{number}")


@pytest.mark.parametrize("example", examples())
def test_example_does_what_it_says(example, expect):
    if not example.run:
        pytest.skip(example.run_reason)
    for package in example.requires:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"needs {package}")
    outcome = run(example.source, torch_config=example.torch_config, backend=example.backend)
    assert expect.complaints(BOOK, example, outcome) == []


def test_a_child_that_hangs_is_stopped():
    outcome = run("import time\ndef fn(x):\n    while True:\n        time.sleep(1)\n", seconds=3)
    assert outcome.failure == "no result after 3 s"


def test_a_child_that_dies_is_reported():
    outcome = run("import os\nos._exit(3)\ndef fn(x):\n    return x\n")
    assert "died (exit code 3)" in outcome.failure


def test_code_that_does_not_run_is_reported():
    outcome = run("def fn(x):\n    return x\nraise ValueError('broken')\n")
    assert "ValueError: broken" in outcome.failure


def test_an_error_of_eager_is_no_error_of_compilation():
    outcome = run("def fn(x):\n    y = x * 2\n    raise KeyError('a')\n")
    assert outcome.error is None
    assert outcome.eager_error is not None
    assert (outcome.eager_error.kind, outcome.eager_error.line) == ("KeyError", 3)


def test_the_line_of_a_break_is_the_innermost_one_of_the_example():
    outcome = run("def inner(x):\n    return x.sum().item()\ndef fn(x):\n    y = x + 1\n    return y * inner(y)\n")
    assert {(each.line, each.ids[0]) for each in outcome.breaks} == {(2, "GB0124")}
    assert not any(each.frame_skipped for each in outcome.breaks)


def test_a_skipped_frame_is_told():
    outcome = run("def fn(x):\n    for i in range(2):\n        x = x + 1\n        print(i)\n    return x\n")
    assert [each.line for each in outcome.breaks if each.frame_skipped] == [4]
    assert outcome.graphs == 0
