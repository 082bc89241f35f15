import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def expect():
    """The module beside this one (test folders are no packages)."""
    spec = importlib.util.spec_from_file_location("compile_lint_expect", HERE / "expect.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
