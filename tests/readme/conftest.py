import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def readme():
    """The text of README.md."""
    return (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def generated():
    """The module `generated.py` beside this one."""
    name = "compile_lint_test_generated"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("generated.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(command):
    """Call the command line, in an empty folder, on the real analysis; gives code, out and err."""
    return command
