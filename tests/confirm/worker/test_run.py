"""Limits of the run itself: Ctrl-C, torch that is missing or too old, callbacks that raise."""

import json
import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip("psutil")
pytest.importorskip("msgspec")

from compile_lint.confirm.observation import Observation, Place
from compile_lint.confirm.target import Target
from compile_lint.confirm.worker import confirm_all, mail
from compile_lint.confirm.worker.stacks import traceback_of

SCRIPT = """
import sys
from compile_lint.confirm.target import Target
from compile_lint.confirm.worker import Interrupted, confirm_all

folder = sys.argv[1]
targets = [
    Target("missing", folder + "/none.py:f", root=folder),
    Target("hangs", folder + "/m.py:f", root=folder),
    Target("late", folder + "/m.py:g", root=folder),
]
try:
    confirm_all(targets, on_done=lambda seen: print("done", seen.name, flush=True))
except Interrupted as error:
    print([(seen.name, seen.status) for seen in error.observations], error.signal_number)
print("torch" in sys.modules)
"""
HANGS = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
open("started", "w").close()
while True:
    time.sleep(1)
"""


@pytest.mark.torch
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_everything_and_says_what_was_done(tmp_path, none_left, number):
    pytest.importorskip("torch")
    os.mkfifo(tmp_path / "started")
    (tmp_path / "m.py").write_text(HANGS)
    run = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=tmp_path,
    )  # fmt: skip
    try:
        with open(tmp_path / "started"):
            pass  # returns when the worker opens its end
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
    assert out == f"done missing\n[('missing', 'user-error')] {int(number)}\nFalse\n"
    assert (err, run.returncode) == ("", 0)
    none_left()


@pytest.mark.torch
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process that its parent died")
def test_a_worker_ends_with_the_process_that_started_it(tmp_path, none_left):
    import psutil

    pytest.importorskip("torch")
    os.mkfifo(tmp_path / "started")
    (tmp_path / "m.py").write_text('import time\nopen("started", "w").close()\ntime.sleep(1000)\n')
    run = subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path)], stdout=subprocess.DEVNULL, cwd=tmp_path)
    with open(tmp_path / "started"):
        workers = psutil.Process(run.pid).children(recursive=True)
    run.kill()
    run.wait(60)
    assert len(workers) == 1
    assert psutil.wait_procs(workers, timeout=60)[1] == []
    none_left()


TOO_OLD = "__version__ = '2.5.1'\n"
MISSING = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n"
BROKEN = "raise OSError('libcudart.so: cannot open shared object file')\n"
EXTRA = "confirm needs torch 2.6 or newer: pip install 'compile-lint[confirm]'"


@pytest.mark.parametrize(
    ("torch", "message"),
    [
        (TOO_OLD, f"torch 2.5.1 is too old; {EXTRA}"),
        (MISSING, f"torch is not installed; {EXTRA}"),
        (BROKEN, f"torch cannot be imported (OSError: libcudart.so: cannot open shared object file); {EXTRA}"),
    ],
)
def test_no_torch_that_can_be_used(tmp_path, monkeypatch, none_left, torch, message):
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "torch.py").write_text(torch)
    (tmp_path / "m.py").write_text("raise RuntimeError('is not run')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "fake"), os.environ.get("PYTHONPATH", "")]))
    (seen,) = confirm_all([Target("it", f"{tmp_path}/m.py:f", root=str(tmp_path))])
    assert seen == Observation("it", "unsupported", message)
    none_left()


def test_a_callback_that_raises_leaves_nothing(tmp_path, none_left):
    (tmp_path / "m.py").write_text("import time\ntime.sleep(1000)\n")
    hangs = Target("hangs", f"{tmp_path}/m.py:f", root=str(tmp_path))

    def fail(_):
        raise KeyError("callback")

    with pytest.raises(KeyError):
        confirm_all([hangs, Target("none", f"{tmp_path}/none.py:f")], jobs=2, on_done=fail)
    none_left()


def test_nothing_to_do():
    assert confirm_all([]) == []


def test_what_is_missing_is_named(monkeypatch):
    from compile_lint.config.errors import ConfigError

    monkeypatch.setitem(sys.modules, "psutil", None)
    for name in ("process", "processes"):
        monkeypatch.delitem(sys.modules, f"compile_lint.confirm.worker.{name}", raising=False)
    with pytest.raises(ConfigError, match=r"confirm needs psutil: pip install 'compile-lint\[confirm\]'"):
        confirm_all([])


def test_mail(tmp_path):
    target = Target("a\udcff", "b", torch_config={"a": True, "b": 1, "c": 1.5, "d": "x"}, timeout=1.5)
    job = mail.Job(target, str(tmp_path), 2.5)
    assert mail.job(mail.to_text(job).encode()) == job
    folder = str(tmp_path)
    assert (mail.read(folder), mail.read_phase(folder)) == ((None, False), "")
    seen = Observation("x", covered={"/a": (1, 2)}, entry=Place("/a", 1, "\ud800"), seconds={"load": 0.5})
    mail.write(folder, seen, done=False)
    assert mail.read(folder) == (seen, False)
    mail.write(folder, Observation("x"), done=True)
    assert mail.read(folder) == (Observation("x"), True)
    (tmp_path / "done.json").write_text(json.dumps({"name": 3}))
    assert mail.read(folder) == (seen, False)


def test_stacks():
    import compile_lint.confirm.worker.child as child

    dump = (
        'Timeout (0:00:05)!\nThread 0x01 (most recent call first):\n  File "/u/other.py", line 1 in run\n\n'
        f'Thread 0x02 (most recent call first):\n  File "/u/a b.py", line 7 in fn\n  File "{child.__file__}", '
        'line 3 in main\n  File "<string>", line 1 in <module>\n'
    )
    assert traceback_of(dump) == 'Traceback (most recent call last):\n  File "/u/a b.py", line 7, in fn\n'
    crash = (
        'Fatal Python error: Aborted\n\nCurrent thread 0x01 (most recent call first):\n  File "/u/c.py", line 2 in f\n'
    )
    assert traceback_of(crash + dump) == 'Traceback (most recent call last):\n  File "/u/c.py", line 2, in f\n'
    assert traceback_of("") == ""
