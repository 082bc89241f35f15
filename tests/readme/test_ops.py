"""What README.md says of `ops` holds."""

import json
import re
import subprocess
import sys

import pytest

from compile_lint.cli.commands import cli
from compile_lint.ops.model import KINDS, VERDICTS
from compile_lint.ops.report import FORMATS
from compile_lint.ops.report.as_json import schema_path


@pytest.fixture(scope="session")
def text(readme):
    return re.search(r"^## Custom operators\n(.*?)(?=^## )", readme, re.DOTALL | re.MULTILINE)[1]


def test_every_option_is_named(text):
    for option in cli.commands["ops"].params:
        if option.param_type_name == "option":
            assert any(re.search(rf"`{spelling}[ `]", text) for spelling in option.opts), option.opts
            assert all(f"`{spelling}`" in text for spelling in option.secondary_opts), option.secondary_opts


def test_verdicts_kinds_and_forms(text):
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(VERDICTS)
    assert all(f"`{kind}`" in text for kind in KINDS if kind != "operator")
    assert "`--format " + "\\|".join(FORMATS) + "`" in text


def test_the_fields_of_json(text):
    fields = json.loads(schema_path().read_text(encoding="utf-8"))["$defs"]["operator"]["properties"]
    listed = re.search(r"`operators` \(each with (.*?)\)", text, re.DOTALL)[1]
    assert re.findall(r"`(\w+)`", listed) == list(fields)


def test_the_schema_is_where_it_says(text):
    code = re.search(r'`python -c "(.*?)"`', text)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip().endswith("schema.json")


def test_exit_codes(run, tmp_path):
    pytest.importorskip("tree_sitter_cpp")
    (tmp_path / "a.py").write_text("import torch\n@torch.compile\ndef fn(x): return torch.ops.a.b(x)\n")
    assert run("ops", "a.py").code == 0
    assert run("ops", "a.py", "--fail-on", "raises").code == 1
    assert run("ops", "missing.py").code == 2
