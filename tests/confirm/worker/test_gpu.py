"""Targets on a GPU: code that runs on CUDA alone is seen there, and each target leaves the memory to the next."""

import pytest

pytest.importorskip("psutil")
pytest.importorskip("msgspec")
pytest.importorskip("torch")

import torch

from compile_lint.confirm.target import Target
from compile_lint.confirm.worker import confirm_all

pytestmark = [
    pytest.mark.torch,
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU"),
]

BRANCH = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        if y.is_cuda:
            print("on the GPU")
        return y * 2
"""
HUNGRY = """\
import torch


def make():
    held = torch.empty(int(torch.cuda.get_device_properties(0).total_memory * 0.6), dtype=torch.uint8, device="cuda")
    return (lambda x: x + held[0]), (torch.ones(2, device="cuda"),)
"""


def confirmed(tmp_path, text, names, **more):
    (tmp_path / "m.py").write_text(text)
    attribute = "Net" if "class Net" in text else "make"
    root = str(tmp_path)
    return confirm_all([Target(name, f"{root}/m.py:{attribute}", root=root, project=(root,), **more) for name in names])


def test_a_branch_for_cuda_alone(tmp_path):
    for device, lines in (("cpu", []), ("cuda", [12])):
        (seen,) = confirmed(tmp_path, BRANCH, [device], device=device, input=("float32[2,4]",))
        assert (seen.status, [one.at.line for one in seen.breaks]) == ("ok", lines), seen.message
        assert seen.device.startswith("cuda:0 (" if device == "cuda" else "cpu")
        assert (12 in seen.covered[str(tmp_path / "m.py")]) == (device == "cuda")


def test_memory_is_released_between_targets(tmp_path):
    found = confirmed(tmp_path, HUNGRY, ["first", "second"], device="cuda")
    assert [(seen.name, seen.status) for seen in found] == [("first", "ok"), ("second", "ok")]
