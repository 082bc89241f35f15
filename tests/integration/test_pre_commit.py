"""The hooks, run for real by pre-commit in repositories of their own: each installs this checkout, without torch."""

import re
import subprocess
from pathlib import Path

import pytest

BROKEN = """\
import torch
from helper import read


class Net(torch.nn.Module):
    def forward(self, x):
        return x * read(x.sum())
"""
HELPER = "def read(t):\n    return int(t)\n"
FIXED = "def read(t):\n    return t.to(int)\n"
CONFIG = """\
repos:
- repo: {checkout}
  rev: {revision}
  hooks:
  - id: {hook}
"""


@pytest.fixture
def project(git, tmp_path):
    """A model and its helper, which breaks, staged."""
    (tmp_path / "model.py").write_text(BROKEN)
    (tmp_path / "helper.py").write_text(HELPER)
    git("add", ".")
    return tmp_path


@pytest.fixture
def configured(project, git, call, checkout):
    """Write the configuration of pre-commit for one of the hooks."""
    revision = call("git", "rev-parse", "HEAD", cwd=checkout).out.strip()

    def write(hook):
        text = CONFIG.format(checkout=checkout, revision=revision, hook=hook)
        (project / ".pre-commit-config.yaml").write_text(text)
        git("add", ".")
        return project

    return write


def places(out):
    return set(re.findall(r"^(\S+:\d+):\d+: (CL\d+)", out, re.MULTILINE))


def test_try_repo(project, pre_commit, checkout):
    result = pre_commit("try-repo", checkout, "compile-lint", "--all-files")
    assert result.code == 1, result.out
    assert places(result.out) == {("helper.py:2", "CL202")}
    assert "- exit code: 1\n" in result.out


def test_a_commit_is_stopped_until_the_model_is_fixed(configured, pre_commit, git, call):
    project = configured("compile-lint")
    assert pre_commit("install").code == 0
    stopped = call("git", "commit", "-qm", "model", cwd=project)
    assert stopped.code == 1
    assert places(stopped.out) == {("helper.py:2", "CL202")}
    (project / "helper.py").write_text(FIXED)
    git("add", ".")
    git("commit", "-qm", "model")
    assert git("log", "--format=%s") == "model\n"
    python = next(Path(pre_commit.home).rglob("bin/python"))
    assert subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode == 1


def test_a_list_of_files_that_is_split_over_processes(configured, pre_commit, git):
    """Files that nothing tells of each other; only the helper of one folder breaks. Excluded files stay excluded."""
    project = configured("compile-lint")
    for number in range(12):
        folder = project / f"part{number}"
        folder.mkdir()
        (folder / "model.py").write_text(BROKEN.replace("Net", f"Net{number}"))
        (folder / "helper.py").write_text(HELPER if number % 3 == 0 else FIXED)
    (project / "third_party").mkdir()
    (project / "third_party" / "model.py").write_text("import torch\n\n\n@torch.compile\ndef f(x):\n    print(x)\n")
    (project / "compile-lint.toml").write_text('extend-exclude = ["third_party"]\n')
    git("add", ".")
    expected = {("helper.py:2", "CL202"), *((f"part{number}/helper.py:2", "CL202") for number in range(0, 12, 3))}
    at_once = pre_commit("run", "--all-files", PRE_COMMIT_NO_CONCURRENCY="1")
    assert (at_once.code, places(at_once.out)) == (1, expected)
    split = pre_commit("run", "--all-files")
    assert (split.code, places(split.out)) == (1, expected)
    names = sorted(str(path.relative_to(project)) for path in project.rglob("*.py"))
    one_by_one = [pre_commit("run", "--files", *names[start::5]) for start in range(5)]
    assert set().union(*(places(one.out) for one in one_by_one)) == expected
    alone = pre_commit("run", "--files", "part3/model.py")
    assert (alone.code, places(alone.out)) == (1, {("part3/helper.py:2", "CL202")})
    assert pre_commit("run", "--files", "part3/helper.py", "third_party/model.py").code == 0


def test_changed_code_only(configured, pre_commit, git, call):
    """What was there before does not stop a commit; what it brings in does, wherever it is."""
    project = configured("compile-lint-changed")
    git("commit", "-qm", "as it was")
    assert pre_commit("install").code == 0
    (project / "more.py").write_text("x = 1\n")
    (project / "scratch.py").write_text(BROKEN)
    git("add", "more.py")
    git("commit", "-qm", "harmless, beside what git does not know")
    (project / "helper.py").write_text(HELPER + "\n\ndef size(t):\n    return t.tolist()\n")
    git("add", "helper.py")
    git("commit", "-qm", "reached by nothing yet")
    (project / "model.py").write_text(BROKEN.replace("read(x.sum())", "len(size(x))").replace("read", "read, size"))
    git("add", "model.py")
    stopped = call("git", "commit", "-qm", "newly reached", cwd=project)
    assert (stopped.code, places(stopped.out)) == (1, {("helper.py:6", "CL203")})
    git("commit", "--no-verify", "-qm", "newly reached")
    pushed = pre_commit("run", "--from-ref", "HEAD~1", "--to-ref", "HEAD")
    assert (pushed.code, places(pushed.out)) == (1, {("helper.py:6", "CL203")})
    assert pre_commit("run", "--from-ref", "HEAD", "--to-ref", "HEAD").code == 0
