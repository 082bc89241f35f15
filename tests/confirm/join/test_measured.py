"""The measured score, what each deduction takes of it, and what to fix first."""

import pytest

from compile_lint.confirm.join.measured import measure, without
from compile_lint.confirm.observation import Place, Raised

ENTRY = Place("m.py", 5, "fn")


def measured(made, breaks=(), recompiles=(), **more):
    return measure(made.seen("/p/m.py", (), **more), breaks, recompiles, ENTRY)


def summed(found):
    return sum(cost.points for cost in found.costs)


def test_one_graph_is_perfect(made):
    found = measured(made)
    assert (found.score, found.costs, found.fix_first) == (100.0, (), None)


def test_the_only_break_takes_all_that_is_lost(made):
    found = measured(made, [made.joined_break()], graphs=(3, 1))
    assert found.score == pytest.approx(62.5)  # (9 + 1) / 16
    (cost,) = found.costs
    assert (cost.kind, cost.path, cost.line, cost.graph_break_id) == ("break", "m.py", 7, "GB0170")
    assert cost.points == pytest.approx(37.5)
    assert (found.fix_first.line, found.fix_first.score, found.fix_first.gain) == (7, 100.0, 37.5)


def test_deductions_add_up_and_the_oftener_one_is_fixed_first(made):
    breaks = [made.joined_break(line=7), made.joined_break(line=9, times=3), made.joined_break(line=11)]
    found = measured(made, breaks, graphs=(2, 5, 1, 4, 3, 1), ops_outside_graphs=2)
    assert summed(found) == pytest.approx(100 - found.score)
    assert [cost.line for cost in found.costs] == [9, 7, 11]
    assert found.fix_first.line == 9
    assert found.score < found.fix_first.score < 100


def test_what_follows_from_another_break_costs_nothing_of_its_own(made):
    breaks = [made.joined_break(line=7, frame_skipped=True), made.joined_break(line=9, consequence_of="m.py:7")]
    found = measured(made, breaks, graphs=(), ops_outside_graphs=4)
    assert found.score == 25.0
    assert [(cost.line, cost.points) for cost in found.costs] == [(7, 75.0)]


def test_an_error_makes_it_0(made):
    error = Raised("TypeError", "no\nmore", Place("/p/m.py", 8, "fn"), graph_break_id="GB0002")
    found = measured(made, error=error, graphs=(2, 2))
    assert found.score == 0.0
    assert [(cost.kind, cost.points, cost.reason) for cost in found.costs] == [("error", 100.0, "TypeError: no")]
    assert found.fix_first.score == 50.0


def test_recompilations(made):
    dynamic = made.joined_recompile(automatic_dynamic=True)
    assert measured(made, recompiles=[dynamic]).score == 100.0
    one = made.joined_recompile(guard_place=Place("m.py", 6, "fn"))
    found = measured(made, recompiles=[dynamic, one, one])
    assert found.score == 50.0
    assert [(cost.kind, cost.line, cost.points) for cost in found.costs] == [("recompile", 6, 50.0)]
    assert found.fix_first.score == 100.0
    two = measured(made, recompiles=[one, made.joined_recompile(input="m")])
    assert (two.score, [cost.points for cost in two.costs], two.fix_first) == (50.0, [25.0, 25.0], None)


def test_operations_outside_without_a_break_are_told(made):
    found = measured(made, graphs=(2,), ops_outside_graphs=2)
    (cost,) = found.costs
    assert (cost.kind, cost.line, cost.points) == ("outside", 5, pytest.approx(62.5))
    assert cost.reason == "2 operations run in no graph, and no break says why"


def test_expected_score_without_some_borders():
    assert without([2, 2], 0.0) == 50.0
    assert without([2, 2], 1.0) == 100.0
    assert without([2, 2], 0.5) == 75.0
    assert without([], 1.0) == 100.0


@pytest.mark.parametrize(
    ("at", "calls", "costs"),
    [
        ([1], 4, 0),
        ([1, 2], 4, 1),
        ([3, 3], 4, 0),
        ([1], 2, 1),
        ([0, 0, 0], 4, 0),
        ([0, 2], 4, 0),
        ([0], 1, 0),
    ],
    ids=[
        "a flag that takes its other value",
        "each call",
        "both sides of a break, in one later call",
        "the only later call",
        "layers compiled in the first call",
        "the first call is no later one",
        "one call",
    ],
)
def test_which_recompilations_cost(made, at, calls, costs):
    found = measured(made, recompiles=[made.joined_recompile(call=call) for call in at], calls=calls)
    assert found.score == (50.0 if costs else 100.0)
    assert len(found.costs) == costs


def test_recompilations_of_different_functions_are_counted_apart(made):
    one, other = made.joined_recompile(function="f", call=1), made.joined_recompile(function="g", call=2)
    assert measured(made, recompiles=[one, other], calls=4).score == 100.0
    assert measured(made, recompiles=[one, made.joined_recompile(function="f", call=3), other], calls=4).score == 50.0
