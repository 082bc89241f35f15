"""The measured proof of `compile-lint confirm`: `pytest -m benchmark`.

COMPILE_LINT_CASES names folders of measured cases (as in PATH).
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MOST_OF_BY_HAND = 1.6
"""CPU time of the whole confirm against importing torch and compiling the same model twice."""
NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        blocks = [torch.nn.TransformerEncoderLayer(256, 4, 512, batch_first=True) for _ in range(4)]
        self.blocks = torch.nn.ModuleList(blocks)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
"""
BY_HAND = """\
import torch
from net import Net

for _ in range(2):
    torch._dynamo.reset()
    torch.compile(Net().eval(), backend="eager")(torch.randn(2, 16, 256))
"""


def _load():
    name = "compile_lint_test_confirm_score"
    spec = importlib.util.spec_from_file_location(name, HERE / "confirm_score.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


score = _load()


def test_rank_correlation():
    assert score.spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1)
    assert score.spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert score.ranks([5, 5, 1]) == [1.5, 1.5, 0]
    with pytest.raises(ValueError, match="all equal"):
        score.spearman([1, 1], [1, 2])


@pytest.mark.benchmark
@pytest.mark.torch
def test_prediction_is_close_to_measurement():
    pytest.importorskip("torch")
    folders = [Path(each) for each in os.environ.get("COMPILE_LINT_CASES", "").split(os.pathsep) if each]
    if not folders:
        pytest.skip("COMPILE_LINT_CASES names no folder of measured cases")
    found = [pair for folder in folders for pair in score.pairs(folder)]
    predicted, measured = map(list, zip(*found, strict=True))
    assert score.spearman(predicted, measured) >= score.LEAST_CORRELATION
    assert sum(abs(a - b) for a, b in found) / len(found) <= score.MOST_DIFFERENCE


def _seconds(command, folder):
    # user and system time of the command and of all it waited for
    code = (
        "import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\nprint(used.ru_utime + used.ru_stime)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], cwd=folder, check=True, capture_output=True)
    return float(done.stdout)


@pytest.mark.benchmark
@pytest.mark.torch
def test_overhead(tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "by_hand.py").write_text(BY_HAND)
    confirm = [sys.executable, "-m", "compile_lint", "confirm", "net.py:Net", "--input", "x=float32[2,16,256]"]
    by_hand = min(_seconds([sys.executable, "by_hand.py"], tmp_path) for _ in range(2))
    assert min(_seconds(confirm, tmp_path) for _ in range(2)) / by_hand <= MOST_OF_BY_HAND
