"""The command as people call it."""

import json
import subprocess
import sys

import jsonschema
import pytest

from compile_lint.bench.write import render as written
from compile_lint.cli.commands import cli
from compile_lint.config.business_keys import BUSINESS_KEYS
from compile_lint.decision.report.as_json import json_schema

SCHEMA = json.loads(json_schema().read_text(encoding="utf-8"))
GUIDE = (
    "--assume=eager_ms=5000",
    "--assume=compiled_ms=3500",
    "--assume=cold_s=60",
    "--gpu-cost-per-month=10000",
    "--requests-per-day=100000",
    "--engineering-cost=18000",
)


def document(result):
    found = json.loads(result.out)
    jsonschema.validate(found, SCHEMA, cls=jsonschema.Draft202012Validator)
    return found


@pytest.fixture
def recorded(made, tmp_path):
    """A record of two targets, one of which raises when compiled."""
    path = tmp_path / "bench.json"
    bad = made.bench(compiled_error="RuntimeError: no", compiled=type(made.bench().compiled)())
    named = type(bad)(**{**{name: getattr(bad, name) for name in bad.__dataclass_fields__}, "name": "bert"})
    path.write_text(written(made.record(named, made.bench())))
    return path


def test_figures_that_were_typed_in(command):
    result = command("decide", *GUIDE)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("model: Go\n  Saving per month   ")
    assert "3,000 USD  [assumed]" in result.out
    assert "6 months  [assumed]" in result.out


def test_json_holds_what_it_promises(command):
    found = document(command("decide", *GUIDE, "--format", "json"))
    assert (found["verdict"], found["saving_per_month"], found["payback_months"]) == ("go", 3000.0, 6.0)
    assert found["saving_share"] == {
        "value": pytest.approx(0.3),
        "low": pytest.approx(0.3),
        "high": pytest.approx(0.3),
    }
    assert (found["break_even_requests"], found["cold_requests_per_day"]) == (40.0, None)
    assert found["assumed"] == ["eager_ms", "compiled_ms", "cold_s", "saving"]
    assert found["reasons"][0]["evidence"].startswith("assumed: ")
    assert {one["key"] for one in found["conditions"]} >= {"condition.warm-up", "condition.canary", "condition.signals"}


def test_never_is_null(command):
    found = document(command("decide", "--assume=saving=5+-8%", *GUIDE[3:], "--format", "json"))
    assert (found["verdict"], found["payback_months"], found["payback_months_range"]) == ("no-go", None, None)
    endless = document(command("decide", "--assume=saving=0.3", "--gpu-cost-per-month=0", *GUIDE[4:], "--format=json"))
    assert (endless["verdict"], endless["payback_months"]) == ("no-go", None)


def test_records_are_ranked_by_saving_per_effort(command, recorded):
    result = command("decide", recorded, *GUIDE[3:])
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "Models by saving per effort"
    assert [line.split()[0] for line in lines[2:4]] == ["detr", "bert"]
    found = document(command("decide", recorded, *GUIDE[3:], "--format", "json"))
    assert [(one["name"], one["verdict"]) for one in found["decisions"]] == [("detr", "conditions"), ("bert", "no-go")]
    assert found["name"] == "detr"
    assert found["decisions"][1]["reasons"][0]["text"].endswith("RuntimeError: no")


def test_an_assumption_fills_what_was_not_measured(command, recorded):
    result = command("decide", recorded, "--assume", "bert:saving=0.5", "--assume", "detr:cold_s=1", "--format", "json")
    assert result.code == 0
    assert "detr: measured, so that what was assumed is not used: cold_s" in result.err
    by_name = {one["name"]: one for one in document(result)["decisions"]}
    assert (by_name["bert"]["assumed"], by_name["bert"]["verdict"]) == (["saving", "compiled_ms"], "no-go")
    assert by_name["detr"]["assumed"] == []


def test_the_table_of_the_configuration(command, tmp_path, recorded):
    (tmp_path / "pyproject.toml").write_text(
        "[tool.compile-lint.business]\ngpu-cost-per-month = 100\nengineering-weeks = 2\ncost-per-week = 50\n"
        'currency = "EUR"\n[tool.compile-lint.business.target.detr]\ngpu-cost-per-month = 1000\n'
    )
    found = {
        one["name"]: one["business"] for one in document(command("decide", recorded, "--format=json"))["decisions"]
    }
    assert (found["detr"]["gpu_cost_per_month"], found["bert"]["gpu_cost_per_month"]) == (1000.0, 100.0)
    assert (found["detr"]["engineering_cost"], found["detr"]["currency"]) == (100.0, "EUR")
    options = ("--engineering-cost=7", "--gpu-cost-per-month=5", "--currency=CNY", "--format=json")
    found = document(command("decide", recorded, *options))["decisions"][0]["business"]
    assert (found["engineering_cost"], found["gpu_cost_per_month"], found["currency"]) == (7.0, 5.0, "CNY")
    isolated = document(command("decide", recorded, "--isolated", "--format=json"))
    assert isolated["business"]["gpu_cost_per_month"] is None


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--fail-on", "no-go"), 0),
        (("--fail-on", "conditions"), 0),
        (("--assume=breaks=2", "--fail-on", "no-go"), 0),
        (("--assume=breaks=2", "--fail-on", "conditions"), 1),
        (("--restarts-per-day=1e9", "--fail-on", "no-go"), 1),
        (("--restarts-per-day=1e9", "--fail-on", "conditions"), 1),
        (("--restarts-per-day=1e9",), 0),
    ],
)
def test_exit_codes(command, args, code):
    assert command("decide", *GUIDE, *args).code == code


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "nothing to decide on; name a record of `compile-lint bench --save bench.json`, or assume figures"),
        (("--assume", "eager=1"), "--assume: 'eager=1': 'eager' is no figure that can be assumed"),
        (("--assume=saving=0.3", "--gpu-cost-per-month=-5"), "--gpu-cost-per-month: must be 0 or more, not '-5'"),
        (("--assume=saving=0.3", "--requests-per-day=many"), "--requests-per-day: must be a number such as 10000"),
        (("--assume=saving=0.3", "--engineering-weeks=3"), "engineering-weeks: needs cost-per-week"),
        (
            ("--assume=saving=0.3", "--engineering-weeks=3", "--engineering-cost=3"),
            "the command line: has engineering-cost and engineering-weeks",
        ),
        (("--assume=detr:saving=0.3",), "--assume: detr:saving: no such target"),
        (("--assume=saving=0.3", "--format=html"), "--format: 'html' is not valid"),
        (("--assume=saving=0.3", "--lang=fr"), "--lang: 'fr' is not valid; valid are 'en', 'zh'"),
        (("--assume=saving=0.3", "--fail-on=go"), "--fail-on: 'go' is not valid"),
        (("--assume=saving=0.3", "--output-file=no/where"), "--output-file: no/where: the folder no does not exist"),
        (("missing.json",), "missing.json: cannot be read: No such file or directory"),
    ],
)
def test_bad_input(command, args, words):
    result = command("decide", *args)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {words}"), result.err


def test_files_that_are_no_records(command, tmp_path, made):
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text(written(made.record()).replace('"targets": [', '"targets": [], "x": ['))
    assert "a.json: is no record of `compile-lint bench`" in command("decide", "a.json").err
    assert command("decide", "b.json").err == "error: b.json: holds no target; measure one with `compile-lint bench`\n"


def test_a_record_names_its_targets(command, recorded):
    result = command("decide", recorded, "--name=x")
    assert (result.code, result.err.startswith("error: --name: a record names its targets itself")) == (2, True)
    assert command("decide", "--name=x", *GUIDE).out.startswith("x: Go\n")


def test_report_to_a_file_and_silence(command, tmp_path):
    assert command("decide", *GUIDE, "--output-file", "out.md", "--format", "markdown").out == ""
    assert (tmp_path / "out.md").read_text().startswith("## compile-lint decide\n\n### model: Go\n")
    assert command("decide", *GUIDE, "-qq").out == ""
    brief = command("decide", *GUIDE, "-q").out
    assert "speaks for it" in brief and "Checklist" not in brief and "Formulas" not in brief


def test_in_chinese(command):
    out = command("decide", *GUIDE, "--lang", "zh").out
    assert out.startswith("model: 建议启用\n")
    assert "回收期" in out and "Checklist" not in out


def test_neither_torch_nor_what_draws_pages_is_imported():
    code = (
        "import sys\nfrom compile_lint.cli.main import run\n"
        "code = run(['decide', '--assume=saving=0.3', '--isolated', '-qq'])\n"
        "print(code, sorted({'torch', 'numpy', 'jinja2', 'pygal', 'libcst'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("0 []\n", "")


def test_every_business_figure_is_an_option():
    spelt = {spelling for option in cli.commands["decide"].params for spelling in option.opts}
    assert {f"--{key.name}" for key in BUSINESS_KEYS} <= spelt
