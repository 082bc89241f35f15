"""The section on output formats is true."""

import json
import re

import pytest

from compile_lint.config.keys import COUNTED_FORMATS, FORMATS, TOOL_FORMATS
from compile_lint.findings import KINDS
from compile_lint.report import markdown
from compile_lint.report.github import MOST
from compile_lint.report.levels import LEVELS
from compile_lint.report.sarif import FINGERPRINT

BREAK = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return x.item()\n"


@pytest.fixture(scope="module")
def text(readme):
    return re.search(r"^## Output formats\n(.*?)(?=^## )", readme, re.DOTALL | re.MULTILINE)[1]


def test_every_form_is_listed(text):
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text.partition("| kind |")[0], re.MULTILINE)
    assert [form for row in rows for form in re.findall(r"\w+", row)] == list(FORMATS)


def test_kinds(text):
    rows = re.findall(r"^\| (\w+) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \|$", text.partition("| kind |")[2], re.MULTILINE)
    assert rows == [(kind, level.github, level.sarif, level.gitlab, level.reviewdog) for kind, level in LEVELS.items()]
    assert [row[0] for row in rows] == list(KINDS)


def test_which_forms_stand_alone_and_which_are_counted(text):
    alone = re.search(r"^Of (.*?) no more than one is printed", text, re.DOTALL | re.MULTILINE)[1]
    assert re.findall(r"`(\w+)`", alone) == list(TOOL_FORMATS)
    counted = re.search(r"`--statistics` is for the main\s+report, in (.*?)\.", text, re.DOTALL)[1]
    assert re.findall(r"`(\w+)`", counted) == list(COUNTED_FORMATS)


def test_the_example(text, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.py").write_text(BREAK)
    args = re.search(r"^\$ compile-lint (.*)$", text, re.MULTILINE)[1].split()
    result = run(*args)
    assert result.out.startswith("models/a.py:6:12: CL201")
    assert "::warning file=models/a.py,line=6" in result.out
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
    (tmp_path / "compile-lint.toml").write_text(re.search(r"`(output = \[.*?\])`", text)[1])
    (tmp_path / "out.sarif").unlink()
    assert run("models").out == result.out
    assert (tmp_path / "out.sarif").exists()


def test_numbers(text):
    assert f"at most {markdown.COMMENT:,} bytes" in text
    assert (MOST, "ten errors, ten warnings and ten notices" in text) == (10, True)
    assert f"`{FINGERPRINT}`" in text
