"""`compile-lint confirm` as users call it. What starts a worker takes seconds: those tests are few."""

import importlib.util
import json
import re
import signal
import subprocess
import sys
import time

import jsonschema
import pytest

from compile_lint.confirm.observation import Observation, Place
from compile_lint.confirm.report.as_json import json_schema

for needed in ("msgspec", "psutil"):
    pytest.importorskip(needed)
with_torch = [
    pytest.mark.torch,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
]


def torch(test):
    for mark in with_torch:
        test = mark(test)
    return test


# with workers


@torch
def test_text_of_a_break(run):
    found = run("confirm", "m.py:breaks", "--input", "x=float32[2,3]", "--device", "cpu", "--isolated")
    lines = [re.sub(r"\d+\.\d s\)", "T s)", line) for line in found.out.splitlines()]
    assert found.code == 1
    assert lines[0] == "m.py:breaks (breaks m.py:8, cpu, 1 call, T s)"
    assert lines[1] == "  breaks"
    assert re.match(r"    m\.py:10  predicted CL501  GB\d{4}  x1  ", lines[2])
    assert lines[3] == '      breaks: print("y")'
    assert lines[4] == "  graphs   [####################|####################] 2 operations in 2 graphs"
    assert "Findings: 1 confirmed, 0 refuted, 0 not reached; 0 breaks missed." in lines
    assert "Measured readiness: 50 of 100" in lines
    assert re.fullmatch(r"fails: 1 break: m\.py:10 \(GB\d{4}\)", lines[-1])


@torch
def test_a_run_goes_on_after_a_target_that_raises(run, tmp_path):
    args = ("confirm", "m.py:raises", "m.py:clean", "--device", "cpu", "--jobs", 2, "--output-file", "r.json")
    found = run(*args, "--format", "json", "--isolated")
    assert found.code == 2
    document = json.loads((tmp_path / "r.json").read_text())
    jsonschema.validate(document, json.loads(json_schema().read_text()), cls=jsonschema.Draft202012Validator)
    bad, good = document["targets"]
    assert (bad["name"], bad["status"], bad["score"]) == ("m.py:raises", "user-error", None)
    assert "ValueError: no" in bad["message"]
    assert 'm.py", line 15, in raises' in bad["traceback"]
    assert (good["status"], good["graphs"], good["score"], good["same_result"]) == ("ok", [1], 100.0, True)
    merged = run("merge", "r.json")
    assert merged.code == 2
    assert "\x1b" not in merged.out and "\\x1b[31m weights" in merged.out


@torch
def test_targets_of_the_configuration_gated_and_sharded(run, tmp_path):
    (tmp_path / "compile-lint.toml").write_text(
        "[[target]]\nname = 'one'\ntarget = 'm.py:clean'\ndevice = 'cpu'\n"
        "[[target]]\nname = 'two'\ntarget = 'm.py:breaks'\ninput = ['float32[2,3]']\ndevice = 'cpu'\n"
    )
    second = run("confirm", "--shard", "2/2", "--format", "json", "--output-file", "2.json", "--max-breaks", 1)
    assert (second.code, second.err) == (0, "")
    assert json.loads((tmp_path / "2.json").read_text())["shard"] == "2/2"
    assert run("merge", "2.json", "--in", "m.py").code == 1
    assert run("merge", "2.json", "--in", "m.py").err == "note: missing: shard 1/2\n"


@torch
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_prints_what_was_done_and_leaves_with_130(run, tmp_path):
    (tmp_path / "slow.py").write_text("import time\nopen('started', 'w').close()\ntime.sleep(1000)\n")
    command = [sys.executable, "-m", "compile_lint", "confirm", "none.py:f", "slow.py:f", "--isolated"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / "started").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.startswith("none.py:f\n  user-error: ")
    assert "error: interrupted; not confirmed: slow.py:f\n" in err
    assert "Traceback" not in err


# without


@pytest.fixture
def seen(made, monkeypatch, tmp_path):
    """A stand-in for the workers: what each target is said to have done."""
    known = {}

    def confirm_all(targets, *, jobs, on_start, on_done):
        for target in targets:
            on_start(target)
            on_done(made.replace(known[target.name], name=target.name))

    monkeypatch.setattr("compile_lint.confirm.worker.confirm_all", confirm_all)
    monkeypatch.setattr("compile_lint.cli.confirm.check_torch", lambda *_: None)
    path = tmp_path / "m.py"
    known["m.py:clean"] = made.seen(path, (5,), graphs=(1,))
    known["m.py:breaks"] = made.seen(path, (9, 10, 11), graphs=(1, 1), breaks=(made.broken(path, 10, "GB0059"),))
    known["m.py:raises"] = Observation("m.py:raises", "user-error", "ValueError: no")
    return known


def test_exit_codes(run, seen):
    assert run("confirm", "m.py:clean").code == 0
    assert run("confirm", "m.py:breaks").code == 1
    assert run("confirm", "m.py:breaks", "--fail-on", "error,wrong").code == 0
    assert run("confirm", "m.py:breaks", "--max-breaks", "1").code == 0
    assert run("confirm", "m.py:breaks", "--fail-under", "50").code == 0
    assert run("confirm", "m.py:breaks", "--fail-under", "50.1").code == 1
    assert run("confirm", "m.py:breaks", "--in", "m").code == 1
    assert run("confirm", "m.py:raises", "m.py:breaks").code == 2


def test_a_scope_that_nothing_ran_in_is_told(run, seen):
    found = run("confirm", "m.py:breaks", "--in", "mm")
    assert (found.code, found.err) == (0, "note: --in: mm: no target ran a line of it\n")


def test_a_baseline_is_written_and_holds_when_lines_move(run, seen, made, tmp_path):
    wrote = run("confirm", "m.py:breaks", "--baseline", "b.json", "--write-baseline")
    assert (wrote.code, wrote.err) == (0, "note: wrote b.json\n")
    assert run("confirm", "m.py:breaks", "--baseline", "b.json").code == 0
    path = tmp_path / "m.py"
    path.write_text("# a comment\n" + path.read_text())
    at = made.broken(path, 11, "GB0059")
    seen["m.py:breaks"] = made.seen(path, (10, 11, 12), graphs=(1, 1), breaks=(at,))
    assert run("confirm", "m.py:breaks", "--baseline", "b.json").code == 0
    seen["m.py:breaks"] = made.seen(path, (10, 11, 12), graphs=(1, 1), breaks=(made.broken(path, 12, "GB0059"),))
    assert run("confirm", "m.py:breaks", "--baseline", "b.json").code == 1


def test_a_baseline_is_not_written_from_half_a_run(run, seen, tmp_path):
    found = run("confirm", "m.py:breaks", "m.py:raises", "--baseline", "b.json", "--write-baseline")
    assert found.code == 2
    assert "error: --write-baseline: m.py:raises could not be observed; b.json is left as it was\n" in found.err
    assert not (tmp_path / "b.json").exists()


def test_which_rules_were_wrong(run, seen, made, tmp_path):
    seen["m.py:breaks"] = made.seen(tmp_path / "m.py", (9, 10, 11), entry=Place(str(tmp_path / "m.py"), 8, "breaks"))
    found = run("confirm", "m.py:breaks", "--update-confidence")
    assert "  CL501 print: 0 confirmed, 1 refuted\n" in found.out


def test_quiet(run, seen):
    assert run("confirm", "m.py:breaks", "-q").out.splitlines()[0] == "1 target under torch 2.13.0+cpu."
    assert run("confirm", "m.py:breaks", "-qq").out == ""


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--shard", "3/2"], "--shard: '3/2' is not of the form 1/4: the first of four shares"),
        (["--jobs", "0"], "--jobs: '0' is not a whole number of at least 1"),
        (["--project", "none"], "--project: none: no such file or folder"),
        (["--output-file", "none/r"], "--output-file: none/r: the folder none does not exist"),
        (["--baseline", "b.json"], "--baseline: b.json: no such file; --write-baseline makes one"),
    ],
)
def test_wrong_options(run, seen, args, words):
    found = run("confirm", "m.py:clean", *args)
    assert (found.code, found.err) == (2, f"error: {words}\n")


def test_without_torch_one_line_names_the_extra(run, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else real(name, *rest))
    found = run("confirm", "m.py:clean")
    assert (found.code, found.out) == (2, "")
    assert found.err == (
        "error: confirm runs models, and needs what is not installed (torch): pip install 'compile-lint[confirm]'\n"
    )


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_torch_that_is_too_old(run, monkeypatch):
    monkeypatch.setattr("compile_lint.config.torch_version.installed", lambda: "2.5")
    found = run("confirm", "m.py:clean")
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "torch 2.5 is too old for confirm, which needs 2.6 or newer: pip install" in found.err


def test_help_has_every_option_of_the_gate(run):
    text = run("confirm", "--help").out
    for option in ("--fail-on", "--in", "--max-breaks", "--fail-under", "--baseline", "--write-baseline", "--vary"):
        assert re.search(rf"^  {option}\b", text, re.MULTILINE), option
