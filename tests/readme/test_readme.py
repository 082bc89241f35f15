"""README.md is true: its output is what a run prints, its tables are whole, and each sentence about a choice holds."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compile_lint._data import json_schema
from compile_lint.cli.commands import cli
from compile_lint.config import torch_version
from compile_lint.config.file import read
from compile_lint.config.keys import KEYS
from compile_lint.findings import CONFIDENCES, KINDS
from compile_lint.score import RECOMPILE_FACTOR, readiness, run_score
from compile_lint.settings import NEWEST_TORCH, OLDEST_TORCH, Settings

ROOT = Path(__file__).parents[2]
BREAK = "import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n    return x.item()\n"
"""CL201 in line 6."""
SYNTAX = "import torch\ndef f(:\n"


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def section(text, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)[1]


# what is generated


@pytest.mark.parametrize("name", ["example", "operators", "stub", "decide", "formulas", "report", "rules"])
def test_generated_parts_are_current(readme, generated, name):
    """`python tests/readme/generated.py` writes them anew."""
    if name in ("operators", "stub"):
        pytest.importorskip("tree_sitter_cpp")
    assert generated.block(readme, name) == generated.PARTS[name]()


@pytest.mark.torch
def test_the_confirmation_is_current(readme, generated):
    """`python tests/readme/generated.py`, under torch 2.13, writes it anew."""
    torch = pytest.importorskip("torch")
    if not torch.__version__.startswith("2.13."):
        pytest.skip("shown as torch 2.13 has it")
    assert generated.block(readme, "confirm") == generated.confirmed()
    assert generated.block(readme, "operators-confirmed") == generated.operators_confirmed()


def test_the_clean_model_has_no_findings(run):
    result = run(ROOT / "fixtures" / "clean" / "gpt_decoder.py")
    assert result.code == 0
    assert result.out.startswith("No findings in 1 file.")
    assert "100 of 100" in result.out


# set-up


def test_blocks_that_ci_runs(readme):
    """As .ci/run cuts them out."""
    for name, first in (("setup", "python -m venv .venv"), ("run", "compile-lint fixtures"), ("tests", "pytest")):
        match = re.search(rf"^<!-- {name} -->\n```\w*\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
        assert match, name
        assert match[1].removeprefix("$ ").startswith(first)
    assert len(re.search(r"<!-- setup -->\n```\w*\n(.*?)```", readme, re.DOTALL)[1].splitlines()) == 2


def test_main_job_prints_findings_and_a_score(run):
    result = run(ROOT / "fixtures")
    assert result.code == 1
    assert re.search(r"^Found [1-9]", result.out, re.MULTILINE)
    assert re.search(r"^Readiness for torch", result.out, re.MULTILINE)


def test_oldest_python(readme):
    assert 'requires-python = ">=3.10"' in (ROOT / "pyproject.toml").read_text()
    assert "Python 3.10 or newer" in readme


# tables of the command line


def test_every_command_and_option_is_named(readme):
    text = section(readme, "Command line")
    for name in cli.commands:
        assert re.search(rf"^\| `{name}[ `]", text, re.MULTILINE), name
    for option in cli.commands["check"].params:
        if option.param_type_name == "option":
            assert any(f"`{spelling}" in text for spelling in option.opts), option.opts
            assert all(f"`{spelling}`" in text for spelling in option.secondary_opts), option.secondary_opts


def test_no_option_is_made_up(readme):
    options = [option for command in cli.commands.values() for option in command.params]
    known = {spelling for option in options for spelling in [*option.opts, *option.secondary_opts]}
    text = readme.partition("## Contributing")[0]
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert named - known == set()


def test_exit_codes(readme, run, tmp_path):
    (tmp_path / "break.py").write_text(BREAK)
    (tmp_path / "clean.py").write_text("x = 1\n")
    (tmp_path / "latin.py").write_bytes(b"import torch\ns = '\xff'\n")
    assert run("clean.py").code == 0
    assert run("break.py").code == 1
    assert run("clean.py", "--fail-under", "100").code == 0
    assert run("break.py", "--fail-on", "none").code == 0
    assert run("break.py", "--fail-on", "error").code == 0
    assert run("break.py", "--exit-zero").code == 0
    assert run("missing.py").code == 2
    assert run("latin.py").code == 2
    assert run("--no-such-option").code == 2
    assert run("clean.py", "--select", "CL999").code == 2
    table = section(readme, "Command line").partition("Exit codes:")[2]
    assert re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE) == ["0", "1", "2", "130, 141"]


def test_a_low_score_is_exit_code_1(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK.replace("return x.item()", "y = x + 1\n    print(1)\n    return y * 2"))
    assert run("a.py", "--fail-on", "none", "--fail-under", "51").code == 1
    assert run("a.py", "--fail-on", "none", "--fail-under", "50").code == 0


def test_kinds_and_confidences(readme):
    text = section(readme, "Kinds, confidence and score")
    rows = re.findall(r"^\| (\w+) \| .*?(?: \| (yes|no))? \|$", text, re.MULTILINE)
    kinds = [(name, fails) for name, fails in rows if name in KINDS]
    assert [name for name, _ in kinds] == list(KINDS)
    assert {name for name, fails in kinds if fails == "yes"} == set(Settings().fail_on)
    assert [name for name, _ in rows if name in CONFIDENCES] == list(reversed(CONFIDENCES))
    assert Settings().min_confidence == "likely"


def test_score_formula(readme):
    text = section(readme, "Kinds, confidence and score")
    assert f"keeps {RECOMPILE_FACTOR} of it" in text
    assert readiness([3, 1]) == pytest.approx(100 * (9 + 1) / 16)
    assert readiness([2], outside=2) == pytest.approx(100 * (4 + 1 + 1) / 16)
    assert readiness([4], errors=True) == 0
    assert readiness([4], unbounded_recompiles=3) == 100 * RECOMPILE_FACTOR
    assert run_score([(100.0, 3), (0.0, 1)]) == 75
    assert run_score([(100.0, 0), (0.0, 1)]) == 50
    assert run_score([]) == 100


def test_findings_that_are_not_shown_count_in_the_score(run, tmp_path):
    text = BREAK.replace("return x.item()", "y = x + 1\n    print(1)\n    return y * 2")
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "b.py").write_text(text.replace("print(1)", "print(1)  # compile-lint: ignore"))
    runs = (["a.py"], ["b.py"], ["a.py", "--ignore", "ALL"])
    scores = {json.loads(run(*args, "--format", "json").out)["score"] for args in runs}
    assert scores == {50.0}


# JSON


def test_json_fields(readme, run, tmp_path):
    text = section(readme, "JSON")
    schema = json.loads(json_schema().read_text())
    top = set(schema["properties"])
    below = {name for kind in ("finding", "score") for name in schema["$defs"][kind]["properties"]}
    for name in top | below:
        assert re.search(rf"[`.]{name}(\[\])?`", text), name
    (tmp_path / "a.py").write_text(BREAK)
    document = json.loads(run("a.py", "--format", "json").out)
    assert document["version"] == 1
    assert set(document) == top


def test_the_command_that_names_the_schema(readme):
    (code,) = re.findall(r'`python -c "(from compile_lint.*?)"`', section(readme, "JSON"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(Path(done.stdout.strip()).read_text())["type"] == "object"


# configuration


def test_the_configuration_shown_is_valid(readme, tmp_path):
    (text,) = blocks(section(readme, "Configuration"), "toml")
    (tmp_path / "pyproject.toml").write_text(text)
    values = read(tmp_path / "pyproject.toml").values
    assert set(values) <= {key.name for key in KEYS}
    assert len(values) == 9


def test_init_lists_torch_config(run, tmp_path):
    assert run("init").code == 0
    text = (tmp_path / "compile-lint.toml").read_text()
    assert "[torch-config]" in text
    assert "# capture_scalar_outputs = false" in text


def test_the_nearest_configuration_above_the_common_parent(run, tmp_path):
    (tmp_path / "compile-lint.toml").write_text('ignore = ["CL2"]\n')
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text(BREAK)
    (tmp_path / "a" / "compile-lint.toml").write_text("")
    assert run("a").code == 1
    assert run("b").code == 0
    assert run("a", "b").code == 0
    assert run("a/m.py", "b/m.py").code == 0


def test_relative_globs_start_at_the_file(run, tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "m.py").write_text(BREAK)
    (tmp_path / "pack" / "compile-lint.toml").write_text('[per-file-ignores]\n"./m.py" = ["CL2"]\n')
    assert run("pack").code == 0


def test_select_starts_anew_and_ignore_adds(run, tmp_path):
    (tmp_path / "compile-lint.toml").write_text('ignore = ["CL2"]\n')
    (tmp_path / "a.py").write_text(BREAK.replace("return x", "print(1)\n    return x"))

    def codes(*args):
        document = json.loads(run("a.py", "--format", "json", *args).out)
        return {finding["code"] for finding in document["findings"]}

    assert codes() == {"CL501"}
    assert codes("--ignore", "CL5") == set()
    assert codes("--extend-select", "CL201") == {"CL501", "CL201"}
    assert codes("--select", "CL2") == {"CL201"}
    assert codes("--select", "ALL") == {"CL501", "CL201"}


def test_the_longer_selector_wins(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    assert run("a.py", "--select", "CL201", "--ignore", "CL2").code == 1
    assert run("a.py", "--select", "CL2", "--ignore", "CL201").code == 0
    assert run("a.py", "--select", "CL2", "--ignore", "CL2").code == 0


@pytest.mark.parametrize("line", ["slect = ['CL1']", "select = ['CL199']", "format = 'jsn'"])
def test_what_is_unknown_is_named_with_the_nearest(run, tmp_path, line):
    (tmp_path / "compile-lint.toml").write_text(line + "\n")
    (tmp_path / "a.py").write_text(BREAK)
    result = run("a.py")
    assert (result.code, result.out) == (2, "")
    assert "compile-lint.toml: " in result.err
    assert "did you mean" in result.err


def test_a_broken_pyproject_is_an_error_line(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.compile-lint\n")
    (tmp_path / "a.py").write_text(BREAK)
    result = run("a.py")
    assert result.code == 2
    assert "a.py:6:12: CL201" in result.out
    assert result.err.startswith("error: pyproject.toml: ")
    assert "linted with the default settings" in result.err


def test_entry_points_is_entry(run, tmp_path):
    (tmp_path / "compile-lint.toml").write_text('entry-points = ["other"]\n')
    (tmp_path / "a.py").write_text(BREAK)
    assert run("a.py").code == 0
    assert run("a.py", "--entry", "fn").code == 1


# suppression


def test_the_suppressions_shown(readme, run, tmp_path):
    """Each silences what it stands at, and is no finding itself."""
    (shown,) = blocks(section(readme, "Suppression"), "python")
    head, _, debug = shown.partition("# compile-lint: skip-function")
    body = "".join(f"    {line}\n" for line in head.splitlines())
    text = f"import torch\n\n\n@torch.compile\ndef fn(x: torch.Tensor):\n{body}    print(1)\n    return debug(y)\n\n\n"
    text += "# compile-lint: skip-function" + debug.replace("...", "return x + torch.tensor(1).item()")
    (tmp_path / "a.py").write_text(text.replace("ignore[CL201, CL1]", "ignore[CL201]"))
    result = run("a.py")
    assert (result.code, result.err) == (0, "")
    assert "5 findings silenced" in result.out


def test_ignore_without_codes_and_alone_above(run, tmp_path):
    for comment in ("# compile-lint: ignore", "# compile-lint: ignore[CL201] why"):
        (tmp_path / "a.py").write_text(BREAK.replace("    return", f"    {comment}\n    return"))
        assert run("a.py").code == 0
        (tmp_path / "a.py").write_text(BREAK.replace("item()", f"item()  {comment}"))
        assert run("a.py").code == 0


def test_noqa_counts_only_on_the_own_lines(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK.replace("item()", "item()  # noqa: CL201"))
    assert run("a.py").code == 0
    (tmp_path / "a.py").write_text(BREAK.replace("    return", "    # noqa: CL201\n    return"))
    assert run("a.py").code == 1


def test_idle_suppressions(run, tmp_path):
    """Looked for, but not with --entry."""
    (tmp_path / "a.py").write_text("import torch\nx = 1  # compile-lint: ignore[CL101]\n")
    assert "CL901" in run("a.py", "--format", "concise").out
    assert "CL901" not in run("a.py", "--format", "concise", "--entry", "*").out


@pytest.mark.parametrize("args", [[], ["--select", "CL1"], ["--ignore", "CL900"], ["--per-file-ignores", "a.py:CL9"]])
def test_a_syntax_error_is_always_shown(run, tmp_path, args):
    (tmp_path / "a.py").write_text(SYNTAX)
    result = run("a.py", *args)
    assert result.code == 1
    assert "a.py:2" in result.out
    assert "CL900" in result.out


# files


def test_linked_folders_are_not_followed(run, tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.py").write_text(BREAK)
    (tmp_path / "tree" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "tree" / "file.py").symlink_to(tmp_path / "elsewhere" / "a.py")
    (tmp_path / "tree" / "again.py").symlink_to(tmp_path / "elsewhere" / "a.py")
    result = run("tree", "--format", "json")
    assert json.loads(result.out)["files"] == 1
    assert json.loads(run("tree/linked", "--format", "json").out)["files"] == 1


def test_stubs_are_skipped(run, tmp_path):
    (tmp_path / "a.pyi").write_text("def f(: ...\n")
    assert run(".", "--format", "json").code == 0


# versions


def test_versions_named(readme):
    text = section(readme, "Command line")
    assert f"the newest one known ({NEWEST_TORCH})" in text
    assert f"The oldest is {OLDEST_TORCH}" in text


def test_an_older_torch_beside_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr(torch_version, "installed", lambda: "2.4")
    (tmp_path / "a.py").write_text(BREAK)
    result = run("a.py", "--format", "json")
    assert json.loads(result.out)["target_torch"] == OLDEST_TORCH == "2.6"
    assert result.err.startswith("note: torch 2.4 is installed, older than 2.6")
    assert run("a.py", "--target-torch", "2.4").code == 2


def test_a_newer_torch(run, tmp_path, monkeypatch):
    monkeypatch.setattr(torch_version, "installed", lambda: "2.99")
    (tmp_path / "a.py").write_text(BREAK)
    result = run("a.py")
    assert result.code == 1
    assert "newer than the newest one measured" in result.err


def test_no_torch_beside_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr(torch_version, "installed", lambda: None)
    (tmp_path / "a.py").write_text(BREAK)
    result = run("a.py", "--format", "json")
    assert (json.loads(result.out)["target_torch"], result.err) == (NEWEST_TORCH, "")


def test_linting_imports_no_torch(tmp_path):
    (tmp_path / "a.py").write_text(BREAK + "\nraise SystemExit('the linted code runs')\n")
    code = (
        "import sys\nfrom compile_lint.cli.main import run\n"
        f"code = run([{str(tmp_path / 'a.py')!r}])\n"
        "assert code == 1, code\nassert 'torch' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)


# entries


def test_wildcards_leave_out_special_methods(run, tmp_path):
    (tmp_path / "a.py").write_text(
        "import torch\n\n\nclass A:\n    def __repr__(self):\n        return torch.nonzero(self.x)\n\n"
        "    def __call__(self, x):\n        return torch.nonzero(x)\n"
    )
    found = json.loads(run("a.py", "--entry", "*", "--format", "json").out)["findings"]
    assert [finding["line"] for finding in found] == [9]


# contributing


def test_the_commands_of_the_probe(readme):
    pytest.importorskip("torch")
    command = [sys.executable, "-m", "compile_lint.confirm.probe", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    (commands,) = [text for text in blocks(section(readme, "Contributing"), "console") if "probe" in text]
    for option in set(re.findall(r"--[a-z]+", commands)):
        assert option in done.stdout
    from compile_lint.confirm.probe import catalogue

    assert set(re.findall(r"--only (\w+)", commands)) <= set(catalogue.TABLES)


def test_files_and_folders_that_are_named_exist(readme):
    named = set(re.findall(r"`((?:src|tests|fixtures|rules|\.ci)/[\w./-]*)`", readme))
    assert len(named) >= 5
    for name in named:
        assert (ROOT / name).exists(), name
    for module in re.findall(r"`(\w+)`", section(readme, "Contributing").split("- `fixtures/`")[0]):
        assert any((ROOT / "src" / "compile_lint" / name).exists() for name in (module, f"{module}.py"))


def test_the_benchmark_script_answers():
    command = [sys.executable, str(ROOT / "tests" / "benchmarks" / "measure.py"), "--help"]
    assert "PATH" in subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_ranges_of_the_table_are_those_of_the_rules(generated):
    from compile_lint._data import rules_root
    from compile_lint.rulebook import load

    assert {rule.code[:3] for rule in load(rules_root()).rules} == set(generated.RANGES)


def test_no_figure_is_a_placeholder(readme):
    assert "to be measured" not in readme
