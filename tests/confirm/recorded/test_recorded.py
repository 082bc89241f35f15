"""Models of installed libraries as `record.py` recorded them, joined and reported without torch or the libraries."""

import json
from pathlib import Path

import pytest

from compile_lint.confirm.join import join
from compile_lint.confirm.join.code import Code
from compile_lint.confirm.join.join import run_of
from compile_lint.confirm.join.predict import Prediction
from compile_lint.confirm.observation import Observation
from compile_lint.confirm.report import FORMATS, render
from compile_lint.findings import EntryScore, Finding

msgspec = pytest.importorskip("msgspec")
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.json"))
PACKAGES = "/site-packages"


class Recorded(Code):
    """Answers as the sources did when they were asked."""

    def __init__(self, answers):
        super().__init__()
        self._answers = answers

    def _answer(self, what, path, line, otherwise):
        return self._answers[what].get(path, {}).get(str(line), otherwise)

    def line(self, path, line):
        return self._answer("line", path, line, "")

    def statement(self, path, line):
        return tuple(self._answer("statement", path, line, (line, line)))

    def function(self, path, line):
        found = self._answer("function", path, line, None)
        return found and tuple(found)

    def behind(self, path, line):
        found = self._answer("behind", path, line, None)
        return found and tuple(found)


def joined(name):
    recorded = json.loads((Path(__file__).with_name(f"{name}.json")).read_text())
    shown = {id(one): one.pop("shown") for one in recorded["findings"]}
    findings = [msgspec.convert(one, Finding) for one in recorded["findings"]]
    visible = [finding for finding, is_shown in zip(findings, shown.values(), strict=True) if is_shown]
    score = recorded["score"] and msgspec.convert(recorded["score"], EntryScore)
    seen = msgspec.convert(recorded["observation"], Observation)
    return join(seen, Prediction(tuple(visible), tuple(findings), score), PACKAGES, Recorded(recorded["code"]))


@pytest.fixture(scope="module")
def run():
    return run_of([joined(name) for name in NAMES])


def test_there_are_models_of_two_libraries(run):
    assert len(NAMES) >= 10
    assert {target.entry.path.partition("/")[0] for target in run.targets} == {"torchvision", "transformers"}
    assert all(target.status == "ok" and target.same_result for target in run.targets)


MEASURED = {
    "bert": (100.0, 0, 0),
    "faster_rcnn": (13.1, 6, 1),
    "longformer": (73.5, 1, 0),
    "lraspp": (100.0, 0, 0),
    "reformer": (23.5, 2, 3),
}
"""Score, findings confirmed and breaks missed, as the command printed them with the libraries at hand."""


@pytest.mark.parametrize("name", MEASURED)
def test_joined_again_it_is_what_was_seen(run, name):
    (target,) = [target for target in run.targets if target.name == name]
    figures = target.figures
    assert (round(target.score, 1), figures.confirmed, figures.missed) == MEASURED[name]


def test_nothing_is_refuted(run):
    assert run.figures.refuted == 0
    assert run.figures.confirmed > 20


def test_statements_over_several_lines_need_the_sources(run):
    """`confirmed` of mask_rcnn falls where lines stand for statements: what was asked of the sources counts."""
    (target,) = [target for target in run.targets if target.name == "mask_rcnn"]
    assert target.figures.confirmed == 18


def test_the_score_that_was_predicted_is_near(run):
    pairs = [(target.predicted_score, target.score) for target in run.targets]
    assert sum(abs(predicted - measured) for predicted, measured in pairs) / len(pairs) <= 20


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_tells_every_model(run, form):
    text = render(run, form, failures=[], rules=True)
    assert all(name in text for name in NAMES)
    assert all(f"{target.score:.0f}"[:2] in text for target in run.targets)


def test_shards_of_them_merge_into_the_same_run(run, tmp_path):
    from compile_lint.confirm.merge import merge

    for number in (1, 2):
        part = run_of(run.targets[number - 1 :: 2], f"{number}/2")
        (tmp_path / f"{number}.json").write_text(render(part, "json"))
    merged = merge([str(tmp_path / "2.json"), str(tmp_path / "1.json")])
    assert render(merged.run, "json") == render(run, "json")


def test_a_gate_on_the_library_itself(run):
    from compile_lint.confirm.gate import Gate, failures

    broken = {target.name for target in run.targets if target.breaks}
    told = " ".join(failures(run.targets, Gate(fail_on=("break",), within=("torchvision",))))
    assert "torchvision/ops/poolers.py:104" in told
    assert "transformers/" not in told
    assert broken >= {"faster_rcnn", "reformer"}
