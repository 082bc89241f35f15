"""What README.md says of `bench` holds."""

import importlib.util
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from compile_lint.bench.options import Options
from compile_lint.bench.plan import Plan
from compile_lint.bench.report import FORMATS
from compile_lint.bench.traffic import parse
from compile_lint.cli.commands import cli

ROOT = Path(__file__).parents[2]
needs_msgspec = pytest.mark.skipif(importlib.util.find_spec("msgspec") is None, reason="msgspec is not installed")


@pytest.fixture(scope="session")
def text(readme):
    return re.search(r"^## Bench\n(.*?)(?=^## )", readme, re.DOTALL | re.MULTILINE)[1]


def test_every_option_is_named(text):
    for option in cli.commands["bench"].params:
        if option.param_type_name == "option":
            assert any(re.search(rf"`{spelling}[ `]", text) for spelling in option.opts), option.opts
            assert all(f"`{spelling}`" in text for spelling in option.secondary_opts), option.secondary_opts


def test_the_defaults(text):
    defaults = Options()
    assert (
        f"repeats ({defaults.repeats}), calls of each (3 to 200), or the time for all of them ({defaults.seconds:g} s)"
        in text
    )
    assert f"processes for each kind of start ({defaults.starts})" in text
    assert f"distinct sizes to run ({defaults.sizes}), bucket edges to propose at most ({defaults.buckets})" in text
    assert {field.name: field.default for field in fields(Plan)}["repeats"] == defaults.repeats


def test_words_that_must_hold(text):
    assert all(f"`{name}`" in text for name in FORMATS)
    assert all(f"*{name}*" in text for name in Options().remedies)
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == ["0", "1", "2", "130"]


def test_the_traffic_can_be_read(text):
    (example,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    found = parse(iter(example.splitlines(keepends=True)), "README.md")
    assert found.dimensions == ("ids.1", "mask.1 mask.2")
    assert [(size.values, size.requests) for size in found.sizes] == [((128, 128), 900), ((512, 512), 70)]


@needs_msgspec
def test_the_report_is_that_of_a_recorded_measurement(readme, generated):
    assert generated.block(readme, "bench") == generated.benched()
    config = (ROOT / generated.BENCHED[2]).read_text()
    assert f'name = "{generated.BENCHED[3]}"' in config and (ROOT / generated.BENCHED[5]).is_file()


def test_the_schema_is_where_it_says(text):
    code = re.search(r'`python -c "(.*?)"`', text)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip().endswith("schema.json")
