"""What lies on disk is believed only where it is whole and the user's own, and never stops a run."""

import json
import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from compile_lint.cache import CacheError, Folder, clean
from compile_lint.cache.folder import MOST_GENERATIONS

BREAK = "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.item()\n"
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's")


def test_its_own_files(tree):
    tree.write(net=BREAK)
    tree.run()
    assert (tree.cache / ".gitignore").read_text() == "*\n"
    assert (tree.cache / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    (entry,) = tree.entries()
    checksum, _, content = entry.read_bytes().partition(b"\n")
    assert len(checksum) == 32 and json.loads(content)[1][0] == "net.py"


def damage(data):
    yield b""
    yield data[: len(data) // 2]
    yield data[:-1]
    yield data.replace(b"net.py", b"bet.py")
    yield b"\x80\x04N." + data
    yield b"\xff" * len(data)
    yield data + b"\n"


def test_a_damaged_entry_is_not_believed(tree):
    tree.write(net=BREAK)
    right = tree.run()
    (entry,) = tree.entries()
    for broken in damage(entry.read_bytes()):
        entry.write_bytes(broken)
        assert tree.run() == right
        assert tree.analysed == ["net.py"]
        assert tree.run() == right
        assert tree.analysed == []


@pytest.mark.parametrize(
    "content", [b"null", b"[]", b"[1, 2]", b"[[], []]", b'[{"path": 1}, []]', b"[" * 100_000, b'{"a": [1e999]}']
)
def test_an_entry_of_another_form_is_not_believed(tree, content):
    tree.write(net=BREAK)
    right = tree.run()
    (entry,) = tree.entries()
    Folder(tree.cache).write(entry.parts[-3], entry.parts[-2] + entry.stem, content)
    assert tree.run() == right
    assert tree.analysed == ["net.py"]


def test_types_are_checked(tree):
    tree.write(net=BREAK)
    right = tree.run()
    (entry,) = tree.entries()
    basis, result = json.loads(entry.read_bytes().partition(b"\n")[2])
    result[3][0][3] = "high"  # the score of the entry
    Folder(tree.cache).write(entry.parts[-3], entry.parts[-2] + entry.stem, json.dumps([basis, result]).encode())
    assert tree.run() == right
    assert tree.analysed == ["net.py"]


@posix
def test_an_entry_that_is_a_link_is_not_followed(tree):
    tree.write(net=BREAK)
    tree.run()
    (entry,) = tree.entries()
    elsewhere = tree.root / "elsewhere"
    entry.rename(elsewhere)
    entry.symlink_to(elsewhere)
    tree.run()
    assert tree.analysed == ["net.py"]


@posix
def test_of_another_user(tree, monkeypatch):
    tree.write(net=BREAK)
    tree.run()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(CacheError, match="belongs to another user"):
        Folder(tree.cache)
    with pytest.raises(CacheError, match="belongs to another user"):
        clean(tree.cache)


@posix
def test_that_everyone_may_write_to(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(CacheError, match="everyone may write"):
        Folder(folder)


@posix
def test_that_is_a_link_or_a_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("")
    for name in ("link", "file"):
        with pytest.raises(CacheError, match="is no folder"):
            Folder(tmp_path / name)


def test_that_cannot_be_written(tree, monkeypatch):
    tree.write(net=BREAK)
    right = tree.run(cached=False)

    def refuse(*args, **kwargs):
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuse)
        assert tree.run() == right
    assert tree.entries() == []
    assert not list(tree.cache.rglob("*.tmp"))


def test_that_cannot_be_made(tree, command):
    (tree.root / "file").write_text("")
    tree.write(net=BREAK)
    result = command("net.py", "--isolated", "--cache-dir", "file/cache")
    assert (result.code, result.err) == (1, "")


def test_generations_that_are_not_used_go(tmp_path):
    folder = Folder(tmp_path / "cache")
    for number in range(MOST_GENERATIONS + 2):
        folder.write(f"generation{number}", "abcdef", b"{}")
        os.utime(folder.path / f"generation{number}", (number, number))
    kept = sorted(path.name for path in folder.path.iterdir() if path.is_dir())
    assert kept == [f"generation{number}" for number in range(2, MOST_GENERATIONS + 2)]


def test_two_runs_at_once(tree):
    for number in range(12):
        tree.write(**{f"net{number}": BREAK})
    right = tree.run(cached=False)
    command = [sys.executable, "-m", "compile_lint", ".", "--isolated", "--format", "json", "--exit-zero"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    outputs = [run.communicate(timeout=120) for run in runs]
    assert outputs[0] == outputs[1] and outputs[0][1] == b""
    assert len(json.loads(outputs[0][0])["findings"]) == len(right.findings)
    assert not list(tree.cache.rglob("*.tmp"))


@posix
def test_an_interrupt_leaves_a_cache_that_can_be_used(tree):
    for number in range(300):
        tree.write(**{f"net{number}": BREAK + f"# {number}\n"})
    command = [sys.executable, "-m", "compile_lint", ".", "--isolated", "-qq", "--jobs", "1"]
    run = subprocess.Popen(command, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not tree.entries() and time.monotonic() < deadline:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    assert run.wait(60) == 130
    kept = len(tree.entries())
    assert 0 < kept < 300
    subprocess.run(command, check=False)
    assert len(tree.entries()) == 300
    assert not list(tree.cache.rglob("*.tmp"))


def test_clean(tree, command):
    tree.write(net=BREAK)
    assert command("clean", "--isolated").out == "nothing to remove: .compile_lint_cache is not there\n"
    assert command("net.py", "--isolated").code == 1
    assert stat.S_ISDIR(tree.cache.stat().st_mode)
    assert command("clean", "--isolated").out == "removed .compile_lint_cache\n"
    assert not tree.cache.exists()


def test_clean_removes_nothing_else(tree, command):
    tree.write(**{"precious/net": BREAK})
    result = command("clean", "--cache-dir", "precious")
    assert result.code == 2
    assert "precious: holds no CACHEDIR.TAG of compile-lint; left as it is" in result.err
    assert (tree.root / "precious" / "net.py").exists()


def test_no_cache(tree, command):
    tree.write(net=BREAK)
    assert command("net.py", "--isolated", "--no-cache").code == 1
    assert not tree.cache.exists()


def test_it_lies_beside_the_configuration(tree, command):
    tree.write(**{"deep/net": BREAK})
    (tree.root / "compile-lint.toml").write_text('cache-dir = "kept"\n')
    assert command("deep").code == 1
    assert (tree.root / "kept" / "CACHEDIR.TAG").exists()


def test_standard_input_is_not_remembered(tree):
    command = [sys.executable, "-m", "compile_lint", "-", "--stdin-filename", "net.py", "--isolated"]
    assert subprocess.run(command, input=BREAK.encode(), capture_output=True, check=False).returncode == 1
    assert not tree.cache.exists()
