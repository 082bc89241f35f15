"""What git says has changed, and what to do where it cannot say."""

import os
import subprocess

import pytest

from compile_lint.changed import HOOK, from_git
from compile_lint.config.errors import ConfigError


@pytest.fixture
def repository(git, tmp_path):
    """One commit with `a.py` of five lines, `pack/b.py` and `gone.py`."""
    (tmp_path / "a.py").write_text("1\n2\n3\n4\n5\n")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "b.py").write_text("".join(f"line {number}\n" for number in range(20)))
    (tmp_path / "gone.py").write_text("x\n")
    git("add", ".")
    git("commit", "-qm", "first")
    return tmp_path


def lines(folder, base="HEAD", **environ):
    """Name -> lines that are new; None for all of them; deleted files as `-name`."""
    found = from_git(base, str(folder), {**os.environ, **environ})
    top = os.path.realpath(folder)
    return {
        os.path.relpath(change.path, top) if change.path else f"-{os.path.basename(change.old_path)}": None
        if change.is_new
        else change.added
        for change in found.files
    }


def test_the_work_tree(git, repository):
    assert lines(repository) == {}
    (repository / "a.py").write_text("1\nzwei\n3\n4\n5\n6\n")
    (repository / "staged.py").write_text("s\n")
    git("add", "staged.py")
    (repository / "unknown.py").write_text("x\n")
    (repository / "ignored.py").write_text("x\n")
    (repository / ".gitignore").write_text("ignored.py\n")
    git("rm", "-q", "gone.py")
    expected = {"a.py": (2, 6), "staged.py": None, "unknown.py": None, ".gitignore": None, "-gone.py": ()}
    assert lines(repository) == expected


def test_from_a_folder_below(git, repository):
    (repository / "a.py").write_text("1\n")
    (repository / "new.py").write_text("1\n")
    found = from_git("HEAD", str(repository / "pack"), os.environ)
    assert {os.path.basename(change.path) for change in found.files} == {"a.py", "new.py"}


def test_renames(git, repository):
    git("mv", "pack/b.py", "pack/ö name.py")
    path = repository / "pack" / "ö name.py"
    path.write_text(path.read_text().replace("line 3\n", "line three\n"))
    found = from_git("HEAD", str(repository), os.environ)
    (change,) = found.files
    assert (change.path, change.old_path) == (str(path), str(repository / "pack" / "b.py"))
    assert change.added == (4,)


def test_names_that_git_quotes(git, repository):
    name = 'q"uo\tte\\d.py'
    (repository / name).write_text("1\n2\n")
    git("add", ".")
    git("commit", "-qm", "second")
    (repository / name).write_text("1\nzwei\n")
    assert lines(repository) == {name: (2,)}


def test_settings_of_the_user_do_not_count(git, repository):
    for key, value in (
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("color.ui", "always"),
        ("diff.external", "false"),
        ("diff.renames", "false"),
        ("diff.relative", "true"),
        ("core.quotePath", "true"),
    ):
        git("config", key, value)
    (repository / "a.py").write_text("eins\n2\n3\n4\n5\n")
    git("mv", "pack/b.py", "pack/c.py")
    assert lines(repository / "pack") == {"../a.py": (1,), "c.py": ()}


def test_what_the_base_did_since_is_no_change_of_ours(git, repository):
    """As a code review shows it: from the commit at which the branch left the other one."""
    git("checkout", "-qb", "work")
    (repository / "a.py").write_text("1\n2\n3\n4\nfive\n")
    git("commit", "-qam", "ours")
    git("checkout", "-q", "main")
    (repository / "pack" / "b.py").write_text("theirs\n")
    git("commit", "-qam", "theirs")
    git("checkout", "-q", "work")
    assert lines(repository, "main") == {"a.py": (5,)}


def test_histories_that_never_met(git, repository):
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "other")
    assert lines(repository, "main") == {}


def test_the_base_of_a_hook(git, repository):
    """What is staged against HEAD, or what pre-commit was told; files that git does not know are not in the commit."""
    first = git("rev-parse", "HEAD").strip()
    (repository / "a.py").write_text("eins\n2\n3\n4\n5\n")
    git("commit", "-qam", "second")
    (repository / "new.py").write_text("x\n")
    git("add", "new.py")
    (repository / "unknown.py").write_text("x\n")
    assert lines(repository, HOOK) == {"new.py": None}
    assert lines(repository, HOOK, PRE_COMMIT_FROM_REF=first) == {"a.py": (1,), "new.py": None}


def test_the_first_commit_in_a_hook(git, tmp_path):
    (tmp_path / "a.py").write_text("1\n")
    git("add", "a.py")
    assert lines(tmp_path, HOOK) == {"a.py": None}


def test_variables_of_a_running_hook(git, repository):
    """git names its own folder to hooks, relative to the top of the work tree."""
    (repository / "a.py").write_text("eins\n2\n3\n4\n5\n")
    assert lines(repository / "pack", GIT_DIR=".git", GIT_INDEX_FILE=".git/index") == {"../a.py": (1,)}


def test_a_merge_that_is_not_resolved(git, repository):
    git("checkout", "-qb", "work")
    (repository / "a.py").write_text("ours\n2\n3\n4\n5\n")
    git("commit", "-qam", "ours")
    git("checkout", "-q", "main")
    (repository / "a.py").write_text("theirs\n2\n3\n4\n5\n")
    git("commit", "-qam", "theirs")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "work")
    assert lines(repository) == {"a.py": (1, 3, 4, 5)}


def test_nothing_is_written(git, repository):
    (repository / "a.py").write_text("eins\n")
    index = repository / ".git" / "index"
    before = (index.read_bytes(), index.stat().st_mtime_ns, sorted(os.listdir(repository / ".git")))
    lines(repository)
    assert (index.read_bytes(), index.stat().st_mtime_ns, sorted(os.listdir(repository / ".git"))) == before


def complaint(folder, base="HEAD"):
    with pytest.raises(ConfigError) as caught:
        from_git(base, str(folder), os.environ)
    return str(caught.value)


def test_no_repository(git, tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    assert complaint(folder) == (
        f"--diff-base: HEAD: {folder} is in no git repository; --diff takes a diff that was made in another way"
    )


@pytest.mark.parametrize("base", ["no-such", "HEAD~9", "--help", "-x", "main:a.py"])
def test_an_unknown_revision(repository, base):
    assert complaint(repository, base) == (
        f"--diff-base: {base}: git knows no such revision; `git fetch origin` gets those of a remote"
    )


def test_a_shallow_clone(git, repository, tmp_path_factory):
    for number in range(3):
        (repository / "a.py").write_text(f"{number}\n")
        git("commit", "-qam", f"change {number}")
    git("branch", "old", "HEAD~2")
    clone = tmp_path_factory.mktemp("clone")
    git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repository}", clone)
    assert lines(clone, "origin/main") == {}
    words = complaint(clone, "origin/old")
    assert words.startswith("--diff-base: origin/old: this clone is too shallow to hold the commit at which the work")
    assert "git fetch --unshallow origin" in words
    words = complaint(clone, "HEAD~2")
    assert words.startswith("--diff-base: HEAD~2: this clone is shallow and does not have it; fetch it")
    git("fetch", "-q", "--unshallow", "origin", cwd=clone)
    assert lines(clone, "origin/old") == {"a.py": (1,)}


def test_no_git(git, repository, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert complaint(repository).startswith("--diff-base: HEAD: git is not installed; --diff takes a diff")


def test_other_complaints_of_git_are_passed_on(git, repository, monkeypatch):
    (repository / ".git" / "index").write_bytes(b"damaged")
    words = complaint(repository)
    assert words.startswith("--diff-base: HEAD: git diff: ")
    assert "index file" in words
    assert subprocess.run(["git", "status"], cwd=repository, capture_output=True, check=False).returncode
