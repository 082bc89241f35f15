"""What README.md says of `confirm` holds."""

import importlib.util
import re
import subprocess
import sys

import pytest

from compile_lint.cli.commands import cli
from compile_lint.confirm.gate import CHOICES
from compile_lint.confirm.report import FORMATS
from compile_lint.score import RECOMPILE_FACTOR
from compile_lint.settings import OLDEST_TORCH

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


@pytest.fixture(scope="session")
def text(readme):
    return re.search(r"^## Confirm\n(.*?)(?=^## )", readme, re.DOTALL | re.MULTILINE)[1]


def python(text):
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def test_every_option_is_named(text):
    for option in cli.commands["confirm"].params:
        if option.param_type_name == "option":
            assert any(re.search(rf"`{spelling}[ `]", text) for spelling in option.opts), option.opts
            assert all(f"`{spelling}`" in text for spelling in option.secondary_opts), option.secondary_opts


def test_words_that_must_hold(text):
    assert f"keeps {RECOMPILE_FACTOR} of it" in text
    assert f"torch {OLDEST_TORCH} or newer" in text
    assert all(f"`{name}`" in text for name in (*CHOICES, *FORMATS))
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == ["0", "1", "2", "130"]


def test_the_schema_is_where_it_says(text):
    code = re.search(r'`python -c "(.*?)"`', text)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip().endswith("schema.json")


@pytest.mark.torch
@needs_torch
def test_the_python_lines(text, tmp_path):
    (tmp_path / "a.py").write_text(python(text)[0])
    done = subprocess.run(
        [sys.executable, "a.py"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines()[-1] == "50.0 [(7, ('CL501',))]"


@pytest.mark.torch
@needs_torch
def test_the_lines_for_pytest(text, tmp_path, pytestconfig):
    (tmp_path / "test_it.py").write_text(python(text)[1])
    given = [] if pytestconfig.pluginmanager.hasplugin("compile_lint") else ["-p", "compile_lint.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-q", *given, "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert "1 passed" in done.stdout
