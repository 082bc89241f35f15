"""What README.md says of `decide` holds."""

import json
import re
import subprocess
import sys

import pytest

from compile_lint.cli.commands import cli
from compile_lint.cli.decide import FAIL_ON
from compile_lint.config.file import read
from compile_lint.decision.assumed import NAMES
from compile_lint.decision.reasons import MANY
from compile_lint.decision.report import FORMATS
from compile_lint.report_page.catalogue import LANGUAGES

HEAD = "| added | verdict | saving per month | pay-back in months | break-even in requests |"


@pytest.fixture(scope="session")
def text(readme):
    return re.search(r"^## Decide\n(.*?)(?=^## Report$)", readme, re.DOTALL | re.MULTILINE)[1]


@pytest.fixture(scope="session")
def rows(text):
    table = text.partition(HEAD)[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def _figures(added):
    """The figures of a row, reckoned here from the formulas alone: net saving a month, months, requests."""
    given = {"replicas": 500_000 / 86_400, "restarts-per-day": 0.0, "requests-per-day": 100_000.0}
    given |= {"gpu-cost-per-month": 10_000.0, "engineering-cost": 18_000.0, "recompile_s": 0.0}
    words = added.replace("=", " ").replace("--assume ", "--").split()
    given |= {name[2:]: float(value.rstrip("%")) for name, value in zip(words[::2], words[1::2], strict=True)}
    if given["requests-per-day"] == 1:
        given |= {"replicas": 1.0, "restarts-per-day": 1 / 30}  # the one start of the month, which is not earned back
    started = given["replicas"] * given["restarts-per-day"] * (60 + given["recompile_s"])
    saved = given["gpu-cost-per-month"] * (0.3 - min(started / (given["requests-per-day"] * 5), 1))
    months = given["engineering-cost"] / saved if saved > 0 else None
    return saved, months, 60 / (5 * 0.3)


def test_the_worked_examples(text, rows, run):
    base = re.search(r"^\$ compile-lint (decide .*) -q$", text, re.MULTILINE)[1].split()
    assert len(rows) == 10
    for added, verdict, saved, months, requests in rows:
        options = [] if added == "nothing" else added.strip("`").split()
        result = run(*base, *options, "--isolated", "--format", "json")
        assert result.code == 0, result.err
        found = json.loads(result.out)
        reckoned = _figures(" ".join(options))
        assert found["saving_per_month"] == pytest.approx(reckoned[0])
        assert found["payback_months"] == (None if reckoned[1] is None else pytest.approx(reckoned[1]))
        assert found["break_even_requests"] == pytest.approx(reckoned[2])
        shown = "never" if reckoned[1] is None else f"{reckoned[1]:.3g}"
        assert (verdict, months) == (found["verdict"], shown)
        assert (saved, requests) == (f"{reckoned[0]:,.0f}", f"{reckoned[2]:.0f}")


def test_what_is_said_of_the_examples(rows, run, text):
    assert rows[0][1:4] == ["go", "3,000", "6"]
    assert "8 x 2 x 60 s" in text and f"{8 * 2 * 60 / 500_000:.2%}".replace("%", " %") in text
    assert rows[7][0] == "`--requests-per-day 8 --replicas 8 --restarts-per-day 1`" and "In the eighth" in text
    (line,) = re.findall(r"^\$ compile-lint (decide --assume saving=5\+-8% .*)$", text, re.MULTILINE)
    done = run(*line.split())
    assert (done.code, done.out.splitlines()[0]) == (0, "model: No-go")


def test_every_option_is_named(text):
    for option in cli.commands["decide"].params:
        if option.param_type_name == "option":
            assert any(re.search(rf"`{spelling}[ `]", text) for spelling in option.opts), option.opts


def test_words_that_must_hold(text):
    assert all(f"`{name}`" in text for name in (*NAMES, *FORMATS, *LANGUAGES, *FAIL_ON))
    assert f"for {MANY * 100:g} % of the requests" in text
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == ["0", "1", "2"]


def test_the_table_of_the_configuration(text, tmp_path):
    (table,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "pyproject.toml").write_text(table)
    values = read(tmp_path / "pyproject.toml").values["business"]
    assert (values["engineering-weeks"], values["target"]) == (3.0, {"detr": {"requests-per-day": 5000.0}})


def test_the_fields_and_the_schema(text, run):
    code = re.search(r'`python -c "(.*?)"`', text)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip().endswith("schema.json")
    found = json.loads(run("decide", "--assume", "saving=0.3", "--format", "json").out)
    named = re.search(r"`--format json` has (.*?), and follows", text, re.DOTALL)[1]
    assert set(re.findall(r"`([a-z_]+)`", named)) - {"go", "conditions", "no-go"} <= found.keys()
