"""`compile-lint report` from the command line."""

import importlib.util
import re
import subprocess
import sys

import pytest

from compile_lint.bench.write import render
from compile_lint.cli.commands import cli

ASSUMED = ("--assume", "eager_ms=5000", "--assume", "compiled_ms=3500", "--assume", "cold_s=60", "--isolated")
MONEY = (
    "--gpu-cost-per-month",
    "10000",
    "--requests-per-day",
    "100000",
    "--replicas",
    "8",
    "--engineering-cost",
    "18000",
)


@pytest.fixture
def record(made, tmp_path):
    """A record of two targets in the current folder, with the source that it names."""
    (tmp_path / "models").mkdir()
    lines = ["import torch", "", "", "class DETR:", "    def forward(self, x, mask):", "        # a branch"]
    (tmp_path / "models" / "detr.py").write_text(
        "\n".join([*lines, "        if mask.any():", "            x = x + 1", ""])
    )
    (tmp_path / "bench.json").write_text(render(made.record(made.bench(), made.bench("mlp", traffic=None))))
    return "bench.json"


def test_from_assumptions_alone(command, tmp_path):
    done = command("report", *ASSUMED, *MONEY, "-o", "report.md")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    sentence = (
        "Go: torch.compile saves 30% of the time of a call; that is 3,000 USD a month; the work pays back in 6 months; "
        "what it rests on was assumed, not measured."
    )
    assert text.startswith(f"# Is torch.compile worth it for model?\n\n## model\n\n**{sentence}**\n")
    assert text.count("It rests on assumed figures.") == 2
    assert "- Eager call: 5 s *(assumed)*" in text
    assert "- Assumed, not measured: eager\\_ms, compiled\\_ms, cold\\_s, saving" in text


def test_from_a_record_with_excerpts_of_the_source_at_hand(command, record, tmp_path):
    done = command("report", record, "--isolated", *MONEY, "-o", "report.html")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>\n") and "<title>Is torch.compile worth it?</title>" in text
    assert re.findall(r"<h2 id=\"model-\d\">(.*?)</h2>", text) == ["detr", "mlp"]
    assert '<span class="no">6</span>         # a branch' in text
    assert '<span class="no">7</span> <mark>        if mask.any():</mark>' in text


def test_to_standard_output_and_in_chinese(command, record):
    done = command("report", record, "--isolated", "--lang", "zh")
    assert done.code == 0 and '<html lang="zh-Hans">' in done.out and "值得使用 torch.compile 吗" in done.out
    assert command("report", record, "--isolated", "--format", "markdown").out.startswith(
        "# Is torch.compile worth it?"
    )


def test_the_form_follows_the_name_of_the_file_unless_it_is_said(command, tmp_path):
    for name, given, begins in (
        ("a.MD", (), "# "),
        ("a.markdown", (), "# "),
        ("a.txt", (), "<!DOCTYPE"),
        ("b.md", ("--format", "html"), "<!DOCTYPE"),
    ):
        assert command("report", *ASSUMED, "-o", name, *given).code == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_the_same_page_every_time(command, record):
    first, second = (command("report", record, "--isolated").out for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((*ASSUMED, "--lang", "fr"), "--lang: 'fr' is not valid"),
        ((*ASSUMED, "--format", "htm"), "--format: 'htm' is not valid; did you mean 'html'?"),
        ((*ASSUMED, "-o", "no/report.html"), "--output-file: no/report.html: the folder no does not exist"),
        (("gone.json", "--isolated"), "gone.json: cannot be read: No such file or directory"),
        (("--isolated",), "nothing to decide on"),
    ],
)
def test_what_cannot_be_used(command, args, words):
    done = command("report", *args)
    assert (done.code, done.out) == (2, "")
    assert words in done.err and "Traceback" not in done.err


def test_what_is_missing_is_named_and_markdown_does_without(command, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "pygal" else found(name, *more)
    )
    done = command("report", *ASSUMED)
    assert done.code == 2
    assert done.err.strip().endswith(
        "a report as HTML needs what is not installed (pygal): pip install 'compile-lint[report]'; "
        "--format markdown does without"
    )
    assert command("report", *ASSUMED, "--format", "markdown").code == 0


def test_a_terminal_is_no_place_for_html(command, monkeypatch):
    monkeypatch.setattr("compile_lint.cli.report.sys.stdout", _Terminal())
    done = command("report", *ASSUMED)
    assert done.code == 2 and "write it to a file: -o report.html" in done.err


class _Terminal:
    def isatty(self):
        return True

    def write(self, text):
        raise AssertionError("nothing is written to it")

    def flush(self):
        pass


def test_markdown_imports_neither_templates_nor_charts_nor_torch(tmp_path):
    code = (
        "import sys; from compile_lint.cli.main import run; code = run(sys.argv[1:]); "
        "print(code, sorted({'jinja2', 'pygal', 'torch'} & set(sys.modules)), file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "report", *ASSUMED, "--format", "markdown"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "0 []"


def test_it_takes_what_decide_takes():
    names = {command: {one.name for one in cli.commands[command].params} for command in ("decide", "report")}
    assert names["decide"] - names["report"] == {"color", "quiet", "fail_on"}
