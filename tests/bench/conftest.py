import importlib.util
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def records():
    """The module `made.py` beside this one: records made by hand."""
    name = "compile_lint_test_bench_made"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("made.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
