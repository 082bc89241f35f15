import importlib.util
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

_HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def linting():
    """The module `lint.py` beside this one (test folders are no packages)."""
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


@pytest.fixture
def command(capfd, monkeypatch, tmp_path):
    """Call the command line, in an empty folder, on the real analysis; gives code, out and err."""
    from compile_lint.cli.main import run

    monkeypatch.chdir(tmp_path)
    told = ("GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR")  # where these tests run in CI
    for name in ("NO_COLOR", "FORCE_COLOR", "COMPILE_LINT_TRACEBACK", *told):
        monkeypatch.delenv(name, raising=False)

    def call(*args, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        capfd.readouterr()
        code = run([str(arg) for arg in args])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return call


def pytest_collection_modifyitems(config, items):
    """Benchmarks take minutes and a machine that does nothing else: they run only when `-m` asks for them."""
    if "benchmark" in (config.option.markexpr or ""):
        return
    left_out = [item for item in items if item.get_closest_marker("benchmark")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("benchmark")]
