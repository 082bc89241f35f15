import sys
from types import SimpleNamespace

import pytest

from compile_lint.cli.main import run as run_cli

SOURCE = """\
import torch


def clean(x=None):
    return torch.nn.Linear(4, 4), (torch.ones(2, 4),)


def breaks(x):
    y = x + 1
    print("y")
    return y * 2


def raises():
    raise ValueError("no \\x1b[31m weights")
"""


@pytest.fixture
def run(capfd, monkeypatch, tmp_path):
    """Call the command line in a folder with m.py; gives code, out and err."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(SOURCE)
    for name in ("NO_COLOR", "FORCE_COLOR", "COMPILE_LINT_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)

    def call(*args):
        capfd.readouterr()
        code = run_cli([str(arg) for arg in args])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return call
