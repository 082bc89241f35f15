"""What the cache and the processes save, and trees of many files: `pytest -m benchmark`; see again.py.

COMPILE_LINT_CORPUS names files or folders (as in PATH); without it a corpus is made of the fixtures.
"""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs the resource usage of children"),
]


def _load():
    name = "compile_lint_test_again"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("again.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


again = _load()
measure = again.measure
FILES = 20_000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    named = [Path(path) for path in os.environ.get("COMPILE_LINT_CORPUS", "").split(os.pathsep) if path]
    return measure.files_in(named) if named else measure.make_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def project(files, tmp_path):
    return again.copied(files, tmp_path / "copy")


def test_warm(project, tmp_path):
    assert again.warm(project, tmp_path / "cache") <= again.WARM_OF_COLD


def test_one_file_changed(files, project, tmp_path):
    cache = tmp_path / "cache"
    path = again.example(files, project)
    measure.cost(again.lint(project, cache))
    assert again.changed(project, cache, path) / again.libcst() <= again.CHANGED_OF_LIBCST
    other = again.torchfix(path)
    if other is None:
        pytest.skip("TorchFix is not installed; COMPILE_LINT_TORCHFIX may name it")
    assert again.changed(path, cache, path) / other <= again.CHANGED_OF_TORCHFIX


def test_two_processes(project):
    if not again.idle_cpus():
        pytest.skip("two CPUs that are idle are needed to see what two processes gain")
    assert again.two_processes(project) <= again.TWO_OF_ONE


@pytest.mark.parametrize("cached", [False, True], ids=["cold", "warm"])
def test_a_tree_of_many_files_grows_linearly(tmp_path, cached):
    costs = []
    for files in (FILES // 2, FILES):
        root = again.make_tree(tmp_path / str(files), files)
        command = again.lint(root, tmp_path / "cache" if cached else None, "--jobs", "1")
        if cached:
            measure.cost(command)
        costs.append(measure.cost(command))
    half, whole = costs
    assert whole.seconds / half.seconds <= again.MOST_OF_TWICE
    assert whole.megabytes / half.megabytes <= again.MOST_OF_TWICE


def test_an_interrupt_is_made_up_for(tmp_path):
    root, cache = again.make_tree(tmp_path / "tree", FILES // 10), tmp_path / "cache"
    command = again.lint(root, cache, "--jobs", "1")
    run = subprocess.Popen(command, stderr=subprocess.PIPE)
    while len(list(cache.glob("*/*/*.json"))) < 100:
        assert run.poll() is None
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    assert run.wait(60) == 130
    kept = len(list(cache.glob("*/*/*.json")))
    assert kept < FILES // 10
    assert measure.cost(command).seconds > 0
    assert len(list(cache.glob("*/*/*.json"))) == FILES // 10
