"""Operators are checked in a process of their own: what ends or holds up that process is one operator's result."""

import textwrap

import pytest

pytest.importorskip("torch")
pytest.importorskip("psutil")
pytest.importorskip("msgspec")
from compile_lint.config.errors import ConfigError
from compile_lint.confirm.check_samples import check_samples
from compile_lint.confirm.target import Target
from compile_lint.confirm.worker import confirm_all

pytestmark = pytest.mark.torch

OPERATORS = """
import os, time, torch
from torch.library import Library
lib = Library("mine", "DEF")
def op(name, real, fake):
    lib.define(name + "(Tensor x) -> Tensor")
    lib.impl(name, real, "CPU")
    lib.impl(name, fake, "Meta")
op("good", lambda x: x * 2, torch.empty_like)
op("dies", lambda x: x * 2, lambda x: os.abort())
op("hangs", lambda x: x * 2, lambda x: time.sleep(1000))
op("wrong", lambda x: x.double(), torch.empty_like)
op("deadly", lambda x: os.abort(), torch.empty_like)
"""


@pytest.fixture
def observing(tmp_path, none_left):
    def call(body, timeout=300.0, **options):
        path = tmp_path / "m.py"
        path.write_text(OPERATORS + textwrap.dedent(body))
        (seen,) = confirm_all(
            [Target("it", f"{path}:fn", input=("float32[2,3]",), root=str(tmp_path), timeout=timeout, **options)]
        )
        none_left()
        return seen

    return call


def statuses(seen):
    return [(each.name, each.status) for each in seen.operators]


def test_one_that_ends_the_process_is_a_result_and_the_others_are_checked(observing):
    seen = observing("""
        @torch.compiler.disable
        def part(x):
            return torch.ops.mine.wrong(torch.ops.mine.dies(x))
        def fn(x):
            return part(torch.ops.mine.good(x))
    """)
    assert (seen.status, seen.same_result, len(seen.breaks)) == ("ok", True, 1)
    assert statuses(seen) == [("mine::good", "passed"), ("mine::dies", "crashed"), ("mine::wrong", "failed")]
    assert seen.operators[1].message == "killed by signal 6 (SIGABRT) in the operator mine::dies.default"
    assert seen.operators[2].differences == (
        "dtype of the output: float32 by the fake kernel, float64 by the real one",
    )
    assert {each.times for each in seen.operators} == {1}
    assert seen.seconds["opcheck"] > 0


def test_one_that_ends_the_eager_call_is_named(observing):
    seen = observing("def fn(x):\n    return torch.ops.mine.deadly(torch.ops.mine.good(x))\n")
    assert seen.status == "crashed"
    assert seen.message == "killed by signal 6 (SIGABRT) in the operator mine::deadly.default"
    assert statuses(seen) == [("mine::good", "not-checked"), ("mine::deadly", "crashed")]
    assert seen.operators[0].message == "the target did not come far enough"


def test_fake_tensors_have_nothing_to_check_with(observing):
    seen = observing("def fn(x):\n    return torch.ops.mine.good(x)\n", fake=True)
    assert [(each.status, each.message) for each in seen.operators] == [("not-checked", "fake tensors have no data")]


SAMPLES = """
x = torch.ones(2, 3)
as_dict = {"mine::good": [(x,), ((x.t(),), {})], "torch.ops.mine.hangs": [(x,)], "mine::wrong.default": [(x,)]}
as_list = [(torch.ops.mine.good, (x,)), (torch.ops.mine.wrong.default, [], {"x": x})]
def made():
    return iter(as_list)
nothing = {}
unknown = {"mine::god": [(x,)]}
bad = [("mine::good", x)]
raises = lambda: 1 / 0
"""


@pytest.fixture
def samples(tmp_path, none_left):
    path = tmp_path / "samples.py"
    path.write_text(OPERATORS + SAMPLES)

    def call(name, **options):
        try:
            return check_samples(f"{path}:{name}", root=str(tmp_path), **options)
        finally:
            none_left()

    return call


def test_samples_by_name(samples):
    seen = samples("as_dict", timeout=12.0)
    assert statuses(seen) == [("mine::good", "passed"), ("mine::hangs", "timeout"), ("mine::wrong", "failed")]
    assert [len(each.samples) for each in seen.operators] == [2, 1, 1]
    assert seen.torch


def test_samples_as_a_list_that_a_function_returns(samples):
    assert statuses(samples("made")) == [("mine::good", "passed"), ("mine::wrong", "failed")]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing", "nothing has no sample; give a dict of operators"),
        ("unknown", "there is no operator 'mine::god'; did you mean 'mine::good'"),
        ("bad", r"item 0: must be \(operator, args\) or \(operator, args, kwargs\), not a tuple"),
        ("raises", "reading the samples raises: ZeroDivisionError: division by zero"),
        ("gone", "samples.py defines no 'gone'"),
    ],
)
def test_samples_that_cannot_be_used(samples, name, words):
    with pytest.raises(ConfigError, match=words):
        samples(name)


def test_samples_of_no_such_form():
    with pytest.raises(ConfigError, match=r"--check: 'samples\.py' does not say"):
        check_samples("samples.py")
