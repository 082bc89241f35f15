"""Figures repeat within the spread that is stated. On a machine that does nothing else."""

import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("psutil")
pytest.importorskip("msgspec")

from compile_lint.bench.compare import compare
from compile_lint.bench.read import read_record

ROOT = Path(__file__).parents[2]


@pytest.mark.torch
@pytest.mark.benchmark
@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
@pytest.mark.parametrize("name", ["mlp", "routed"])
def test_two_measurements_agree(command, name):
    config = ROOT / "fixtures" / "bench" / "compile-lint.toml"
    options = ("--no-cold", "--starts", "4", "--no-artifacts", "--no-confirm", "-q")
    for file in ("a.json", "b.json"):
        assert command("bench", "--config", config, name, *options, "--save", file).code == 0
    found = compare(read_record("a.json"), read_record("b.json"))
    told = {one.what: one.change for one in found.figures}
    assert told["eager call"] == told["compiled call"] == "same"
