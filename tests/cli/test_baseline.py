"""`--baseline`, `--write-baseline` and `--prune-baseline`."""

import json
import os

import pytest

BREAK = "def f():\n    x = 1  # BAD CL101\n"
BASE = "known.json"


@pytest.fixture
def lint(run):
    """Lint the folder with the baseline; the places of the findings, the exit code and what was said."""

    def call(*args, paths=(".",)):
        result = run(*paths, "--format", "json", "--baseline", BASE, *args)
        found = json.loads(result.out)["findings"] if result.out else []
        return [f"{one['path']}:{one['line']} {one['code']}" for one in found], result.code, result.err

    return call


@pytest.fixture
def known(lint, tmp_path):
    """A file with one finding that is in the baseline."""
    (tmp_path / "a.py").write_text(BREAK)
    assert lint("--write-baseline") == ([], 0, f"note: wrote {BASE}: 1 known finding\n")
    return tmp_path / "a.py"


def entries(tmp_path):
    return [(one["code"], one["path"]) for one in json.loads((tmp_path / BASE).read_text())["findings"]]


def test_what_is_known_is_not_shown(lint, known, run):
    assert lint() == ([], 0, "")
    assert "1 finding not new, and not shown." in run("a.py", "--baseline", BASE).out
    assert run("a.py").code == 1


def test_what_is_new_is_shown(lint, known, tmp_path):
    known.write_text(BREAK + "    y = 1  # BAD CL101\n")
    (tmp_path / "b.py").write_text(BREAK)
    assert lint() == (["a.py:3 CL101", "b.py:2 CL101"], 1, "")


@pytest.mark.parametrize(
    "text",
    [
        "\n\n# more\n" + BREAK,
        "def f():\n    x = (\n        1  # BAD CL101\n    )\n",
        BREAK.replace("\n", "\r\n"),
        BREAK.replace("x = 1", "x  =  1"),
    ],
)
def test_moved_lines_and_formatting(lint, known, text):
    known.write_bytes(text.encode())
    assert lint() == ([], 0, "")


def test_one_more_of_the_same_is_new(lint, known):
    known.write_text(BREAK + "    x = 1  # BAD CL101\n")
    assert lint() == (["a.py:3 CL101"], 1, "")


def test_what_is_found_no_more(lint, known, tmp_path):
    known.write_text("def f():\n    x = 1\n")
    stale = f"note: {BASE}: stale, for it is no more: a.py (Net.forward): CL101 x = 1\n"
    assert lint() == ([], 0, f"{stale}note: {BASE}: --prune-baseline takes out what is stale\n")
    assert lint("--quiet") == ([], 0, "")
    assert entries(tmp_path) == [("CL101", "a.py")]
    assert lint("--prune-baseline") == ([], 0, f"note: wrote {BASE}: 0 known findings\n")
    assert entries(tmp_path) == []
    assert lint("--prune-baseline") == ([], 0, "")


def test_pruning_adds_nothing(lint, known, tmp_path):
    known.write_text(BREAK.replace("CL101", "CL102"))
    found, code, _ = lint("--prune-baseline")
    assert (found, code, entries(tmp_path)) == (["a.py:2 CL102"], 1, [])


def test_a_file_that_is_gone_is_stale(lint, known, tmp_path):
    known.rename(tmp_path / "b.py")
    found, code, err = lint()
    assert (found, code) == (["b.py:2 CL101"], 1)
    assert "stale, for it is no more: a.py" in err


def test_files_that_were_not_linted_are_left_as_they_are(lint, known, tmp_path):
    (tmp_path / "b.py").write_text(BREAK)
    known.write_text("x = 1\n")
    assert lint(paths=["b.py"]) == (["b.py:2 CL101"], 1, "")
    assert lint("--prune-baseline", paths=["b.py"])[2] == ""
    lint("--write-baseline", paths=["b.py"])
    assert entries(tmp_path) == [("CL101", "a.py"), ("CL101", "b.py")]
    lint("--write-baseline")
    assert entries(tmp_path) == [("CL101", "b.py")]


def test_rules_that_are_left_out_are_not_stale(lint, known):
    assert lint("--ignore", "CL1") == ([], 0, "")


def test_a_file_that_cannot_be_read_keeps_its_entries(lint, known, tmp_path):
    known.write_bytes(b"x = '\xff'\n")
    assert lint("--write-baseline")[1] == 2
    assert entries(tmp_path) == [("CL101", "a.py")]


def test_a_syntax_error_is_never_known(command, tmp_path):
    path = tmp_path / "a.py"
    path.write_text("import torch\n@torch.compile\ndef f(x: torch.Tensor):\n    return x.item()\n")
    assert command("a.py", "--baseline", BASE, "--write-baseline").code == 0
    path.write_text("def f(:\n")
    result = command("a.py", "--baseline", BASE, "--write-baseline")
    assert result.code == 1
    assert "CL900" in result.out
    assert entries(tmp_path) == [("CL201", "a.py")], "those that it hides are kept"


def test_from_another_folder(run, known, tmp_path, monkeypatch):
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert run("..", "--baseline", f"../{BASE}").code == 0


def test_in_the_configuration(run, known, tmp_path, monkeypatch):
    (tmp_path / "compile-lint.toml").write_text(f'baseline = "{BASE}"\n')
    assert run().code == 0
    monkeypatch.chdir("/")
    assert run(tmp_path).code == 0
    assert f"baseline = {tmp_path / BASE}" in run(tmp_path, "--show-settings").out
    (tmp_path / BASE).unlink()
    assert run(tmp_path, "--write-baseline").code == 0
    assert entries(tmp_path) == [("CL101", "a.py")]


def test_the_order_of_the_paths_does_not_count(lint, tmp_path):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(BREAK * 2)
    lint("--write-baseline")
    first = (tmp_path / BASE).read_bytes()
    lint("--write-baseline", paths=["c.py", "b.py", "a.py"])
    assert (tmp_path / BASE).read_bytes() == first


def test_a_damaged_file_stays_as_it_is(lint, known, tmp_path):
    (tmp_path / BASE).write_text("{")
    for args in ([], ["--write-baseline"], ["--prune-baseline"]):
        found, code, err = lint(*args)
        assert (found, code) == ([], 2)
        assert err.startswith(f"error: --baseline: {BASE}: is not JSON: ")
    assert (tmp_path / BASE).read_text() == "{"


def test_a_baseline_of_confirm_is_told_apart(lint, known, tmp_path):
    (tmp_path / BASE).write_text('{"version": 1, "accepted": []}')
    assert lint()[2].startswith(f"error: --baseline: {BASE}: findings: must be a list")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--baseline", "none.json"], "--baseline: none.json: no such file; --write-baseline makes one"),
        (["--write-baseline"], "--write-baseline: needs --baseline FILE"),
        (["--prune-baseline"], "--prune-baseline: needs --baseline FILE"),
        (["--baseline", "no/b.json", "--write-baseline"], "--baseline: no/b.json: the folder no does not exist"),
        (["--baseline", "b", "--write-baseline", "--prune-baseline"], "--prune-baseline: goes with no --write"),
    ],
)
def test_what_does_not_go(run, tmp_path, args, words):
    (tmp_path / "a.py").write_text(BREAK)
    result = run(".", *args)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {words}")
    assert not (tmp_path / "b").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written(lint, known, tmp_path):
    tmp_path.chmod(0o500)
    known.write_text(BREAK * 2)
    found, code, err = lint("--write-baseline")
    tmp_path.chmod(0o700)
    assert (found, code) == ([], 2)
    assert err == f"error: --baseline: {BASE}: cannot be written: Permission denied\n"
