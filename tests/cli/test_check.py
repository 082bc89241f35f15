"""The default command: what is shown, what is written, and the exit code."""

import json
import os
import stat
import sys

import pytest

BREAK = "x = 1  # BAD CL101\n"
HAZARD = "x = 1  # BAD CL901\n"


def test_check_is_the_default_command(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    results = [run(), run("."), run("a.py"), run("check"), run("check", "."), run("check", "a.py")]
    assert {result.code for result in results} == {1}
    assert len({result.out for result in results}) == 1
    assert "a.py:1:1: CL101 tensor-branch [break]" in results[0].out


@pytest.mark.parametrize("name", ["check", "rules", "version"])
def test_a_path_called_like_a_command(run, tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.py").write_text(BREAK)
    for args in ([f"./{name}"], ["--", name], ["check", name], ["-q", name]):
        result = run(*args)
        assert (result.code, f"{name}/a.py:1:1" in result.out) == (1, True), args


def test_options_may_come_first(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    assert run("--format", "concise", "a.py").out.startswith("a.py:1:1: CL101 found tensor-branch\n")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ([], 1),
        (["--exit-zero"], 0),
        (["--fail-on", "none"], 0),
        (["--fail-on", "error"], 0),
        (["--fail-on", "error,break"], 1),
        (["--fail-on", "error", "--fail-on", "break"], 1),
        (["--ignore", "CL1"], 0),
        (["--select", "CL2"], 0),
        (["--select", "CL1"], 1),
        (["--select", "tensor-branch"], 1),
        (["--per-file-ignores", "a.py:CL101"], 0),
        (["--fail-on", "none", "--fail-under", "30"], 1),
        (["--fail-on", "none", "--fail-under", "20"], 0),
        (["--fail-under", "101"], 2),
        (["--fail-under", "high"], 2),
        (["--fail-on", "none,break"], 2),
    ],
)
def test_exit_codes(run, tmp_path, args, code):
    (tmp_path / "a.py").write_text("forward  # BAD CL101\n# BAD CL101\n# BAD CL101\n")
    assert run("a.py", *args).code == code


def test_clean_and_hazard_are_zero(run, tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    result = run("a.py")
    assert (result.code, result.out.splitlines()[0]) == (0, "No findings in 1 file.")
    (tmp_path / "a.py").write_text(HAZARD)
    assert run("a.py").code == 0
    assert run("a.py", "--fail-on", "hazard").code == 1


def test_confidence(run, tmp_path):
    (tmp_path / "a.py").write_text("# BAD CL101 certain\n# BAD CL102 likely\n# BAD CL103 possible\n")

    def codes(*args):
        return [finding["code"] for finding in json.loads(run("a.py", "--format", "json", *args).out)["findings"]]

    assert codes() == ["CL101", "CL102"]
    assert codes("--min-confidence", "possible") == ["CL101", "CL102", "CL103"]
    assert codes("--min-confidence", "certain") == ["CL101"]
    assert "2 findings less sure than min-confidence not shown" in run("a.py", "--min-confidence", "certain").out


def test_syntax_errors_are_always_shown(run, tmp_path):
    (tmp_path / "a.py").write_text("# BAD CL900\n")
    result = run("a.py", "--select", "CL1", "--ignore", "CL9", "--format", "concise")
    assert (result.code, result.out.splitlines()[0]) == (1, "a.py:1:1: CL900 found syntax-error")


def test_missing_path_does_not_stop_the_others(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    result = run("nowhere.py", "a.py")
    assert result.code == 2
    assert "a.py:1:1: CL101" in result.out
    assert result.err == "error: nowhere.py: no such file or folder\n"


def test_a_mistyped_command_is_recognised(run):
    assert run("ruels").err == "error: ruels: no such file or folder; did you mean 'rules'?\n"


def test_undecodable_file_does_not_stop_the_others(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    (tmp_path / "b.py").write_bytes(b"x = 1\n\ny = '\xff'\n")
    result = run(".", "--format", "json")
    assert result.code == 2
    document = json.loads(result.out)
    assert [finding["path"] for finding in document["findings"]] == ["a.py"]
    message = "line 3: byte 0xff is not utf-8; save it as UTF-8 or name its encoding in a coding comment"
    assert document["errors"] == [{"path": "b.py", "message": message}]
    assert result.err == f"error: b.py: {message}\n"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_does_not_stop_the_others(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    (tmp_path / "b.py").write_text(BREAK)
    (tmp_path / "b.py").chmod(0)
    result = run(".")
    assert (result.code, "b.py: no permission to read this file" in result.err, "a.py:1:1" in result.out) == (
        2,
        True,
        True,
    )


def test_refused_file_does_not_stop_the_others(run, tmp_path, monkeypatch):
    """The same for root, whom permissions do not stop."""
    (tmp_path / "a.py").write_text(BREAK)
    (tmp_path / "b.py").write_text(BREAK)
    really = open

    def refuse(path, *args, **kwargs):
        if str(path).endswith("b.py"):
            raise PermissionError(13, "Permission denied")
        return really(path, *args, **kwargs)

    monkeypatch.setattr("builtins.open", refuse)
    result = run(".")
    assert (result.code, result.err) == (2, "error: b.py: no permission to read this file\n")
    assert "a.py:1:1" in result.out


def test_nothing_to_lint(run):
    result = run(".")
    assert (result.code, result.out) == (0, "No Python files found.\n")


def test_stdin(run, tmp_path):
    result = run("-", "--format", "concise", stdin=BREAK.encode())
    assert (result.code, result.out.splitlines()[0]) == (1, "<stdin>:1:1: CL101 found tensor-branch")
    result = run("-", "--stdin-filename", tmp_path / "pkg" / "m.py", stdin=BREAK.encode())
    assert "pkg/m.py:1:1: CL101" in result.out
    assert "1 | x = 1  # BAD CL101" in result.out
    assert run("-", "--stdin-filename", "m.py", "--per-file-ignores", "m.py:CL101", stdin=BREAK.encode()).code == 0


def test_stdin_that_is_no_text(run):
    result = run("-", stdin=b"x = '\xff'\n")
    assert (result.code, result.err[:14]) == (2, "error: <stdin>")


def test_stdin_misused(run):
    assert run("-", "a.py").err == "error: -: standard input goes with no other path\n"
    assert run(".", "--stdin-filename", "a.py").code == 2
    assert run("").code == 2


def test_suppression_and_idle_suppression(run, tmp_path):
    (tmp_path / "a.py").write_text(
        "x = 1  # BAD CL101  # compile-lint: ignore[CL101] fine\ny = 2  # compile-lint: ignore[CL102]\n"
    )
    result = run("a.py", "--format", "concise")
    assert result.code == 0
    assert result.out.splitlines()[0].startswith("a.py:2:8: CL901 ")
    assert "1 finding silenced by comments." in result.out
    # With other entries than the configured ones, what a comment silences may not be looked at.
    assert "CL901" not in run("a.py", "--entry", "fn").out


def test_output_file(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    result = run("a.py", "--format", "json", "--output-file", "out.json")
    assert (result.code, result.out, result.err) == (1, "", "")
    assert json.loads((tmp_path / "out.json").read_text())["files"] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.py", "out.json"]


def test_output_file_is_replaced_with_its_permissions(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    out = tmp_path / "out.txt"
    out.write_text("old")
    out.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(out)
    run("a.py", "--output-file", link)
    assert link.is_symlink()
    assert "CL101" in out.read_text()
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_output_file_that_cannot_be_written(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    assert (
        run("a.py", "--output-file", tmp_path).err
        == f"error: --output-file: {tmp_path}: is a folder; name a file in it\n"
    )
    result = run("a.py", "--output-file", tmp_path / "no" / "out")
    assert (result.code, "does not exist" in result.err) == (2, True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_to_a_full_disk(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    result = run("a.py", "--output-file", "/dev/full")
    assert (result.code, "No space left" in result.err) == (2, True)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs /dev/null")
def test_output_to_a_device(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    assert run("a.py", "--output-file", "/dev/null").code == 1
    assert not os.path.isfile("/dev/null")


def test_statistics(run, tmp_path):
    (tmp_path / "a.py").write_text("# BAD CL102\n# BAD CL101\n# BAD CL102\n")
    assert run("a.py", "--statistics").out == "2  CL102  break  tensor-while\n1  CL101  break  tensor-branch\n"
    rows = json.loads(run("a.py", "--statistics", "--format", "json").out)
    assert rows[0] == {"code": "CL102", "name": "tensor-while", "kind": "break", "count": 2}


def test_quiet(run, tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    assert "Found 1 finding" in run("a.py").out
    assert "Found 1 finding" not in run("a.py", "-q").out
    assert "CL101" in run("a.py", "-q").out
    result = run("a.py", "-qq")
    assert (result.code, result.out, result.err) == (1, "", "")


def test_show_files(run, tmp_path):
    (tmp_path / "b.py").write_text(BREAK)
    (tmp_path / "a.py").write_text(BREAK)
    (tmp_path / "c.txt").write_text("")
    result = run("--show-files")
    assert (result.code, result.out) == (0, "a.py\nb.py\n")
    assert run("--show-files", "nowhere").code == 2


def test_show_settings(run, tmp_path):
    (tmp_path / "compile-lint.toml").write_text(
        'min-confidence = "certain"\n[torch-config]\ncapture_scalar_outputs = true\n'
        '[[target]]\nname = "detr"\ntarget = "detr.py:make"\n'
    )
    out = run("--show-settings", "--ignore", "CL1").out
    assert "configuration = compile-lint.toml\n" in out
    assert "min-confidence = certain\n" in out
    assert "torch-config = {capture_scalar_outputs = true}\n" in out
    assert "target = [detr]\n" in out
    assert "CL101" not in next(line for line in out.splitlines() if line.startswith("rules ="))


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--select", "CL10l"], "error: --select: unknown rule 'CL10l'; did you mean 'CL101'?"),
        (["--ignore", "tensor-brunch"], "error: --ignore: unknown rule 'tensor-brunch'; did you mean 'tensor-branch'?"),
        (
            ["--per-file-ignores", "a.py:CL1O1"],
            "error: --per-file-ignores: 'a.py': unknown rule 'CL1O1'; did you mean 'CL101'?",
        ),
        (
            ["--per-file-ignores", "a.py"],
            "error: --per-file-ignores: 'a.py' is not of the form GLOB:CODES, such as 'tests/**:CL6,CL7'",
        ),
        (["--format", "jsno"], "error: --format: 'jsno' is not valid; did you mean 'json'?"),
        (["--color", "red"], "error: --color: 'red' is not valid; valid are 'auto', 'always', 'never'"),
        (
            ["--min-confidence", "sure"],
            "error: --min-confidence: 'sure' is not valid; valid are 'certain', 'likely', 'possible'",
        ),
        (["--fail-on", "brake"], "error: --fail-on: 'brake' is not a kind of finding; did you mean 'break'?"),
        (["--fail-under", "-1"], "error: --fail-under: must be a number from 0 to 100, not -1.0"),
        (["--target-torch", "two"], "error: --target-torch: 'two' is not a torch version; write it as 2.14 or 2.14.0"),
        (["--target-torch", "2.5.1"], "error: --target-torch: torch 2.5.1 is too old; the oldest supported is 2.6"),
        (["--config", "no.toml"], "error: --config: no.toml: no such file"),
        (["--config", "a.toml", "--isolated"], "error: --isolated: goes with no --config"),
    ],
)
def test_bad_options(run, args, line):
    result = run(*args)
    assert (result.code, result.out, result.err) == (2, "", line + "\n")


def test_unknown_option(run):
    result = run("--selct", "CL1")
    assert result.code == 2
    assert "--selct" in result.err
    assert "--select" in result.err


@pytest.mark.parametrize("version", ["2.13", "2.13.0", "2.13.0+cpu", "2.13.1", "2.13.0a0+git12ab"])
def test_target_torch(run, version):
    assert json.loads(run(".", "--format", "json", "--target-torch", version).out)["target_torch"] == "2.13"


def test_newer_torch_is_taken_with_a_remark(run):
    result = run(".", "--format", "json", "--target-torch", "9.1")
    assert json.loads(result.out)["target_torch"] == "9.1"
    assert result.err.startswith("note: torch 9.1 is newer than the newest one measured")


def test_internal_error(run, tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("# CRASH\n")
    result = run("a.py")
    assert result.code == 2
    assert result.err.splitlines()[0].endswith("internal error: RuntimeError: as the file asks")
    assert "Traceback" not in result.err
    assert "Traceback" in run("a.py", "-v", "-v").err
    assert "Traceback" in run("a.py", "-vv").err
    assert "Traceback" not in run("a.py", "-v").err
    monkeypatch.setenv("COMPILE_LINT_TRACEBACK", "1")
    assert "Traceback" in run("a.py").err


def test_interrupted(run, tmp_path):
    (tmp_path / "a.py").write_text("# CTRL-C\n")
    result = run("a.py")
    assert (result.code, result.err.strip()) == (130, "compile-lint: interrupted")


def test_order_and_repetition_of_paths_do_not_matter(run, tmp_path):
    for name in ("b.py", "a.py", "c.py"):
        (tmp_path / name).write_text(BREAK)
    outs = {run(*paths).out for paths in (["."], ["c.py", "a.py", "b.py"], ["a.py", ".", "a.py"], [tmp_path])}
    assert len(outs) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no UTF-8")
def test_names_that_are_hard_to_show(run, tmp_path):
    for name in (b"a b.py", "\u00e9\u4e2d.py".encode(), b"\xff\xfe.py", b"e\x1b[31m.py", b"n\nl.py"):
        with open(os.path.join(os.fsencode(tmp_path), name), "w") as stream:
            stream.write(BREAK)
    result = run(".")
    assert result.code == 1
    assert "\x1b" not in result.out
    for shown in ("a b.py:1:1", "\u00e9\u4e2d.py:1:1", "\\udcff\\udcfe.py:1:1", "e\\x1b[31m.py:1:1", "n\\x0al.py:1:1"):
        assert shown in result.out
    assert len(json.loads(run(".", "--format", "json").out)["findings"]) == 5
