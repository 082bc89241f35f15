import importlib.util
from pathlib import Path

import pytest

_HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def linting():
    """The module `lint.py` beside this one (test folders are no packages)."""
    import sys

    name = "compile_lint_test_lint"
    spec = importlib.util.spec_from_file_location(name, _HERE / "lint.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def lint(linting):
    """Lint snippets; see `lint.py`."""
    return linting.lint


@pytest.fixture
def check(linting):
    """Lint snippets and hold the findings against their `# <- CL101` marks; see `lint.py`."""
    return linting.check


def pytest_collection_modifyitems(config, items):
    """Benchmarks take minutes and a machine that does nothing else: they run only when `-m` asks for them."""
    if "benchmark" in (config.option.markexpr or ""):
        return
    left_out = [item for item in items if item.get_closest_marker("benchmark")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("benchmark")]
