"""What the benchmarks measure is real: the corpus that they make parses, and has findings where it should."""

import importlib.util
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def measure():
    name = "compile_lint_test_measure"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("measure.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_corpus_is_of_real_models(measure, lint, tmp_path):
    made = measure.make_corpus(tmp_path, files=9)
    assert measure.files_in([tmp_path]) == made
    texts = {path.name: path.read_text() for path in made}
    linted = lint(texts)
    assert linted.report.errors == ()
    assert {finding.path for finding in linted.findings} == {made[-1].name}  # the ninth holds the broken models
    assert len(linted.report.scores) > 9 * 20


def test_a_command_that_fails_is_no_measurement(measure):
    with pytest.raises(RuntimeError, match="left with 3"):
        measure.cost([sys.executable, "-c", "raise SystemExit(3)"])


def test_files_that_do_not_parse_are_left_out(measure, tmp_path):
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_text("x = = 1\n")
    (tmp_path / "latin.py").write_bytes(b"x = '\xe9'\n")
    assert [path.name for path in measure.files_in([tmp_path])] == ["good.py"]
