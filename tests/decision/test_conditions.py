"""The checklist, and what it gives to paste."""

import ast

import pytest
import yaml

from compile_lint.bench.record import Latency, Size, WarmUp
from compile_lint.confirm.join.model import JoinedFinding, JoinedRecompile
from compile_lint.confirm.observation import Place
from compile_lint.decision.decide import decide
from compile_lint.decision.evidence import evidence
from compile_lint.decision.model import Business
from compile_lint.findings import Finding


@pytest.fixture
def listed(made):
    """The conditions of a target, by key."""

    def conditions(**more):
        bench = made.bench(**more)
        found = decide(evidence(bench, "bench.json"), Business(), bench, "cpu").conditions
        return {one.text: one for one in found}

    return conditions


def test_the_order_in_which_things_are_done(listed):
    assert list(listed()) == [
        "condition.break",
        "condition.buckets",
        "condition.warm-up-sizes",
        "condition.readiness",
        "condition.cache",
        "condition.resident",
        "condition.canary",
        "condition.signals",
    ]


def test_breaks_with_their_lines_the_dearest_first(listed, made):
    assert listed()["condition.break"].values == {"place": "models/detr.py:7", "reason": "Data-dependent branching"}
    library = made.broken("torch/x.py", 3, in_project=False, charged_to=Place("models/detr.py", 9))
    found = listed(confirmation=made.confirmation(breaks=(library,)))
    assert found["condition.break"].values["place"] == "models/detr.py:9"


def test_many_breaks_are_counted(listed, made):
    many = tuple(made.broken(line=line) for line in range(1, 31))
    assert listed(confirmation=made.confirmation(breaks=many))["condition.more-breaks"].values == {"count": "10"}


def test_custom_operators_are_to_be_registered(listed, made):
    finding = Finding("CL401", "operator-without-fake", "error", "certain", "ops.py", 3, 1, 3, 9, "", "", "", "", "")
    seen = made.confirmation(
        findings=(JoinedFinding(finding, "confirmed", ""),), breaks=(made.broken(line=5, codes=("CL410",)),)
    )
    bench = made.bench(confirmation=seen)
    found = [one.values for one in decide(evidence(bench, ""), Business(), bench).conditions]
    assert found[:2] == [
        {"place": "ops.py:3", "codes": "CL401 operator-without-fake"},
        {"place": "models/detr.py:5", "codes": "CL410"},
    ]
    assert "condition.break" not in listed(confirmation=seen)


def test_causes_of_recompilation(listed, made):
    again = JoinedRecompile("models/detr.py", 4, "forward", 1, "guard", "n was 3 and is 4")
    free = JoinedRecompile("models/detr.py", 4, "forward", 1, "guard", "size", automatic_dynamic=True)
    size = JoinedRecompile("models/detr.py", 4, "forward", 1, "guard", "x.size(0) was 3", input="x.size(0)")
    many = made.confirmation(recompiles=(free, again, again, size, size))
    bench = made.bench(confirmation=many, traffic=None)
    texts = [one.text for one in decide(evidence(bench, ""), Business(), bench).conditions]
    assert texts.count("condition.recompile") == 2
    found = listed(confirmation=made.confirmation(recompiles=(free, again, again, size)))
    assert found["condition.recompile"].values == {
        "place": "models/detr.py:4",
        "function": "forward",
        "reason": "n was 3 and is 4",
    }


@pytest.mark.parametrize(
    ("cheapest", "line"),
    [
        ("dynamic", "compiled = torch.compile(model, dynamic=True)"),
        ("static", "compiled = torch.compile(model, dynamic=False)"),
        ("mark-dynamic", "torch._dynamo.mark_dynamic(x, 0)"),
        ("buckets", "EDGES = {'x': {0: (4, 40)}}"),
    ],
)
def test_the_cheapest_remedy(listed, made, cheapest, line):
    code = listed(traffic=made.traffic(cheapest))[f"condition.{cheapest}"].code
    ast.parse(code)
    assert line in code.splitlines()


def test_sizes_that_are_best_as_they_are(listed, made):
    assert (
        not {"condition.buckets", "condition.dynamic", "condition.static"}
        & listed(traffic=made.traffic("as-is")).keys()
    )


def test_warm_up_calls_every_bucket(listed):
    assert listed()["condition.warm-up-sizes"].values == {"sizes": "2"}
    assert listed()["condition.warm-up-sizes"].code == (
        "import torch\n"
        "\n"
        "\n"
        'def warm_up(model, device="cpu"):\n'
        '    """Compile for every size; `model` is what torch.compile returned. Call it before the first request."""\n'
        "    with torch.inference_mode():\n"
        "        for size_0 in (4, 40):  # x.0\n"
        "            for _ in range(2):\n"
        "                model(x=torch.randn((size_0, 3), dtype=torch.float32, device=device))"
    )


def test_sizes_that_change_together_and_apart(listed, made):
    inputs = ("x=float32[2,3]", "{'ids': int64[4], 'm': [bool[2], None]}", "(int64[2], int32[2,5], 'text')")
    sizes = made.traffic("as-is", dimensions=("x.0 2.1.0", "x.-1"), sizes=(Size((1, 7), 9), Size((2, 8), 1)), edges=())
    code = listed(traffic=sizes, inputs=inputs)["condition.warm-up-sizes"].code
    assert "for size_0, size_1 in ((1, 7), (2, 8)):  # x.0 2.1.0; x.-1" in code
    assert "model(torch.randn((size_0, size_1), dtype=torch.float32, device=device)" in code
    assert "torch.zeros((size_0, 5), dtype=torch.int32, device=device)" in code
    ast.parse(code)


@pytest.mark.parametrize("text", ["x=Batch", "x='it''", "x=__import__('os').system('id')", "x=[a for a in b]"])
def test_inputs_that_cannot_be_written_give_no_snippet(listed, text):
    assert listed(inputs=(text,))["condition.warm-up-sizes"].code == ""


def test_sizes_that_are_not_among_the_inputs_give_none(listed, made):
    assert listed(traffic=made.traffic(dimensions=("y.0",)))["condition.warm-up-sizes"].code == ""
    assert listed(traffic=made.traffic(dimensions=("x.7",)))["condition.warm-up-sizes"].code == ""


def test_without_traffic_the_inputs_of_the_measurement(listed):
    found = listed(traffic=None, inputs=("x=float32[]", "2"), grad="no-grad")["condition.warm-up"]
    assert "with torch.no_grad():\n        for _ in range(2):\n            model(torch.randn((), " in found.code
    assert found.code.endswith("device=device), 2)")


def test_the_probe_waits_twice_what_warm_up_takes(listed):
    probe = yaml.safe_load(listed()["condition.readiness"].code)["startupProbe"]
    assert probe["failureThreshold"] * probe["periodSeconds"] >= 2 * 100


def test_a_cache_that_helps_little_is_not_advised(listed):
    warm_ups = (WarmUp("cold", (60_000.0,)), WarmUp("warm", (50_000.0,)))
    assert "condition.cache" not in listed(warm_ups=warm_ups)


def test_the_canary_compiles_as_it_was_measured(listed):
    code = listed(backend="aot_eager", mode="max-autotune", dynamic=False)["condition.canary"].code
    assert "torch.compile(model, backend='aot_eager', mode='max-autotune', dynamic=False)" in code


def test_a_no_go_lists_what_may_change_it_and_no_rollout(made):
    slower = made.bench(compiled=made.bench().eager, eager=made.bench().compiled)
    found = decide(evidence(slower, ""), Business(), slower).conditions
    assert [one.text for one in found] == ["condition.break", "condition.buckets"]
    noisy = made.bench(compiled=Latency(((12.0,), (7.0,), (8.0,))))
    assert decide(evidence(noisy, ""), Business(), noisy).conditions[-1].text == "condition.measure-again"
    often = Business(requests_per_day=100_000.0, replicas=1.0, restarts_per_day=100.0)
    bench = made.bench()
    found = decide(evidence(bench, ""), often, bench)
    assert (found.verdict, found.reasons[0].text) == ("no-go", "reason.unearned-range")
    assert [one.text for one in found.conditions[2:]] == ["condition.cache", "condition.resident"]


def test_what_is_assumed_is_to_be_measured(made):
    found = decide(made.evidence(assumed=("saving",)), Business()).conditions
    assert [one.text for one in found] == [
        "condition.warm-up",
        "condition.readiness",
        "condition.resident",
        "condition.measure",
        "condition.canary",
        "condition.signals",
    ]
