"""Each finding is confirmed, refuted or not reached, and each break without one is missed."""

import pytest

from compile_lint.confirm.join.model import Figures
from compile_lint.confirm.observation import Place, Raised

SOURCE = """\
import torch


@torch.compile
def fn(x):
    y = x + 1
    if x.sum() > 0:
        y = y * 2
    z = y.tolist()
    if x.shape[0] > 100:
        print(y)
    return y, z
"""
"""CL101 in line 7, CL203 in line 9, CL501 in line 11, which does not run."""
RAN = (6, 7, 8, 9, 10, 12)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(SOURCE)
    return tmp_path / "m.py"


def verdicts(found):
    return {(one.finding.code, one.finding.line): (one.verdict, one.because) for one in found.findings}


def test_confirmed_refuted_and_not_reached(made, path):
    found = made.joined(made.seen(path, RAN, breaks=(made.broken(path, 7),)))
    assert verdicts(found) == {
        ("CL101", 7): ("confirmed", "GB0170 at line 7"),
        ("CL203", 9): ("refuted", "ran, and nothing broke there"),
        ("CL501", 11): ("not-reached", "the line did not run"),
    }
    assert found.figures == Figures(confirmed=1, refuted=1, not_reached=1, missed=0)
    (one,) = found.breaks
    assert (one.path, one.line, one.predicted, one.codes) == ("m.py", 7, True, ("CL101",))
    assert one.source == "if x.sum() > 0:"


def test_a_break_without_a_finding_is_missed(made, path):
    found = made.joined(made.seen(path, RAN, breaks=(made.broken(path, 6, "GB0001"),)))
    assert (found.breaks[0].predicted, found.breaks[0].codes) == (False, ())
    assert found.figures == Figures(0, 2, 1, 1)


def test_a_finding_in_a_statement_over_several_lines(made, path):
    path.write_text(SOURCE.replace("z = y.tolist()", "z = [\n        y.tolist()\n    ]"))
    found = made.joined(made.seen(path, (6, 7, 8, 9, 10, 11, 14), breaks=(made.broken(path, 9, "GB0124"),)))
    assert verdicts(found)["CL203", 10] == ("confirmed", "GB0124 at line 9")


def test_behind_a_frame_that_fell_back_nothing_is_refuted(made, path):
    found = made.joined(made.seen(path, RAN, breaks=(made.broken(path, 7, skipped=True),)))
    assert verdicts(found)["CL203", 9] == ("not-reached", "the frame fell back to eager before it")


def test_a_line_that_follows_from_another_is_neither_missed_nor_confirmed(made, path):
    follows = made.broken(path, 9, "GB0001", consequence_of=f"{path}:7")
    found = made.joined(made.seen(path, RAN, breaks=(made.broken(path, 7, skipped=True), follows)))
    assert found.breaks[1].consequence_of == "m.py:7"
    assert verdicts(found)["CL203", 9] == ("not-reached", "the frame was given up for another break")
    assert found.figures == Figures(1, 0, 2, 0)


def test_a_silenced_finding_is_predicted_all_the_same(made, path):
    path.write_text(SOURCE.replace("if x.sum() > 0:", "if x.sum() > 0:  # compile-lint: ignore"))
    found = made.joined(made.seen(path, RAN, breaks=(made.broken(path, 7),)))
    assert ("CL101", 7) not in verdicts(found)
    assert found.breaks[0].codes == ("CL101",)
    assert found.figures.missed == 0


def test_an_error_ends_what_was_seen(made, path):
    error = Raised("TypeError", "no", Place(str(path), 7, "fn"))
    found = made.joined(made.seen(path, RAN, error=error))
    assert verdicts(found)["CL101", 7] == ("confirmed", "TypeError at line 7")
    assert verdicts(found)["CL203", 9] == ("not-reached", "the observation ended before it")
    assert found.error.place.path == "m.py"
    assert (found.score, [cost.kind for cost in found.deductions]) == (0.0, ["error"])


def test_fake_tensors_end_what_was_seen(made, path):
    found = made.joined(made.seen(path, RAN, seen_until=Place(str(path), 9, "fn"), same_result=None))
    assert verdicts(found)["CL101", 7] == ("refuted", "ran, and nothing broke there")
    assert verdicts(found)["CL203", 9] == ("not-reached", "the observation ended before it")


def test_a_break_in_a_library_is_charged_to_the_projects_line(made, path, tmp_path):
    library = tmp_path / "venv" / "site-packages" / "lib.py"
    library.parent.mkdir(parents=True)
    library.write_text("def f(x):\n    return x.item()\n")
    one = made.broken(library, 2, project=Place(str(path), 7, "fn"), in_project=False)
    found = made.joined(made.seen(path, RAN, breaks=(one,), covered={str(path): RAN, str(library): (2,)}))
    (joined,) = found.breaks
    assert (joined.path, joined.in_project) == ("venv/site-packages/lib.py", False)
    assert (joined.charged_to, joined.codes) == (Place("m.py", 7, "fn"), ("CL101",))
    assert {finding.finding.path for finding in found.findings} == {"m.py"}


def test_recompilations(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.py"
    path.write_text("import torch\n\n\n@torch.compile\ndef fn(x, mode: str):\n    return x + 1 if mode == 'a' else x\n")
    once = made.joined(made.seen(path, (6,)))
    assert {one.finding.code: one.because for one in once.findings} == {
        "CL607": "one call shows no recompilation; --vary or --inputs make several"
    }
    twice = made.joined(made.seen(path, (6,), calls=2))
    assert [(one.verdict, one.because) for one in twice.findings] == [
        ("refuted", "2 calls, and nothing was compiled again for it")
    ]
    bad = made.joined(made.seen(path, (6,), calls=2, recompiles=(made.again(path, 5),)))
    assert [(one.verdict, one.because) for one in bad.findings] == [("confirmed", "call 2 compiled `fn` again")]


def test_over_a_run_each_finding_counts_once_and_the_best_verdict_wins(made, path):
    from compile_lint.confirm.join.figures import RuleFigures, by_rule

    first = made.joined(made.seen(path, RAN, "a", breaks=(made.broken(path, 7), made.broken(path, 6, "GB0001"))))
    second = made.joined(made.seen(path, RAN, "b", breaks=(made.broken(path, 6, "GB0001"),)))
    run = made.run(first, second)
    assert (first.figures, second.figures) == (Figures(1, 1, 1, 1), Figures(0, 2, 1, 1))
    assert run.figures == Figures(1, 1, 1, 1)
    assert by_rule(run.targets) == [
        RuleFigures("CL101", "tensor-branch", 1, 0, 0),
        RuleFigures("CL203", "tensor-tolist", 0, 1, 0),
        RuleFigures("CL501", "print", 0, 0, 1),
    ]


def test_a_target_that_failed_has_no_score(made, path):
    found = made.joined(made.seen(path, (), status="crashed", message="signal 9", graphs=(), covered={}))
    assert (found.score, found.deductions, found.fix_first) == (None, (), None)


def test_the_project_leaves_out_what_is_installed_and_the_standard_library(tmp_path):
    import os

    from compile_lint.confirm.project import in_project

    folder = os.path.dirname(os.path.dirname(os.__file__))
    assert not in_project(os.__file__, [folder])
    assert in_project(os.__file__, [os.__file__])
    assert not in_project(str(tmp_path / ".venv/lib/site-packages/a.py"), [str(tmp_path)])
    assert in_project(str(tmp_path / ".venv/lib/site-packages/a/b.py"), [str(tmp_path / ".venv/lib/site-packages/a")])
    assert in_project(str(tmp_path / "a.py"), [str(tmp_path)])
    assert not in_project(f"{tmp_path}x/a.py", [str(tmp_path)])


OPERATOR = """\
import torch


@torch.library.custom_op("mine::add_one", mutates_args=())
def add_one(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x * 2


@add_one.register_fake
def _(x):
    return torch.empty_like(x)


@torch.compile
def fn(x):
    return add_one(x)
"""
"""CL413 in line 17."""


def test_what_the_checks_of_an_operator_say_bears_a_finding_out(made, path):
    path.write_text(OPERATOR)
    changed = "argument `x` is changed, and the schema does not say so: no `Tensor(a!)`"
    bad = made.operator("mine::add_one", status="failed", differences=(changed,), place=Place(str(path), 17, "fn"))
    found = made.joined(made.seen(path, (17,), operators=(bad,)))
    assert verdicts(found)["CL413", 17] == ("confirmed", f"checks of mine::add_one: {changed}")
    (operator,) = found.operators
    assert (operator.place, operator.declared) == (Place("m.py", 17, "fn"), Place("m.py", 4))
    other = made.replace(bad, differences=("dtype of the output: float32 by the fake kernel, float64 by the real one",))
    found = made.joined(made.seen(path, (17,), operators=(other,)))
    assert verdicts(found)["CL413", 17][0] == "refuted"
