"""`--diff-base` and `--diff` on the real analysis: which findings a change brings in."""

import json
from pathlib import Path

import pytest

HELPER = """\
def read(t):
    return int(t)


def size(t):
    return t.shape[0]
"""
MODEL = """\
import torch
from helper import read, size


class Net(torch.nn.Module):
    def forward(self, x):
        known = x.sum().item()
        return x * size(x)

    def other(self, x):
        return x


def step(x):
    y = x.sum()
    if y > 0:
        x = x + 1
    return x
"""


@pytest.fixture
def project(git, tmp_path):
    """A model with one known break, in one commit."""
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "model.py").write_text(MODEL)
    git("add", ".")
    git("commit", "-qm", "first")
    return tmp_path


@pytest.fixture
def found(command):
    """Lint; the places of the findings and the exit code."""

    def call(*args, paths=(".",), **kwargs):
        result = command(*paths, "--format", "json", "--isolated", *args, **kwargs)
        assert result.err == ""
        document = json.loads(result.out)
        places = [f"{one['path']}:{one['line']} {one['code']}" for one in document["findings"]]
        return places, result.code

    return call


def edit(path: Path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_nothing_has_changed(project, found):
    assert found() == (["model.py:7 CL201"], 1)
    assert found("--diff-base", "HEAD") == ([], 0)


def test_a_finding_on_a_new_line(project, found):
    edit(project / "model.py", "        return x * size(x)", "        print(x)\n        return x * size(x)")
    assert found("--diff-base", "HEAD") == (["model.py:8 CL501"], 1)


def test_lines_that_moved_are_not_new(project, found):
    edit(project / "model.py", "import torch\n", "import os\nimport torch\n")
    assert found() == (["model.py:8 CL201"], 1)
    assert found("--diff-base", "HEAD") == ([], 0)


def test_an_altered_line_of_a_finding_is_shown(project, found):
    edit(project / "model.py", "known = x.sum().item()", "known = x.mean().item()")
    assert found("--diff-base", "HEAD") == (["model.py:7 CL201"], 1)


def test_a_finding_of_several_lines_of_which_one_is_altered(project, found):
    edit(project / "model.py", "x.sum().item()", "x.sum(\n            0,\n            1,\n        ).item()")
    found_git = found("--diff-base", "HEAD")
    assert found_git == (["model.py:7 CL201"], 1)


def test_the_function_of_a_finding_has_changed(project, found):
    edit(project / "model.py", "x * size(x)", "x * size(x) + 1")
    assert found("--diff-base", "HEAD") == ([], 0)
    assert found("--diff-base", "HEAD", "--diff-scope", "function") == (["model.py:7 CL201"], 1)
    assert found("--diff-base", "HEAD", "--diff-scope", "line") == ([], 0)


def test_another_function_has_changed(project, found):
    edit(
        project / "model.py",
        "    def other(self, x):\n        return x",
        "    def other(self, x):\n        return x + 1",
    )
    assert found("--diff-base", "HEAD", "--diff-scope", "function") == ([], 0)


def test_a_break_that_a_new_call_reaches(project, found):
    """The line of the break is old, and in a file that has not changed."""
    edit(project / "model.py", "x * size(x)", "x * read(x.max())")
    assert found("--diff-base", "HEAD") == (["helper.py:2 CL202"], 1)


def test_a_break_that_was_reached_before_is_not_new(project, found, git):
    edit(project / "model.py", "x * size(x)", "x * read(x.max())")
    git("commit", "-qam", "second")
    edit(project / "model.py", "x * read(x.max())", "x * read(x.min())")
    assert found("--diff-base", "HEAD") == ([], 0)
    assert found("--diff-base", "HEAD~1") == (["helper.py:2 CL202"], 1)


def test_a_function_that_is_compiled_from_now_on(project, found):
    edit(project / "model.py", "def step(x):", "@torch.compile\ndef step(x):")
    assert found("--diff-base", "HEAD") == (["model.py:17 CL101"], 1)


def test_what_an_edit_elsewhere_made_a_tensor(project, found, git):
    """`size` gives a number before, a tensor after: the break is in the file that has not changed."""
    edit(project / "model.py", "return x * size(x)", "n = size(x)\n        return [x] * int(n)")
    git("commit", "-qam", "second")
    assert found("--diff-base", "HEAD") == ([], 0)
    edit(project / "helper.py", "t.shape[0]", "t.sum()")
    assert found("--diff-base", "HEAD") == (["model.py:9 CL202"], 1)


def test_a_line_that_is_gone_brings_a_finding_in(project, found, git):
    edit(project / "model.py", "x.sum().item()", "x.sum().item()  # compile-lint: ignore[CL201]")
    git("commit", "-qam", "silenced")
    assert found("--diff-base", "HEAD") == ([], 0)
    edit(project / "model.py", "        known", "        # about it\n        known")
    edit(project / "model.py", "  # compile-lint: ignore[CL201]", "")
    assert found("--diff-base", "HEAD") == (["model.py:8 CL201"], 1)


def test_a_renamed_file_is_not_new(project, found, git):
    git("mv", "model.py", "net.py")
    assert found("--diff-base", "HEAD") == ([], 0)
    edit(project / "net.py", "return x * size(x)", "return x * read(x.max())")
    assert found("--diff-base", "HEAD") == (["helper.py:2 CL202"], 1)


def test_a_renamed_helper(project, found, git):
    edit(project / "model.py", "x * size(x)", "x * read(x.max())")
    git("commit", "-qam", "second")
    git("mv", "helper.py", "tools.py")
    edit(project / "model.py", "from helper", "from tools")
    assert found() == (["model.py:7 CL201", "tools.py:2 CL202"], 1)
    assert found("--diff-base", "HEAD") == ([], 0)


def test_a_new_file(project, found):
    (project / "new.py").write_text(MODEL)
    assert found("--diff-base", "HEAD") == (["new.py:7 CL201"], 1)


def test_a_deleted_file(project, found, git):
    """What it reached before was there before."""
    (project / "second.py").write_text(MODEL.replace("x * size(x)", "x * read(x.max())"))
    git("add", ".")
    git("commit", "-qm", "second")
    git("rm", "-q", "second.py")
    edit(project / "model.py", "x * size(x)", "x * read(x.max())")
    assert found() == (["helper.py:2 CL202", "model.py:7 CL201"], 1)
    assert found("--diff-base", "HEAD") == ([], 0)


def test_a_syntax_error_on_an_old_line(project, found):
    edit(project / "model.py", "class Net(torch.nn.Module):", "class Net(torch.nn.Module:")
    assert found("--diff-base", "HEAD") == (["model.py:5 CL900"], 1)


def test_an_idle_suppression_that_a_deletion_leaves_behind(project, found, git):
    edit(project / "model.py", "        known", "        # compile-lint: ignore[CL201]\n        known")
    git("commit", "-qam", "silenced")
    edit(project / "model.py", "        known = x.sum().item()\n", "")
    assert found("--diff-base", "HEAD") == (["model.py:7 CL901"], 0)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings_and_line_ends(project, found, git, ends, encoding):
    head = "# coding: latin-1\n" if encoding == "latin-1" else ""
    text = (head + MODEL + "# käse\n").replace("\n", ends)
    (project / "model.py").write_bytes(text.encode(encoding))
    git("commit", "-qam", "second")
    (project / "model.py").write_bytes(text.replace("size(x)", "read(x.max())").encode(encoding))
    assert found("--diff-base", "HEAD") == (["helper.py:2 CL202"], 1)


def test_from_a_folder_below(project, found, git, monkeypatch):
    edit(project / "model.py", "x * size(x)", "x * read(x.max()) + x.tolist()")
    (project / "below").mkdir()
    (project / "diff").write_text(git("diff"))
    monkeypatch.chdir(project / "below")
    args = (["--diff-base", "HEAD"], ["--diff", "../diff"])
    assert [found(*one, paths=("..",)) for one in args] == [(["../helper.py:2 CL202", "../model.py:8 CL203"], 1)] * 2


def test_one_line_is_reported_by_all_ways(project, found, git):
    edit(project / "model.py", "x * size(x)", "x * read(x.max())")
    git("mv", "helper.py", "tools.py")
    edit(project / "model.py", "from helper", "from tools")
    (project / "diff").write_text(git("diff", "HEAD", "--find-renames"))
    expected = (["tools.py:2 CL202"], 1)
    assert found("--diff-base", "HEAD") == expected
    assert found("--diff", "diff") == expected
    assert found("--diff", "-", stdin=(project / "diff").read_bytes()) == expected
    git("commit", "-qam", "second")
    assert found("--diff", "-", stdin=git("show", "-U9").encode()) == expected


def test_the_summary_and_the_score(project, command):
    result = command(".", "--diff-base", "HEAD", "--isolated")
    assert "No findings in 2 files.\n1 finding not new, and not shown.\n" in result.out
    assert "Readiness" in result.out
    assert command(".", "--diff-base", "HEAD", "--isolated", "--fail-under", "99").code == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--diff-base", "nope"], "--diff-base: nope: git knows no such revision"),
        (["--diff-base", ""], "--diff-base: names no revision"),
        (["--diff-base", "HEAD", "--diff", "x"], "--diff: goes with no --diff-base"),
        (["--diff", "missing"], "--diff: missing: no such file"),
        (["--diff", "."], "--diff: .: cannot be read"),
        (["--diff", "model.py"], "--diff: model.py: is not a unified diff"),
        (["--diff-base", "HEAD", "--write-baseline", "--baseline", "b"], "--write-baseline: goes with no --diff"),
        (["--diff-base", "HEAD", "--prune-baseline", "--baseline", "b"], "--prune-baseline: goes with no --diff"),
        (["--diff-base", "HEAD", "--diff-scope", "file"], "--diff-scope: 'file' is not valid"),
    ],
)
def test_what_does_not_go(project, command, args, words):
    result = command(".", *args)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {words}")


def test_standard_input_is_no_file(project, command):
    result = command("-", "--diff-base", "HEAD", stdin=b"x = 1\n")
    assert (result.code, result.err) == (2, "error: -: what standard input holds goes with no --diff-base\n")


def test_only_named_files_with_what_they_import(project, found, git):
    """As a hook is run: the helper that has changed is not named, nor are others that do."""
    edit(project / "model.py", "return x * size(x)", "n = size(x)\n        return [x] * int(n)")
    git("commit", "-qam", "second")
    follow = ("--diff-base", "HEAD", "--follow-imports")
    assert found(*follow, paths=["model.py"]) == ([], 0)
    edit(project / "helper.py", "t.shape[0]", "t.sum()")
    assert found(*follow, paths=["model.py"]) == (["model.py:9 CL202"], 1)
    assert found(*follow, paths=["helper.py"]) == ([], 0)
    edit(project / "model.py", "return x\n\n\n", "return x + 1\n\n\n")
    assert found(*follow, paths=["model.py"]) == (["model.py:9 CL202"], 1)
    git("mv", "helper.py", "tools.py")
    edit(project / "model.py", "from helper", "from tools")
    assert found(*follow, paths=["model.py"]) == (["model.py:9 CL202"], 1)


def test_lines_that_git_does_not_count(project, found, git):
    """A file of one line, for git: with that it has changed as a whole."""
    (project / "model.py").write_bytes(MODEL.replace("\n", "\r").encode())
    git("commit", "-qam", "second")
    assert found("--diff-base", "HEAD") == ([], 0)
    (project / "model.py").write_bytes((MODEL + "x = 1\n").replace("\n", "\r").encode())
    assert found("--diff-base", "HEAD") == (["model.py:7 CL201"], 1)


def test_the_files_as_they_were_are_linted_only_if_that_can_tell(project, found, monkeypatch):
    from compile_lint import analysis

    runs = []
    analyze = analysis.analyze
    monkeypatch.setattr(analysis, "analyze", lambda *args: runs.append(1) or analyze(*args))
    (project / "README.md").write_text("text\n")
    assert found("--diff-base", "HEAD") == ([], 0)
    assert len(runs) == 1, "no code has changed"
    edit(project / "model.py", "known = x.sum().item()", "known = x.mean().item()")
    assert found("--diff-base", "HEAD") == (["model.py:7 CL201"], 1)
    assert len(runs) == 2, "every finding is on a changed line"
    edit(project / "model.py", "        return x * size(x)", "        print(x)\n        return x * size(x)")
    edit(project / "model.py", "known = x.mean().item()", "known = x.sum().item()")
    assert found("--diff-base", "HEAD") == (["model.py:8 CL501"], 1)
    assert len(runs) == 4
