"""`compile-lint bench` on small models, with a real compiler."""

import json
import shutil

import pytest

pytest.importorskip("torch")
pytest.importorskip("psutil")
pytest.importorskip("msgspec")

from compile_lint.bench.read import read_record

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(shutil.which("g++") is None and shutil.which("clang++") is None, reason="no C++ compiler"),
]
MODEL = """\
import torch


def small():
    return torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh()).eval(), (torch.randn(4, 8),)
"""
QUICK = ("--device", "cpu", "--no-grad", "--starts", "1", "--repeats", "3", "--calls", "5", "--isolated")


def test_a_record_holds_what_was_asked_for(command, tmp_path):
    (tmp_path / "m.py").write_text(MODEL)
    done = command("bench", "m.py:small", *QUICK, "--no-artifacts", "--save", "bench.json", "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert done.out == (tmp_path / "bench.json").read_text()
    record = read_record("bench.json")
    (target,) = record.targets
    assert (target.status, target.name, target.target) == ("ok", "m.py:small", "m.py:small")
    assert (target.backend, target.grad, target.inputs) == ("inductor", "no-grad", ("input=float32[4,8]",))
    assert [len(each) for each in target.eager.repeats] == [5, 5, 5, 5], "three, and one of the warm start"
    assert [len(each) for each in target.compiled.repeats] == [5, 5, 5, 5]
    assert target.calls_a_repeat == 5
    cold, warm = target.warm_ups
    assert (cold.start, warm.start, len(cold.first_call), len(warm.first_call)) == ("cold", "warm", 1, 1)
    assert cold.first_call[0] > warm.first_call[0] > 10 * max(target.compiled.repeats[0])
    for start in (cold, warm):
        (phases,) = start.phases
        assert 0 < phases.dynamo + phases.aot + phases.inductor < start.first_call[0]
        assert len(start.calls[0]) == 8 and start.calls[0][0] == start.first_call[0]
    assert (target.same_result, target.differences, target.compiled_error) == (True, (), "")
    assert all(note.startswith("the repeats of ") for note in target.notes), "the machine that tests run on is busy"
    assert target.confirmation.score == 100.0
    assert 0 < target.eager_memory < target.compiled_memory
    assert record.machine.device == "cpu" and record.machine.compiler and record.machine.threads
    assert target.seconds["total"] <= 4 * target.seconds["measured"]
    assert json.loads(done.out)["targets"][0]["traffic"] is None
