"""Measures the models of fixtures/bench anew: `python tests/bench/recorded/record.py`. Takes minutes; on the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from compile_lint.bench.read import read_record
from compile_lint.bench.write import render

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TARGETS = {
    "mlp": (),
    "transformer": (),
    "routed": (),
    "tagger": ("--traffic", "fixtures/bench/lengths.csv", "--sizes", "4"),
}


def record(name, options):
    """One record, without what tells of this machine alone."""
    path = HERE / f"{name}.json"
    command = [sys.executable, "-m", "compile_lint", "bench", "--config", "fixtures/bench/compile-lint.toml", name]
    environ = {**os.environ, "OMP_NUM_THREADS": "1"}  # threads that wait for each other measure what else runs here
    subprocess.run([*command, *options, "--save", str(path), "-q"], cwd=ROOT, check=True, env=environ)
    found = read_record(path)
    path.write_text(render(replace(found, machine=replace(found.machine, system="Linux"))))


if __name__ == "__main__":
    for name in sys.argv[1:] or TARGETS:
        record(name, TARGETS[name])
