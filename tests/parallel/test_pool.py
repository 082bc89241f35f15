"""Processes change nothing but the time that a run takes."""

import os
import signal
from pathlib import Path

import pytest

from compile_lint import parallel
from compile_lint.analysis import analyze
from compile_lint.discover import Sources, find
from compile_lint.effort import WORTHWHILE, Effort
from compile_lint.findings import Source
from compile_lint.settings import Settings

FIXTURES = Path(__file__).parents[2] / "fixtures"
KILLED = """
import os, signal, sys
from compile_lint import file_analysis
inner = file_analysis.analyse_file
def killed(task, path):
    if path == "die.py":
        os.kill(os.getpid(), signal.SIGKILL)
    return inner(task, path)
file_analysis.analyse_file = killed
from compile_lint.parallel.worker import main
main()
"""


@pytest.fixture(scope="module")
def shipped():
    return Sources(find([str(FIXTURES)], [], False, os.getcwd()).files)


def test_any_number_of_processes_gives_the_same(shipped, linting):
    settings = Settings(target_torch="2.13", min_confidence="possible")
    alone = analyze(shipped, settings, linting.rulebook())
    assert len(alone.findings) > 20 and len(alone.scores) > 20
    for jobs in (2, 5):
        assert analyze(shipped, settings, linting.rulebook(), None, Effort(None, jobs)) == alone


def test_what_processes_found_is_remembered(tmp_path, shipped, linting):
    from compile_lint.cache import Folder

    settings = Settings(target_torch="2.13")
    effort = Effort(Folder(tmp_path / "cache"), 2)
    first = analyze(shipped, settings, linting.rulebook(), None, effort)
    seen = []
    assert analyze(shipped, settings, linting.rulebook(), lambda done, of: seen.append(done), effort) == first
    assert seen == []


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_that_dies_costs_one_file(linting, monkeypatch):
    monkeypatch.setattr(parallel.pool, "_PROGRAM", "import sys; sys.path[:] = sys.argv[1:]\n" + KILLED)
    broken = "import torch\n@torch.compile\ndef fn(x):\n    return x.item()\n"
    sources = [Source(f"{name}.py", broken) for name in ("a", "b", "die", "e", "f", "g")]
    report = analyze(sources, Settings(target_torch="2.13"), linting.rulebook(), None, Effort(None, 2))
    assert [finding.path for finding in report.findings] == ["a.py", "b.py", "e.py", "f.py", "g.py"]
    (error,) = report.errors
    assert (error.path, error.fatal) == ("die.py", True)
    assert error.message == f"the process that analysed it was stopped by signal {int(signal.SIGKILL)}; try --jobs 1"
    assert report.files == 6


def test_where_no_process_can_be_started(linting, monkeypatch):
    monkeypatch.setattr(parallel.pool, "_PROGRAM", "raise SystemExit(3)")
    sources = [Source(f"{name}.py", "import torch\n@torch.compile\ndef fn(x):\n    return x.item()\n") for name in "ab"]
    report = analyze(sources, Settings(target_torch="2.13"), linting.rulebook(), None, Effort(None, 2))
    assert [finding.path for finding in report.findings] == ["a.py", "b.py"]
    assert report.errors == ()


def test_only_where_it_pays(monkeypatch):
    monkeypatch.setattr("compile_lint.effort.processors", lambda: 4)
    assert Effort(None, None).workers([1000] * 50) == 1
    assert Effort(None, None).workers([WORTHWHILE] * 3) == 3
    assert Effort(None, None).workers([WORTHWHILE] * 9) == 4
    assert Effort(None, 6).workers([1000] * 50) == 6
    assert Effort(None, 6).workers([1000] * 2) == 2
    assert Effort(None, 1).workers([WORTHWHILE] * 9) == 1
    assert Effort(None, None).workers([]) == 0
