"""Asking git what has changed since a revision. Nothing is written: neither the index nor the work tree."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

from compile_lint.changed.diff import from_git_diff
from compile_lint.changed.model import Changes, FileChange
from compile_lint.config.errors import ConfigError

HOOK = ":pre-commit"
"""The base of a run as a hook: what pre-commit compares with. No revision can be called that."""

_KEPT = (
    "GIT_EXEC_PATH", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
)  # fmt: skip
_DIFF = (
    "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=0", "--ignore-submodules",
    "--src-prefix=a/", "--dst-prefix=b/",
)  # fmt: skip


def from_git(base: str, folder: str, environ: Mapping[str, str]) -> Changes:
    """What has changed since a revision, up to the files as they lie there now.

    It is compared with the commit at which the work left the revision, as code reviews do. Files that git does not
    know yet are new, unless git ignores them.

    Args:
        base: the revision, or HOOK.
        folder: absolute; it lies in the work tree.
        environ: the environment; a hook is told there what it compares with.

    Raises:
        ConfigError: with what to do; no git, no work tree, no such revision, or a clone that is too shallow.
    """
    as_hook = base == HOOK
    revision = (environ.get("PRE_COMMIT_FROM_REF") or "HEAD") if as_hook else base
    git = _Git(folder, environ, base)
    top = git.folder = git.top()
    start = git.empty() if as_hook and not git.has_commits() else git.fork(git.commit(revision))
    changed = from_git_diff(git.output(*_DIFF, start, "--"), top)
    fresh = [] if as_hook else git.output("ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/")
    untracked = [os.fsdecode(name) for name in bytes(fresh).split(b"\0") if name]
    new = [FileChange(os.path.realpath(os.path.join(top, name)), "") for name in untracked]
    return Changes((*changed, *new))


def work_tree(folder: str, environ: Mapping[str, str]) -> str | None:
    """The top of the work tree that a folder lies in; None if there is none, or no git."""
    try:
        return _Git(folder, environ, "").top()
    except ConfigError:
        return None


class _Git:
    """Runs git in a folder."""

    def __init__(self, folder: str, environ: Mapping[str, str], base: str) -> None:
        self.folder = folder
        self.place = f"--diff-base: {base}"
        # A hook runs with variables that name git's own folder, relative to another one than this.
        self.environ = {
            name: value
            for name, value in environ.items()
            if not name.startswith("GIT_") or name.startswith(("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")) or name in _KEPT
        }
        self.environ |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}

    def top(self) -> str:
        """The top of the work tree."""
        done = self.run("rev-parse", "--show-toplevel")
        if done.returncode:
            words = _words(done)
            if "not a git repository" in words:
                words = f"{self.folder} is in no git repository; --diff takes a diff that was made in another way"
            raise ConfigError(f"{self.place}: {words}")
        return os.fsdecode(done.stdout.removesuffix(b"\n"))

    def commit(self, revision: str) -> str:
        """The commit of a revision."""
        done = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if not done.returncode:
            return done.stdout.decode().strip()
        if self.shallow():
            raise ConfigError(
                f"{self.place}: this clone is shallow and does not have it; fetch it with its history (`git fetch "
                "--unshallow origin`, or fetch-depth: 0 where a CI service checks out)"
            )
        raise ConfigError(f"{self.place}: git knows no such revision; `git fetch origin` gets those of a remote")

    def fork(self, commit: str) -> str:
        """The commit at which the work left the other one: that one itself where their histories never met."""
        done = self.run("merge-base", commit, "HEAD")
        if not done.returncode:
            return done.stdout.decode().split()[0]
        if self.shallow():
            raise ConfigError(
                f"{self.place}: this clone is too shallow to hold the commit at which the work left it; fetch more "
                "history (`git fetch --unshallow origin`, or fetch-depth: 0 where a CI service checks out)"
            )
        return commit

    def has_commits(self) -> bool:
        """Whether anything was committed yet."""
        return not self.run("rev-parse", "--verify", "--quiet", "HEAD").returncode

    def empty(self) -> str:
        """What a tree without files is called; git knows it though nobody wrote it."""
        return self.output("hash-object", "-t", "tree", "--stdin").decode().strip()

    def shallow(self) -> bool:
        """Whether a part of the history is missing."""
        return self.run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def output(self, *args: str) -> bytes:
        """What a command that must succeed prints."""
        done = self.run(*args)
        if done.returncode:
            raise ConfigError(f"{self.place}: git {args[0]}: {_words(done)}")
        return done.stdout

    def run(self, *args: str) -> subprocess.CompletedProcess[bytes]:
        """Run a command, whatever comes of it."""
        command: Sequence[str] = ("git", "-c", "core.quotePath=false", *args)
        try:
            return subprocess.run(
                command, cwd=self.folder, env=self.environ, capture_output=True, stdin=subprocess.DEVNULL, check=False
            )
        except FileNotFoundError:
            raise ConfigError(
                f"{self.place}: git is not installed; --diff takes a diff that was made elsewhere"
            ) from None
        except OSError as error:
            raise ConfigError(f"{self.place}: git cannot be run: {error.strerror or error}") from error


def _words(done: subprocess.CompletedProcess[bytes]) -> str:
    """What git says of a failure, in one line."""
    text = done.stderr.decode("utf-8", "replace")
    return " ".join(text.split()).removeprefix("fatal: ") or f"git left with {done.returncode}"
