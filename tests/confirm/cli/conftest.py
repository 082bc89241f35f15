import pytest

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
def run(command, tmp_path):
    """Call the command line in a folder with m.py; gives code, out and err."""
    (tmp_path / "m.py").write_text(SOURCE)
    return command
