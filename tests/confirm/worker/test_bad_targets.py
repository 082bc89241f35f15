"""Targets that do what no target should: each is a result, the others go on, and no process is left."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("psutil")

from compile_lint.confirm.target import Target
from compile_lint.confirm.worker import confirm_all

pytestmark = pytest.mark.torch

SOURCE = """
import ctypes, os, signal, subprocess, sys, threading, time
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.lin(x)

def good():
    return Net(), (torch.ones(1, 2),)

def wrong_shape():
    return Net(), (torch.ones(1, 3),)

def hangs():
    while True:
        time.sleep(1)

def deep_hang():
    if len(seen) < 300:
        seen.append(1)
        deep_hang()
    while True:
        time.sleep(1)

seen = []

def wait():
    if len(seen) > 1:
        time.sleep(1000)

def hangs_in_forward():
    def fn(x):
        seen.append(1)
        wait()
        return x + 1
    return fn, (torch.ones(2),)

def leaves():
    print("the last words")
    os._exit(3)

def sys_exits():
    def fn(x):
        sys.exit("enough")
    return fn, (torch.ones(2),)

def segfaults():
    ctypes.string_at(0)

def kills_itself():
    os.kill(os.getpid(), signal.SIGKILL)

def prints():
    for number in range(300_000):
        print("x" * 100)
    return good()

def prints_and_dies():
    sys.stdout.write("y" * 30_000_000)
    print("\\nend")
    os.abort()

def forks():
    os.fork()
    return good()

def forks_in_forward():
    def fn(x):
        os.fork()
        return x + 1
    return fn, (torch.ones(2),)

def starts_others():
    endless = "import os, time; os.setsid() if os.fork() == 0 else os._exit(0); time.sleep(1000)"
    subprocess.run([sys.executable, "-c", endless], check=True)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
    return good()

def leaves_threads():
    def run():
        while True:
            time.sleep(0.01)
    for daemon in (True, False):
        threading.Thread(target=run, daemon=daemon).start()
    return good()

def eats_memory():
    kept = [torch.ones(1 << 28) for _ in range(2)]
    while kept:
        time.sleep(1)

def reads():
    return input()

def closes():
    os.closerange(0, 30)
    sys.stdout = None
    return good()

def odd_text():
    raise ValueError("a\\udcffb")

def many_processes():
    for _ in range(520):
        if os.fork() == 0:
            while True:
                time.sleep(100)
    while True:
        time.sleep(1)
"""

SETTINGS = {
    "hangs": {"timeout": 8.0},
    "deep_hang": {"timeout": 8.0},
    "hangs_in_forward": {"timeout": 12.0},
    "eats_memory": {"memory_limit": 1 << 30},
}
NAMES = [line[4:-3] for line in SOURCE.splitlines() if line.startswith("def ") and line != "def wait():"]


@pytest.fixture(scope="module")
def seen(tmp_path_factory, none_left):
    """The observations of all of them by name, and the file they are in."""
    folder = tmp_path_factory.mktemp("targets")
    path = folder / "bad.py"
    path.write_text(SOURCE)
    (folder / "msgspec.py").write_text("raise RuntimeError('not this one')")
    names = [*NAMES, "god"]
    targets = [
        Target(name=name, target=f"{path}:{name}", device="cpu", root=str(folder), **SETTINGS.get(name, {}))
        for name in names
    ]
    targets.append(Target(name="none", target=f"{folder}/bda.py:good", root=str(folder)))
    started, done = [], []
    found = confirm_all(targets, jobs=3, on_start=started.append, on_done=done.append)
    none_left()
    assert started == targets, "in their order"
    assert [each.name for each in found] == [target.name for target in targets]
    assert sorted(each.name for each in done) == sorted(each.name for each in found)
    return {each.name: each for each in found}, path


OK = ("good", "prints", "forks", "forks_in_forward", "starts_others", "leaves_threads", "closes")


@pytest.mark.parametrize("name", OK)
def test_what_it_does_besides_does_not_matter(seen, name):
    found = seen[0][name]
    assert (found.status, found.message) == ("ok", "")
    assert found.calls == 1
    assert found.seconds["total"] > found.seconds["load"] > 0


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("hangs", "timeout", "no end after 8 s, while it was loaded; --timeout sets the limit"),
        ("deep_hang", "timeout", "no end after 8 s, while it was loaded; --timeout sets the limit"),
        ("leaves", "crashed", "the process ended with exit code 3 while it was loaded, without a result"),
        ("segfaults", "crashed", "killed by signal 11 (SIGSEGV) while it was loaded"),
        (
            "kills_itself",
            "crashed",
            "killed by signal 9 (SIGKILL) while it was loaded; the system does so when memory runs out",
        ),
        ("prints_and_dies", "crashed", "killed by signal 6 (SIGABRT) while it was loaded"),
        ("reads", "user-error", "calling reads(): EOFError: EOF when reading a line"),
        ("odd_text", "user-error", "calling odd_text(): ValueError: a\udcffb"),
        ("god", "user-error", "bad.py defines no 'god'; did you mean 'good'?"),
    ],
)
def test_what_became_of_it(seen, name, status, message):
    found = seen[0][name]
    assert (found.status, found.message) == (status, message)


def line_of(text):
    return SOURCE.splitlines().index(text) + 1


def test_a_file_that_is_not_there(seen):
    found, path = seen
    assert found["none"].status == "user-error"
    assert found["none"].message == f"{path.parent}/bda.py: no such file; did you mean 'bad.py'?"


def test_memory(seen):
    found = seen[0]["eats_memory"]
    assert found.status == "out-of-memory"
    assert found.message.startswith("held ")
    assert found.message.endswith(" GiB of memory while it was loaded; --memory-limit is 1.0 GiB")


def test_too_many_processes(seen):
    found = seen[0]["many_processes"]
    assert (found.status, found.message.split()[0]) == ("crashed", "started")
    assert found.message.endswith("processes while it was loaded and was stopped")


def test_a_hang_shows_where(seen):
    found, path = seen
    line = line_of("def hangs():") + 2
    assert found["hangs"].traceback == (
        f'Traceback (most recent call last):\n  File "{path}", line {line}, in hangs\n    time.sleep(1)\n'
    )
    assert found["deep_hang"].traceback.endswith("in deep_hang\n    time.sleep(1)\n")


def test_a_hang_in_the_second_call_keeps_what_the_first_showed(seen):
    found, path = seen
    hung = found["hangs_in_forward"]
    assert hung.status == "timeout"
    assert hung.message.startswith("no end after 12 s, ")
    assert str(path) in hung.covered
    assert "in wait\n    time.sleep(1000)\n" in hung.traceback


def test_a_crash_shows_where_and_what_was_printed(seen):
    found, path = seen
    line = line_of("def segfaults():") + 1
    crashed = found["segfaults"].traceback
    assert f'  File "{path}", line {line}, in segfaults\n    ctypes.string_at(0)\n' in crashed
    assert "compile_lint" not in crashed
    assert found["leaves"].traceback == "The process printed at its end:\n  the last words\n"
    died = found["prints_and_dies"].traceback
    assert died.endswith("\n  end\n")
    assert len(died) < 20_000


def test_errors_of_the_code_itself(seen):
    found, path = seen
    wrong = found["wrong_shape"]
    assert wrong.status == "user-error"
    assert "mat1 and mat2 shapes cannot be multiplied (1x3 and 2x2)" in wrong.message
    assert f'File "{path}", line {line_of("        return self.lin(x)")}, in forward' in wrong.traceback
    assert "compile_lint" not in wrong.traceback
    left = found["sys_exits"]
    assert left.status == "user-error"
    assert "SystemExit" in left.message and "enough" in left.message
