import subprocess
import sys

import pytest

from compile_lint.config import torch_version
from compile_lint.config.errors import ConfigError
from compile_lint.settings import NEWEST_TORCH, OLDEST_TORCH


@pytest.mark.parametrize(
    "text",
    [
        "2.13",
        "2.13.0",
        "2.13.0+cpu",
        "2.13.1+cu130",
        "v2.13",
        " 2.13 ",
        "2.13.0rc2",
        "2.13.0a0+gitabc",
        "2.13.0.dev20260101+cu130",
        "2.13.0.post1",
    ],
)
def test_parse(text):
    assert torch_version.parse(text, "x") == "2.13"


def test_ten_is_not_one():
    assert torch_version.parse("2.10", "x") == "2.10"


@pytest.mark.parametrize("text", ["", "2", "two", "2.x", "2.13.", "2.13 cpu", "latest", ">=2.13", "2.13;rm"])
def test_nonsense(text):
    with pytest.raises(ConfigError, match="is not a torch version; write it as"):
        torch_version.parse(text, "x")


@pytest.mark.parametrize("text", ["2.5", "2.5.1+cpu", "1.13", "0.4"])
def test_too_old(text):
    with pytest.raises(ConfigError, match=f"the oldest supported is {OLDEST_TORCH}"):
        torch_version.parse(text, "x")


@pytest.mark.parametrize(
    ("installed", "target", "remark"),
    [
        ("2.13.0+cpu", "2.13", ""),
        ("2.6.0", "2.6", ""),
        ("2.5.1", OLDEST_TORCH, "torch 2.5 is installed, older than"),
        ("9.0.0", "9.0", "newer than the newest"),
        ("weird", NEWEST_TORCH, ""),
        (None, NEWEST_TORCH, ""),
    ],
)
def test_default_is_the_installed_one(monkeypatch, tmp_path, installed, target, remark):
    for folder in ("torch", "torchvision-0.9.9.dist-info", "torch_scatter-1.1.dist-info", "first"):
        (tmp_path / folder).mkdir()
    if installed is not None:
        (tmp_path / f"torch-{installed}.dist-info").mkdir()
    monkeypatch.setattr("sys.path", [str(tmp_path / "missing.zip"), str(tmp_path / "first"), str(tmp_path)])
    found, words = torch_version.default()
    assert found == target
    assert remark in words
    assert bool(remark) == bool(words)


def test_the_installed_one_is_that_of_the_metadata():
    importlib = pytest.importorskip("importlib.metadata")
    try:
        known = importlib.version("torch")
    except importlib.PackageNotFoundError:
        pytest.skip("no torch is installed")
    assert torch_version.installed() == torch_version.parse(known, "x")


def test_torch_is_not_imported():
    code = "import sys; from compile_lint.config.torch_version import default; default(); print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "False\n"
