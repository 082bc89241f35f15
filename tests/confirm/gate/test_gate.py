"""What makes the exit code."""

import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.gate import DEFAULT, Gate, counted_breaks, exit_code, failures, kinds, lies_in
from compile_lint.confirm.observation import Place, Raised


def judged(targets, **gate):
    failed = failures(targets, Gate(**gate))
    return exit_code(targets, failed), failed


def test_clean(made):
    assert judged([made.target()]) == (0, [])
    assert judged([]) == (0, [])


def test_a_break_fails_unless_left_out(made):
    one = made.target(breaks=(made.joined_break(), made.joined_break(line=9, number="")))
    assert judged([one]) == (1, ["2 breaks: m.py:7 (GB0170), m.py:9"])
    assert judged([one], fail_on=("error", "wrong")) == (0, [])


def test_errors_and_results(made):
    one = made.target(error=Raised("TypeError", "no", None), same_result=False)
    assert judged([one]) == (1, ["model: raises only when compiled (TypeError)", "model: results differ from eager"])
    assert judged([one], fail_on=("break",)) == (0, [])


def test_recompilations_fail_only_when_asked_for(made):
    dynamic = made.joined_recompile(automatic_dynamic=True)
    one = made.target(recompiles=(dynamic, made.joined_recompile(guard_place=Place("m.py", 6, "fn"))))
    assert judged([one]) == (0, [])
    assert judged([one], fail_on=("recompile",)) == (1, ["1 recompilation: m.py:6 (fn)"])
    assert judged([one], max_recompiles=1) == (0, [])
    assert judged([one], max_recompiles=0) == (1, ["1 recompilation, more than 0: m.py:6 (fn)"])
    assert judged([made.target(recompiles=(dynamic,))], fail_on=("recompile",)) == (0, [])


def test_what_could_not_be_observed_is_2(made):
    assert judged([made.failed(), made.target(breaks=(made.joined_break(),))])[0] == 2
    assert judged([made.failed()], fail_on=(), fail_under=100.0) == (2, [])


def test_max_breaks_counts_each_line_once_and_no_consequence(made):
    follows = made.joined_break(line=9, consequence_of="m.py:7")
    one = made.target("a", breaks=(made.joined_break(), follows))
    two = made.target("b", breaks=(made.joined_break(number="GB0001"), made.joined_break(line=12)))
    gate = {"fail_on": (), "max_breaks": 2}
    assert judged([one, two], **gate) == (0, [])
    assert judged([one, two], **{**gate, "max_breaks": 1}) == (
        1,
        ["2 breaks, more than 1: m.py:7 (GB0170), m.py:12 (GB0170)"],
    )


def test_many_places_are_cut(made):
    one = made.target(breaks=tuple(made.joined_break(line=line, number="") for line in range(1, 8)))
    assert judged([one])[1] == ["7 breaks: m.py:1, m.py:2, m.py:3, m.py:4, m.py:5 and 2 more"]


def test_fail_under_weighs_operations(made):
    one, two = made.target("a", graphs=(30,), score=100.0), made.target("b", graphs=(5, 5), score=50.0)
    assert judged([one, two], fail_under=87.5) == (0, [])
    assert judged([one, two], fail_under=88.0) == (1, ["the measured score 87.5 is under 88"])


def test_in_counts_the_innermost_line_of_the_project(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text("")
    library = made.joined_break("lib/x.py", 3, in_project=False, charged_to=Place("pkg/a.py", 4, "f"))
    nobody = made.joined_break("lib/x.py", 5, in_project=False, charged_to=None)
    one = made.target(breaks=(made.joined_break("other/m.py"), library, nobody))
    for within in ("pkg", "pkg/", "pkg/a.py", str(tmp_path / "pkg")):
        assert judged([one], within=(within,)) == (
            1,
            [f"1 break in {within}: lib/x.py:3 (GB0170) from pkg/a.py:4"],
        )
    assert judged([one], within=("third",)) == (0, [])
    assert len(counted_breaks([one])) == 3


def test_in_narrows_recompilations_by_the_line_of_the_guard(made):
    one = made.target(recompiles=(made.joined_recompile("lib/x.py", guard_place=Place("pkg/a.py", 6, "f")),))
    assert judged([one], fail_on=("recompile",), within=("pkg",))[0] == 1
    assert judged([one], fail_on=("recompile",), within=("lib",))[0] == 0


def test_packages_are_found_by_name_alone():
    assert lies_in("/x/site-packages/a/b/c.py", ["a.b"])
    assert lies_in("/x/a/b.py", ["a.b"])
    assert not lies_in("/x/a/bb/c.py", ["a.b"])
    assert not lies_in("/x/ab/c.py", ["b"])
    assert lies_in("/x/ab/c.py", ["b", "ab"])


def test_kinds():
    assert kinds(["break, wrong", "error"]) == ("error", "wrong", "break")
    assert kinds(["any"]) == ("error", "wrong", "break", "recompile", "operator")
    assert kinds(["none"]) == ()
    assert DEFAULT == ("error", "wrong", "break")
    with pytest.raises(ConfigError, match=r"'breaks' is no kind\b.*\bbreak\b"):
        kinds(["breaks"])
    with pytest.raises(ConfigError, match="'none' goes with no other kind"):
        kinds(["none,break"])
