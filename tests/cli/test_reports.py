"""Several reports of one run: each in its place, and none in the way of another."""

import json

import pytest

BREAK = "x = 1  # BAD CL101\n"


@pytest.fixture
def broken(tmp_path):
    (tmp_path / "a.py").write_text(BREAK)
    return tmp_path


def test_several_at_once(run, broken):
    result = run("a.py", "--format", "text", "--output", "github", "--output", "sarif=out.sarif")
    assert result.code == 1
    text, commands = result.out.split("::warning ", 1)
    assert text.startswith("a.py:1:1: CL101 tensor-branch [break]")
    assert commands.startswith("file=a.py,line=1,title=CL101 tensor-branch,endLine=1,col=1,endColumn=")
    assert json.loads((broken / "out.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "CL101"


def test_one_form_several_times(run, broken):
    run("a.py", "--output", "json=one", "--output", "json=two", "--output-file", "three", "--format", "json")
    assert (broken / "one").read_text() == (broken / "two").read_text() == (broken / "three").read_text()


@pytest.mark.parametrize("form", ["json", "gitlab", "sarif", "rdjson", "rdjsonl", "junit"])
def test_what_a_program_reads_is_printed_alone(run, broken, form):
    result = run("a.py", "--output", form)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"error: --output: {form} and text would both be printed, and what reads {form} could not; "
        f"name a file for one of them, such as --output {form}=FILE\n"
    )
    assert run("a.py", "--output", f"{form}=out").code == 1
    assert run("a.py", "--format", form, "--output", "text=out").out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--output", "sarf=out"], "--output: 'sarf' is no form of a report; did you mean 'sarif'?"),
        (["--output", "sarif="], "--output: 'sarif=' names no file after `=`; without `=` the report is printed"),
        (["--format", "xml"], "--format: 'xml' is not valid"),
        (["--format", "sarif", "--statistics"], "--statistics: goes with --format text, concise, grouped, json, not"),
    ],
)
def test_mistakes(run, broken, args, words):
    result = run("a.py", *args)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {words}")


def test_files_that_cannot_be_written(run, broken):
    folder = broken / "folder"
    folder.mkdir()
    assert (
        run("a.py", "--output", f"sarif={folder}").err == f"error: --output: {folder}: is a folder; name a file in it\n"
    )
    assert "another report goes to this file already" in run("a.py", "--output", "sarif=x", "--output", "junit=./x").err
    result = run("a.py", "--output", "sarif=/dev/full", "--output", "junit=x.xml")
    assert result.code == 2
    assert "error: --output: /dev/full: cannot be written: No space left on device" in result.err
    assert (broken / "x.xml").read_text().startswith("<?xml")
    assert "CL101" in result.out


def test_quiet(run, broken):
    result = run("a.py", "-qq", "--output", "github", "--output", "markdown=m.md")
    assert (result.code, result.out, result.err) == (1, "", "")
    assert (broken / "m.md").read_text().startswith("## compile-lint\n")


def test_statistics_are_of_the_main_report(run, broken):
    result = run("a.py", "--statistics", "--output", "concise=all")
    assert result.out == "1  CL101  break  tensor-branch\n"
    assert "a.py:1:1: CL101" in (broken / "all").read_text()


def test_in_the_configuration(run, broken):
    (broken / "compile-lint.toml").write_text('output = ["junit=reports/x.xml", "github"]\n')
    (broken / "reports").mkdir()
    (broken / "sub").mkdir()
    result = run("a.py")
    assert "::warning " in result.out
    assert (broken / "reports" / "x.xml").exists()
    assert "::warning " not in run("a.py", "--output", "markdown=m.md").out  # the option replaces it
    assert f"output = [junit={broken}/reports/x.xml, github]\n" in run("--show-settings").out


def test_the_job_summary(run, broken, monkeypatch):
    summary = broken / "summary.md"
    summary.write_text("# before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    run("a.py")
    assert summary.read_text() == "# before\n"
    run("a.py", "--format", "github")
    text = summary.read_text()
    assert text.startswith("# before\n## compile-lint\n")
    assert "| 1:1 | CL101 | break |" in text
    run("a.py", "--output", "github", "-qq")
    assert summary.read_text() == text
    run("a.py", "--output", "github", "--output", f"markdown={summary}")
    assert summary.read_text() == text.removeprefix("# before\n")


def test_a_job_summary_that_cannot_be_written(run, broken, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(broken / "no" / "summary.md"))
    result = run("a.py", "--format", "github")
    assert result.code == 1
    assert "note: $GITHUB_STEP_SUMMARY: " in result.err


def test_text_beside_commands_holds_none(run, tmp_path):
    (tmp_path / "::error::x.py").write_text(BREAK)
    result = run(".", "--format", "concise", "--output", "github")
    assert result.out.startswith("| ::error::x.py:1:1: CL101")
    assert run(".", "--format", "concise").out.startswith("::error::x.py:1:1: CL101")


def test_fingerprints_do_not_depend_on_where_the_linter_is_called(run, tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text("f(1)  # BAD CL101\nf(2)  # BAD CL101\nf(1)  # BAD CL101\n")
    above = json.loads(run(".", "--format", "gitlab").out)
    monkeypatch.chdir(tmp_path / "sub")
    assert json.loads(run(".", "--format", "gitlab").out) == above
    assert {one["location"]["path"] for one in above} == {"sub/a.py"}
    assert len({one["fingerprint"] for one in above}) == 3


def test_a_comment_that_silences_one_leaves_the_other_fingerprints(run, tmp_path):
    (tmp_path / "a.py").write_text("f(1)  # BAD CL101\nf(1)  # BAD CL101\n")
    first, second = json.loads(run("a.py", "--format", "gitlab").out)
    (tmp_path / "a.py").write_text("\nf(1)  # BAD CL101  # compile-lint: ignore[CL101]\nf( 1 )  # BAD CL101\n")
    (left,) = json.loads(run("a.py", "--format", "gitlab").out)
    assert (left["fingerprint"], left["location"]["lines"]["begin"]) == (second["fingerprint"], 3)
    assert first["fingerprint"] != second["fingerprint"]
