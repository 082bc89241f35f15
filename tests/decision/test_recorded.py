"""Decisions on measurements of the fixture models: one gains, one does not, one breaks, one recompiles."""

import importlib.util
from pathlib import Path

import pytest

from compile_lint.bench.read import read_record
from compile_lint.decision.decide import decide
from compile_lint.decision.evidence import evidence
from compile_lint.decision.model import Business

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "bench" / "recorded"
SERVICE = Business(10_000.0, 10_000_000.0, 4.0, 1.0, 18_000.0, first_request_slo=5.0)


def decided(name, business=SERVICE):
    record = read_record(RECORDED / f"{name}.json")
    (bench,) = record.targets
    return decide(evidence(bench, f"{name}.json"), business, bench, record.machine.device)


@pytest.mark.parametrize(
    ("name", "verdict", "first"),
    [
        ("mlp", "conditions", {"reason.slo"}),
        ("tagger", "conditions", {"reason.recompiles"}),
        ("transformer", "no-go", {"reason.noise", "reason.payback-long"}),  # little, or nothing: by the machine's noise
        ("routed", "no-go", {"reason.slower"}),
    ],
)
def test_the_verdicts_differ_as_they_must(name, verdict, first):
    found = decided(name)
    assert found.verdict == verdict
    assert found.reasons[0].text in first


def test_without_a_limit_for_first_requests_the_one_that_gains_is_a_go():
    assert decided("mlp", Business(10_000.0, 10_000_000.0, 4.0, 1.0, 18_000.0)).verdict == "go"


def test_few_requests_do_not_earn_warm_up_back():
    found = decided("mlp", Business(10_000.0, 10_000.0, 4.0, 1.0, 18_000.0))
    assert found.verdict == "no-go"
    assert found.reasons[0].text.startswith("reason.unearned")
    assert found.payback_months is None


def test_breaks_are_to_be_fixed_at_their_lines():
    places = [one.values["place"] for one in decided("routed").conditions if one.text == "condition.break"]
    source = (ROOT / "fixtures" / "bench" / "models.py").read_text().splitlines()
    lines = [source[int(place.rpartition(":")[2]) - 1].strip() for place in places]
    assert lines == ["if x.mean() > 0:", "scale = x.abs().max().item()"]


@pytest.mark.torch
def test_warm_up_compiles_for_what_comes():
    torch = pytest.importorskip("torch")
    from torch._dynamo.testing import CompileCounter

    spec = importlib.util.spec_from_file_location("compile_lint_test_bench_models", ROOT / "fixtures/bench/models.py")
    models = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(models)
    (code,) = [one.code for one in decided("tagger").conditions if one.text == "condition.warm-up-sizes"]
    (padding,) = [one.code for one in decided("tagger").conditions if one.text == "condition.buckets"]
    names = {}
    exec(code, names)
    exec(padding, names)
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(models.Tagger().eval(), backend=counter)
    names["warm_up"](compiled)
    warm = counter.frame_count
    with torch.no_grad():
        for length in (5, 8, 12, 20):
            compiled(names["padded"](torch.zeros(2, length, dtype=torch.int64), "ids"))
    assert (warm > 0, counter.frame_count) == (True, warm)
