"""`compile-lint ops --check`."""

import json

import jsonschema
import pytest

from compile_lint.confirm.report.as_json import json_schema

pytest.importorskip("torch")
pytest.importorskip("psutil")
pytestmark = pytest.mark.torch

SAMPLES = """
import torch
from torch.library import Library
lib = Library("mine", "DEF")
lib.define("good(Tensor x) -> Tensor")
lib.impl("good", lambda x: x * 2, "CPU")
lib.impl("good", torch.empty_like, "Meta")
lib.define("bare(Tensor x) -> Tensor")
lib.impl("bare", lambda x: x * 2, "CPU")
good = {"mine::good": [(torch.ones(2),)]}
both = {**good, "mine::bare": [(torch.ones(2),)]}
"""


@pytest.fixture
def samples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.py").write_text(SAMPLES)


def test_text_and_exit_codes(samples, command):
    found = command("ops", "--check", "s.py:both")
    assert (found.code, found.err) == (1, "")
    assert "mine::good  passed\nmine::bare  failed\n  fake-tensor: no fake kernel is registered" in found.out
    assert found.out.rstrip().endswith(": 1 passed, 1 failed")


def test_json(samples, command):
    found = command("ops", "--check", "s.py:good", "--format", "json")
    (operator,) = json.loads(found.out)["operators"]
    schema = json.loads(json_schema().read_text(encoding="utf-8"))
    jsonschema.validate(operator, {"$ref": "#/$defs/operator", "$defs": schema["$defs"]})
    assert (found.code, operator["name"], operator["status"], len(operator["checks"])) == (0, "mine::good", "passed", 5)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--check", "s.py:gone"], "s.py defines no 'gone'"),
        (["--check", "s.py:good", "--timeout", "0"], "--timeout: '0' is no number of seconds above 0"),
        (["--check", "s.py:good", "."], "--check goes with no PATHS"),
        (["--check", "s.py:good", "--fail-on", "any"], "--check goes with no --fail-on"),
        (["--check", "s.py:good", "--format", "xml"], "--format: 'xml' is not valid"),
    ],
)
def test_what_cannot_be_done(samples, command, args, words):
    found = command("ops", *args)
    assert (found.code, found.out) == (2, "")
    assert words in found.err


def test_without_torch(samples, command, monkeypatch):
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else real(name, *rest))
    found = command("ops", "--check", "s.py:good")
    assert found.code == 2
    assert (
        "ops --check runs operators, and needs what is not installed (torch): pip install 'compile-lint[confirm]'"
        in found.err
    )
