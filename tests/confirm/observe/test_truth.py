"""Measured cases, where they are at hand: in the folder that COMPILE_LINT_TRUTH names, or in `shared` beside the clone.

Each case is observed in a process of its own; see `truth.py`, which also lists what differs.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.torch, pytest.mark.benchmark]

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("COMPILE_LINT_TRUTH", HERE.parents[3] / "shared"))
BREAKS, ERRORS, RECOMPILES = 0.99, 0.97, 0.97


@pytest.fixture(scope="module")
def truth():
    spec = importlib.util.spec_from_file_location("compile_lint_truth", HERE / "truth.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folders of cases; of the one whose cases import an extension a copy, with the extension built in it."""
    if not (SHARED / "truth" / "truth.json").exists() or not hasattr(os, "fork"):
        pytest.skip(f"no measured cases in {SHARED}")
    copy = tmp_path_factory.mktemp("measured") / "truth"
    shutil.copytree(SHARED / "truth", copy)
    subprocess.run([sys.executable, copy / "ext" / "build_ext.py"], check=True, capture_output=True, timeout=300)
    return [copy, SHARED / "cases"]


def test_measured_cases_are_observed_as_they_were_measured(truth, folders):
    wrong, total, differing = {}, 0, {}
    for folder in folders:
        counts, ran, differs, _, _ = truth.compare(folder)
        total += ran
        differing |= differs
        for kind, number in counts.items():
            wrong[kind] = wrong.get(kind, 0) + number
    shares = {kind: 1 - wrong.get(kind, 0) / total for kind in ("breaks", "error", "recompiles")}
    print(shares, differing)
    assert wrong.get("run", 0) == 0
    assert shares["breaks"] >= BREAKS
    assert shares["error"] >= ERRORS
    assert shares["recompiles"] >= RECOMPILES
