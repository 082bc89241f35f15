"""Records of the models of fixtures/bench: they differ as the models do. `record.py` measures them anew."""

import json
from pathlib import Path

import pytest

pytest.importorskip("msgspec")

from compile_lint.bench.figures import saving
from compile_lint.bench.read import read_record
from compile_lint.bench.write import json_schema

HERE = Path(__file__).parent
NAMES = ("mlp", "routed", "tagger", "transformer")


@pytest.fixture(scope="module")
def target():
    """The only target of the record of that name."""

    def read(name):
        (found,) = read_record(HERE / f"{name}.json").targets
        return found

    return read


def test_these_are_all():
    assert sorted(path.stem for path in HERE.glob("*.json")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_whole(target, name):
    jsonschema = pytest.importorskip("jsonschema")
    text = (HERE / f"{name}.json").read_text()
    jsonschema.validate(json.loads(text), json.loads(json_schema().read_text()))
    found = target(name)
    assert (found.name, found.status, found.compiled_error, found.same_result) == (name, "ok", "", True)
    assert found.target == f"fixtures/bench/models.py:{name}"
    assert [start.start for start in found.warm_ups] == ["cold", "warm", "artifacts"]
    cold, warm, _ = found.warm_ups
    assert len(cold.first_call) == len(warm.first_call) == 2 and min(cold.first_call) > max(warm.first_call)
    assert found.seconds["total"] <= 4 * found.seconds["measured"]


def test_a_chain_of_elementwise_operations_gains_much(target):
    found = saving(target("mlp").eager, target("mlp").compiled)
    assert found.low > 0.3


def test_products_gain_little(target):
    found = saving(target("transformer").eager, target("transformer").compiled)
    assert found.value < 0.25


def test_breaks_cost_more_than_they_save(target):
    found = target("routed")
    assert saving(found.eager, found.compiled).high < 0
    assert len(found.confirmation.breaks) == 2 and found.confirmation.score < 50


def test_a_loop_over_the_length_is_compiled_for_each(target):
    found = target("tagger")
    costs = {each.remedy: each for each in found.traffic.remedies}
    assert costs["as-is"].requests_that_compile == costs["static"].requests_that_compile == 6
    assert costs["buckets"].requests_that_compile < 6
    assert costs["mark-dynamic"].raised.startswith("ConstraintViolationError")
    assert {one.input for one in found.confirmation.recompiles} == {"ids.size(1)"}
    assert found.traffic.cheapest in ("buckets", "dynamic")
