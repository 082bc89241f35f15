"""What a target, or the machine, can have against being measured. Mostly with a backend that compiles nothing."""

import os
import shutil

import pytest

pytest.importorskip("torch")
pytest.importorskip("psutil")
pytest.importorskip("msgspec")

from compile_lint.bench.read import read_record

pytestmark = pytest.mark.torch
SOURCE = """\
import os

import torch

compiling = torch.compiler.is_compiling


@torch._dynamo.disable
def leave():
    os._exit(3)


def fine(x):
    return torch.tanh(x)


def raises(x):
    raise ValueError("no such thing")


@torch._dynamo.disable
def fail():
    raise ValueError("no such thing")


def raises_compiled(x):
    if compiling():
        fail()
    return x


def other(x):
    return x + 1 if compiling() else x


def dies(x):
    if compiling():
        leave()
    return x


def nan(x):
    return x / 0 * 0
"""
FULL = """\
import resource

import torch

resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))


def fine(x):
    return torch.tanh(x)
"""
QUICK = ("--device", "cpu", "--starts", "1", "--repeats", "2", "--calls", "3", "--isolated", "--input", "float32[4]")


@pytest.fixture
def bench(command, tmp_path):
    """Measure a function of m.py; gives the outcome of the command and the target of the record."""
    (tmp_path / "m.py").write_text(SOURCE)

    def call(name, *options, backend="eager"):
        done = command("bench", name, *QUICK, "--backend", backend, "--save", "bench.json", *options)
        record = read_record("bench.json")
        assert len(record.targets) == 1
        return done, record.targets[0]

    return call


def notes(target):
    """What is said besides that the machine that tests run on is busy."""
    return tuple(note for note in target.notes if not note.startswith("the repeats of "))


FAST = ("--no-confirm", "--no-warm", "--no-artifacts")


def test_a_target_that_raises_cannot_be_measured(bench):
    done, target = bench("m.py:raises")
    assert (done.code, target.status) == (2, "user-error")
    assert target.message == "calling it in eager mode: ValueError: no such thing"
    assert "  user-error  calling it in eager mode: ValueError: no such thing\n" in done.out
    assert (target.confirmation, target.compiled_error) == (None, "")


def test_a_target_that_is_not_there(bench):
    done, target = bench("m.py:fin")
    assert (done.code, target.message) == (2, "m.py defines no 'fin'; did you mean 'fine'?")


def test_a_target_that_raises_only_where_it_is_compiled(bench):
    done, target = bench("m.py:raises_compiled")
    assert (done.code, target.status) == (1, "ok")
    assert target.compiled_error == "ValueError: no such thing"
    assert target.eager.repeats and not target.compiled.repeats and not target.warm_ups
    assert target.confirmation.error.kind == "ValueError"
    assert "  raises      ValueError: no such thing\n" in done.out


def test_a_target_that_ends_its_process_where_it_is_compiled(bench):
    done, target = bench("m.py:dies", *FAST)
    assert (done.code, target.status) == (1, "ok")
    assert target.compiled_error.startswith("crashed: the process ended with exit code 3 in phase first compiled call")


def test_a_target_that_gives_something_else_where_it_is_compiled(bench):
    done, target = bench("m.py:other", *FAST)
    assert (done.code, target.same_result) == (1, False)
    assert target.differences == ("the result differs in 4 of 4 elements, by up to 1",)
    assert target.compiled.repeats, "measured all the same"


def test_results_that_are_no_numbers(bench):
    done, target = bench("m.py:nan", *FAST)
    assert (done.code, target.same_result) == (0, True)
    assert notes(target) == ("the eager result holds NaN or infinity: equal results say little then",)


def test_no_compiler(bench, monkeypatch):
    monkeypatch.setenv("CXX", "/nowhere/g++")
    done, target = bench("m.py:fine", backend="inductor")
    assert (done.code, target.status, target.compiled_error) == (0, "ok", "")
    assert target.eager.repeats and not target.compiled.repeats and not target.warm_ups
    assert target.confirmation.score == 100.0
    (note,) = notes(target)
    assert note.startswith("nothing was compiled: inductor needs a C++ compiler on the CPU, and finds none (")
    assert note.endswith("or name one by CXX. Eager calls and graph breaks were measured")
    assert done.out.count("nothing was compiled") == 1


@pytest.mark.skipif(os.name != "posix" or shutil.which("g++") is None, reason="limits of POSIX, and a compiler")
def test_a_full_disk(bench, tmp_path):
    (tmp_path / "full.py").write_text(FULL)
    done, target = bench("full.py:fine", "--no-confirm", backend="inductor")
    assert done.code == 1
    assert target.compiled_error and target.eager.repeats
    (note,) = notes(target)
    assert note.startswith("the folder for compile caches is full (") and "TMPDIR" in note


def test_too_slow(bench, tmp_path):
    (tmp_path / "slow.py").write_text("import time\n\n\ndef f(x):\n    time.sleep(1000)\n")
    done, target = bench("slow.py:f", *FAST, "--timeout", "5")
    assert (done.code, target.status) == (2, "timeout")
    assert target.message.startswith("no end after 5 s, ")
