import os
import subprocess

import pytest


@pytest.fixture
def git(tmp_path, monkeypatch):
    """Run git in an empty repository of its own, `tmp_path`; the user's configuration does not count."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    identity = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "init.defaultBranch=main"]

    def run(*args, cwd=tmp_path):
        command = ["git", *identity, *map(str, args)]
        return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True, timeout=60).stdout

    run("init", "-q")
    return run
