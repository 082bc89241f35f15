import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("src", "rules", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "action.yml")


def _plain_environment():
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON", "PRE_COMMIT"))
    }
    environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for who in ("AUTHOR", "COMMITTER"):
        environ |= {f"GIT_{who}_NAME": "n", f"GIT_{who}_EMAIL": "n@example.org"}
    return environ


@pytest.fixture(scope="session")
def environ(tmp_path_factory):
    """An environment in which neither the user's git nor this checkout on the path counts; hooks install below it."""
    return {**_plain_environment(), "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit"))}


@pytest.fixture(scope="session")
def call(environ):
    """Run a command in a folder; gives its code and its output, errors among it."""

    def call(*command, cwd, **more):
        done = subprocess.run(
            list(map(str, command)),
            cwd=cwd,
            env={**environ, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=500,
        )
        return SimpleNamespace(code=done.returncode, out=done.stdout)

    return call


@pytest.fixture(scope="session")
def checkout(tmp_path_factory, call):
    """What of this checkout a hook or an action installs, as a repository with one commit."""
    folder = tmp_path_factory.mktemp("compile-lint")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, folder / part)
    for command in (["init", "-q"], ["add", "-f", "."], ["commit", "-qm", "checkout"]):
        assert call("git", *command, cwd=folder).code == 0
    return folder


@pytest.fixture
def git(call, tmp_path):
    """Run git in a repository of its own, `tmp_path`."""

    def run(*args):
        done = call("git", *args, cwd=tmp_path)
        assert done.code == 0, done.out
        return done.out

    run("init", "-q")
    return run


@pytest.fixture
def pre_commit(call, tmp_path, environ):
    """Run pre-commit in `tmp_path`."""
    pytest.importorskip("pre_commit")

    def run(*args, **more):
        return call(sys.executable, "-m", "pre_commit", *args, cwd=tmp_path, **more)

    run.home = environ["PRE_COMMIT_HOME"]
    return run
