"""Measurements on a GPU."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("psutil")
pytest.importorskip("msgspec")

import torch

from compile_lint.bench.read import read_record

pytestmark = [
    pytest.mark.torch,
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU"),
]
SOURCE = """\
import torch


def chain():
    layers = [torch.nn.Linear(64, 64) for _ in range(8)]
    return torch.nn.Sequential(*layers).eval(), (torch.randn(4, 64),)


def large(x):
    return (x.repeat(64, 1) * 2).sum()
"""
QUICK = ("--device", "cuda", "--no-grad", "--starts", "1", "--repeats", "3", "--calls", "20", "--isolated")
ALONE = ("--no-confirm", "--no-warm", "--no-artifacts")


@pytest.fixture
def bench(command, tmp_path):
    (tmp_path / "m.py").write_text(SOURCE)

    def call(name, *options):
        done = command("bench", name, *QUICK, "--save", "bench.json", *options)
        record = read_record("bench.json")
        assert done.code == 0, done.out
        return record, record.targets[0]

    return call


def test_events_and_the_machine(bench):
    record, target = bench("m.py:chain")
    machine = record.machine
    assert machine.device.startswith("cuda:0 (") and machine.device_memory > 1 << 30
    assert machine.driver and machine.cuda == torch.version.cuda
    assert [len(each) for each in target.compiled.repeats] == [20] * 5
    assert all(0 < each < 1000 for repeat in (*target.eager.repeats, *target.compiled.repeats) for each in repeat)
    assert target.same_result is True and {start.start for start in target.warm_ups} == {"cold", "warm", "artifacts"}


def test_graphs_of_cuda_save_launches(bench):
    from compile_lint.bench.figures import saving

    _, target = bench("m.py:chain", "--mode", "reduce-overhead", *ALONE)
    assert target.same_result is True
    assert saving(target.eager, target.compiled).value > 0, "eight launches become one"


def test_memory_is_that_of_the_device(bench):
    _, target = bench("m.py:large", "--input", "x=float32[1024,1024]", *ALONE)
    assert target.eager_memory >= 2 * 64 * (4 << 20), "the repeated tensor and its double"
    assert 0 < target.compiled_memory < target.eager_memory / 4, "fused, neither is ever made"
