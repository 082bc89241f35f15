import importlib.util
import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from compile_lint.cli.main import run as run_cli

STUB = Path(__file__).with_name("stub.py")


@pytest.fixture
def stub(monkeypatch):
    """The command line with a stand-in for the analysis."""
    spec = importlib.util.spec_from_file_location("compile_lint_stub", STUB)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    standin = SimpleNamespace(analyze=module.analyze)
    monkeypatch.setitem(sys.modules, "compile_lint.analysis", standin)


@pytest.fixture
def run(stub, capfd, monkeypatch, tmp_path):
    """Call the command line in an empty folder; gives code, out and err."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COMPILE_LINT_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)

    def call(*args, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        capfd.readouterr()
        code = run_cli([str(arg) for arg in args])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return call


@pytest.fixture
def process():
    """Call the command line in a process of its own, with the stand-in."""

    def call(*args, **kwargs):
        command = [sys.executable, str(STUB), *map(str, args)]
        kwargs = {"capture_output": True, "timeout": 60, **kwargs}
        return subprocess.run(command, check=False, **kwargs)

    call.command = [sys.executable, str(STUB)]
    return call
