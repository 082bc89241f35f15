"""The predicted score over branches that Python decides: each break there counts as often as such breaks are met."""

from dataclasses import replace

import pytest

from compile_lint.rulebook import Rulebook
from compile_lint.rulebook.model import IN_BRANCH

HEAD = "import logging\n\nimport torch\n\nlogger = logging.getLogger(__name__)\n\n\n"


def scored(lint, body, name="fn", before=""):
    """The score of the entry `name` of a file, with its deductions by code."""
    report = lint(HEAD + before + body, entry_points=(name,)).report
    (score,) = [one for one in report.scores if one.entry == name]
    return score, {(one.code, one.line): one.points for one in score.deductions}


def test_a_break_in_a_branch_counts_as_often_as_such_are_met(lint):
    always, _ = scored(lint, "def fn(x: torch.Tensor, slow):\n    y = x + 1\n    print(slow)\n    return y + 1\n")
    branch, costs = scored(
        lint, "def fn(x: torch.Tensor, slow):\n    y = x + 1\n    if slow:\n        print(slow)\n    return y + 1\n"
    )
    assert always.score == 50.0
    assert branch.score == pytest.approx(100 - IN_BRANCH * 50, abs=0.05)
    assert costs == {("CL501", 11): pytest.approx(IN_BRANCH * 50)}
    assert (branch.graphs, always.graphs) == (1, 2)


@pytest.mark.parametrize(
    "body",
    [
        "    y = x + 1 if slow else print(x) or x\n    return y + 1\n",
        "    match slow:\n        case 1:\n            print(x)\n    return (x + 1) * 2\n",
        "    if slow:\n        y = x + 1\n    else:\n        print(x)\n        y = x + 1\n    return y * 2\n",
    ],
    ids=["conditional expression", "match", "else"],
)
def test_every_kind_of_branch(lint, body):
    score, costs = scored(lint, "def fn(x: torch.Tensor, slow):\n" + body)
    assert 100 - IN_BRANCH * 100 < score.score < 100 or score.score == 100.0
    assert set(costs) <= {("CL501", line) for line in range(8, 14)}
    assert score.graphs == 1


def test_a_test_whose_outcome_is_known_is_no_branch(lint):
    score, _ = scored(
        lint, "def fn(x: torch.Tensor):\n    y = x + 1\n    if x.dim:\n        print(1)\n    return y + 1\n"
    )
    known, _ = scored(
        lint, "def fn(x: torch.Tensor):\n    y = x + 1\n    if True:\n        print(1)\n    return y + 1\n"
    )
    assert known.score == 50.0
    assert score.score > known.score


def test_logging_in_a_branch_is_seldom_met(lint, linting):
    share = linting.rulebook().get("CL502").met_in_branch
    score, costs = scored(
        lint, "def fn(x: torch.Tensor, n):\n    y = x + 1\n    if n:\n        logger.warning(n)\n    return y + 1\n"
    )
    assert score.score == pytest.approx(100 - share * 50)
    assert costs == {("CL502", 11): pytest.approx(share * 50)}


def test_a_call_in_a_branch(lint):
    before = "def slow(x):\n    print(x)\n    return x\n\n\n"
    score, costs = scored(
        lint,
        "def fn(x: torch.Tensor, n):\n    y = x + 1\n    if n:\n        slow(y)\n    return y + 1\n",
        before=before,
    )
    assert score.score == pytest.approx(100 - IN_BRANCH * 50, abs=0.05)
    assert costs == {("CL501", 9): pytest.approx(IN_BRANCH * 50)}


def test_what_is_called_elsewhere_too_always_counts(lint):
    before = "def slow(x):\n    print(x)\n    return x\n\n\n"
    score, costs = scored(
        lint,
        "def fn(x: torch.Tensor, n):\n    y = slow(x + 1)\n    if n:\n        slow(y)\n    return y + 1\n",
        before=before,
    )
    assert score.score == 50.0
    assert costs == {("CL501", 9): 50.0}


def test_several_branches_each_lower_the_score(lint):
    body = "def fn(x: torch.Tensor, n, m):\n    y = x + 1\n    if n:\n        print(n)\n"
    one, _ = scored(lint, body + "    return y + 1\n")
    two, costs = scored(lint, body + "    if m:\n        print(m)\n    return y + 1\n")
    assert 50 < two.score < one.score < 100
    assert sum(costs.values()) == pytest.approx(100 - two.score, abs=0.2)
    assert costs["CL501", 11] == costs["CL501", 13]


def test_an_error_in_a_branch(lint):
    op = (
        '@torch.library.custom_op("demo::op", mutates_args=())\n'
        "def op(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n\n\n"
    )
    always, _ = scored(lint, "def fn(x: torch.Tensor, n):\n    return op(x) + 1\n", before=op)
    branch, costs = scored(
        lint, "def fn(x: torch.Tensor, n):\n    if n:\n        x = op(x)\n    return x + 1\n", before=op
    )
    assert always.score == 0.0
    assert branch.score == pytest.approx(100 - IN_BRANCH * 100)
    assert [code for code, _ in costs] == ["CL401"]


def test_a_frame_given_up_in_a_branch(lint):
    loop = "        for i in range(3):\n            print(i)\n"
    score, _ = scored(
        lint, "def fn(x: torch.Tensor, n):\n    y = x + 1\n    if n:\n" + loop + "    return (y + 1) * 2\n"
    )
    # three operations, each for itself where the branch is met
    assert score.score == pytest.approx(100 - IN_BRANCH * (100 - 100 / 3), abs=0.06)


def test_a_rule_may_say_that_its_findings_are_never_met_there(lint, linting, monkeypatch):
    rule = linting.rulebook().get("CL502")
    never = Rulebook(replace(one, met_in_branch=0.0) if one is rule else one for one in linting.rulebook().rules)
    monkeypatch.setattr(linting, "rulebook", lambda: never)
    score, costs = scored(
        lint, "def fn(x: torch.Tensor, n):\n    y = x + 1\n    if n:\n        logger.warning(n)\n    return y + 1\n"
    )
    assert (score.score, score.graphs, costs) == (100.0, 1, {})
