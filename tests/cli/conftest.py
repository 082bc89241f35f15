import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

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
def run(stub, command):
    """Call the command line in an empty folder; gives code, out and err."""
    return command


@pytest.fixture
def process():
    """Call the command line in a process of its own, with the stand-in."""

    def call(*args, **kwargs):
        command = [sys.executable, str(STUB), *map(str, args)]
        kwargs = {"capture_output": True, "timeout": 60, **kwargs}
        return subprocess.run(command, check=False, **kwargs)

    call.command = [sys.executable, str(STUB)]
    return call
