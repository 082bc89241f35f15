"""Figures that are typed in."""

import pytest

from compile_lint.bench.figures import Range
from compile_lint.config.errors import ConfigError
from compile_lint.decision.assumed import Assumption, assume, parse
from compile_lint.decision.model import Evidence


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("eager_ms=5000", "eager_ms", (5000, 5000, 5000)),
        ("eager-ms = 5e3", "eager_ms", (5000, 5000, 5000)),
        ("saving=30%", "saving", (0.3, 0.3, 0.3)),
        ("saving=.3", "saving", (0.3, 0.3, 0.3)),
        ("saving=0.28..0.32", "saving", (0.3, 0.28, 0.32)),
        ("saving=28..32%", "saving", (0.3, 0.28, 0.32)),
        ("saving=5%+-8%", "saving", (0.05, -0.03, 0.13)),
        ("saving=-5..-3%", "saving", (-0.04, -0.05, -0.03)),
        ("cold_s=60±5", "cold_s", (60, 55, 65)),
        ("breaks=3", "breaks", (3, 3, 3)),
        ("score=80", "score", (80, 80, 80)),
    ],
)
def test_what_can_be_typed(text, name, value):
    found = parse(text)
    assert (found.target, found.name) == ("", name)
    assert (found.value.value, found.value.low, found.value.high) == pytest.approx(value)


def test_for_one_target():
    assert parse("models.py:detr:cold_s=60") == Assumption("models.py:detr", "cold_s", Range(60, 60, 60))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("eager_ms", "expected NAME=VALUE"),
        ("eager_m=5", "'eager_m' is no figure that can be assumed; did you mean 'eager_ms'?"),
        ("eager_ms=five", "'five' is no number; write 0.3, 30%, 0.28..0.32 or 0.3+-0.02"),
        ("eager_ms=", "'' is no number"),
        ("eager_ms=nan", "'nan' is no number"),
        ("eager_ms=1e400", "'1e400' is no number"),
        ("eager_ms=1..", "'1..' is no number"),
        ("eager_ms=1....3", "'1....3' is no number"),
        ("eager_ms=0", "eager_ms must be above 0"),
        ("eager_ms=-5", "eager_ms must be above 0"),
        ("eager_ms=50%", "eager_ms is no share"),
        ("cold_s=-1", "cold_s must be 0 or more"),
        ("cold_s=5..3", "the range ends below its beginning"),
        ("saving=1", "a saving is a share below 1"),
        ("saving=30", "a saving is a share below 1"),
        ("score=101", "score is at most 100"),
        ("score=80%", "score is no share"),
        ("score=50..60", "score is one number, not a range"),
        ("breaks=1.5", "breaks is a whole number"),
        ("requests_that_compile=2", "requests_that_compile is at most 1"),
    ],
)
def test_what_cannot(text, words):
    with pytest.raises(ConfigError, match=r"--assume: ") as raised:
        parse(text)
    assert words in str(raised.value)


def _assume(evidence, *texts):
    return assume(evidence, [parse(text) for text in texts])


def test_both_times_give_the_saving_with_its_range():
    found, idle = _assume(Evidence("detr"), "eager_ms=100", "compiled_ms=60..80")
    assert found.saving == Range(pytest.approx(0.3), pytest.approx(0.2), pytest.approx(0.4))
    assert (found.assumed, idle) == (("eager_ms", "compiled_ms", "saving"), ())


def test_a_saving_and_the_compiled_time_give_the_eager_one():
    found, _ = _assume(Evidence("detr"), "saving=0.5", "compiled_ms=10")
    assert found.eager_ms == Range(20.0, 20.0, 20.0)
    assert found.assumed == ("saving", "compiled_ms", "eager_ms")


def test_what_is_measured_stays(made):
    found, idle = _assume(made.evidence(cold_s=None), "eager_ms=1", "cold_s=5")
    assert (found.eager_ms.value, found.cold_s.value) == (5000.0, 5.0)
    assert (found.assumed, idle) == (("cold_s",), ("eager_ms",))


def test_one_target_has_its_own():
    texts = ("cold_s=5", "detr:cold_s=9", "bert:saving=0.5")
    assert _assume(Evidence("detr"), *texts)[0].cold_s.value == 9
    found = _assume(Evidence("bert"), *texts)[0]
    assert (found.cold_s.value, found.saving.value) == (5, 0.5)


def test_the_same_said_twice():
    with pytest.raises(ConfigError, match="saving says the same as eager_ms and compiled_ms"):
        _assume(Evidence("detr"), "eager_ms=1", "compiled_ms=1", "saving=0.3")
