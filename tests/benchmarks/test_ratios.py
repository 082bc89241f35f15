"""The speed that is promised, as ratios of CPU time taken side by side: `pytest -m benchmark`; see measure.py.

COMPILE_LINT_CORPUS names files or folders (as in PATH); without it a corpus is made of the fixtures.
"""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs the resource usage of children"),
]


def _load():
    name = "compile_lint_test_measure"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("measure.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


measure = _load()


@pytest.fixture(scope="module")
def ratios(tmp_path_factory):
    named = [Path(path) for path in os.environ.get("COMPILE_LINT_CORPUS", "").split(os.pathsep) if path]
    files = measure.files_in(named) if named else measure.make_corpus(tmp_path_factory.mktemp("corpus"))
    found = measure.compare(files)
    print(measure.table(found, measure.help_ratio()))
    return found


def test_cpu_against_ast(ratios):
    assert ratios.of_ast <= measure.MOST_OF_AST


def test_cpu_against_libcst(ratios):
    assert ratios.of_libcst <= measure.MOST_OF_LIBCST


def test_memory(ratios):
    assert ratios.lint.megabytes <= measure.MOST_MEGABYTES


def test_twice_the_files(ratios):
    assert ratios.of_twice <= measure.MOST_OF_TWICE


def test_help():
    assert measure.help_ratio() <= measure.MOST_OF_CLICK
