"""Reports of shards make the whole run."""

import json

import pytest

pytest.importorskip("msgspec")

from compile_lint.cli.main import run as run_cli
from compile_lint.config.errors import ConfigError
from compile_lint.confirm.merge import merge
from compile_lint.confirm.report import render

SOURCE = "import torch\n\n\n@torch.compile\ndef fn(x):\n    if x.sum() > 0:\n        x = x + 1\n    return x.tolist()\n"


@pytest.fixture
def targets(made, tmp_path, monkeypatch):
    """Five targets of one file: what one confirms another refutes, what one misses another misses too."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.py"
    path.write_text(SOURCE)
    broken, missed = made.broken(path, 6), made.broken(path, 7, "GB0001")
    ran = (6, 7, 8)
    return [
        made.joined(one)
        for one in (
            made.seen(path, ran, "a", graphs=(1, 2), breaks=(broken,)),
            made.seen(path, ran, "b", graphs=(9,)),
            made.seen(path, ran, "c", graphs=(2, 2), breaks=(missed,)),
            made.seen(path, (), "d", status="crashed", message="signal 9", graphs=()),
            made.seen(path, ran, "e", graphs=(1, 1, 1), breaks=(missed, broken)),
        )
    ]


@pytest.fixture
def write(made, tmp_path):
    def call(name, targets, shard=""):
        (tmp_path / name).write_text(render(made.run(*targets, shard=shard), "json"))
        return name

    return call


def test_shards_equal_the_whole_run(made, targets, write):
    names = [write(f"{at}.json", targets[at - 1 :: 2], f"{at}/2") for at in (1, 2)]
    found = merge(names)
    assert found.notes == ()
    whole = made.run(*targets)
    assert (found.run.score, found.run.figures) == (whole.score, whole.figures)
    assert render(found.run, "json") == render(whole, "json")
    assert merge(names[::-1]).run == found.run


def test_a_report_merged_alone_is_the_same(targets, write):
    name = write("r.json", targets)
    with open(name) as stream:
        assert render(merge([name]).run, "json") == stream.read()


def test_a_missing_shard_is_told(targets, write):
    assert merge([write("1.json", targets[:1], "1/3")]).notes == ("missing: shard 2/3, 3/3",)


def test_differing_versions_of_torch_are_told(made, targets, write):
    other = made.replace(targets[1], torch="2.14.1")
    found = merge([write("1.json", targets[:1]), write("2.json", [other])])
    assert found.notes == ("the targets differ in torch: 2.13.0+cpu, 2.14.1",)


def test_what_does_not_belong_together(targets, write, tmp_path):
    one, two = write("1.json", targets[:1], "1/2"), write("2.json", targets[1:2], "1/3")
    with pytest.raises(ConfigError, match=r"do not belong together: 1\.json is of 2, 2\.json is of 3"):
        merge([one, two])
    with pytest.raises(ConfigError, match=r"3\.json: is shard 1/2, and so is 1\.json"):
        merge([one, write("3.json", targets[2:], "1/2")])
    with pytest.raises(ConfigError, match=r"4\.json: target 'a' is in 1\.json too"):
        merge([one, write("4.json", targets[:1])])
    document = json.loads((tmp_path / one).read_text())
    document["tool"]["version"] = "9"
    (tmp_path / "5.json").write_text(json.dumps(document))
    with pytest.raises(ConfigError, match=r"5\.json: written by compile-lint 9, 1\.json by .*one version"):
        merge([one, "5.json"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"\xff", "is not UTF-8 text"),
        (b"{", "is not JSON"),
        (b"[]", "is no report of `compile-lint confirm --format json`"),
        (b'{"version": 1, "findings": []}', "is no report of `compile-lint confirm --format json`"),
        (
            b'{"version": 2, "targets": [], "figures": {}}',
            "is a report of version 2; this compile-lint reads",
        ),
        (b'{"version": 1, "targets": [{}], "figures": {}}', "is no report that this compile-lint can read"),
    ],
)
def test_files_that_are_no_report(tmp_path, monkeypatch, text, words):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "r.json").write_bytes(text)
    with pytest.raises(ConfigError) as caught:
        merge(["r.json"])
    assert str(caught.value).startswith("r.json: ")
    assert words in str(caught.value)


# the command


def test_the_command_gates_as_confirm_does(made, targets, write, capfd):
    clean, broken, failed = write("b.json", targets[1:2]), write("a.json", targets[:1]), write("d.json", targets[3:4])
    assert run_cli(["merge", clean]) == 0
    assert run_cli(["merge", clean, broken, "-q"]) == 1
    assert run_cli(["merge", clean, broken, "--max-breaks", "1"]) == 0
    assert run_cli(["merge", clean, broken, "--fail-under", "99", "--fail-on", "none"]) == 1
    assert run_cli(["merge", clean, broken, "--in", "elsewhere"]) == 0
    assert run_cli(["merge", clean, failed]) == 2
    capfd.readouterr()
    assert run_cli(["merge", clean, broken, "--format", "markdown"]) == 1
    assert capfd.readouterr().out.startswith("## compile-lint confirm\n\n- :x: 1 break: m.py:6 \\(GB0170\\)"[:40])


def test_the_command_accepts_a_baseline(targets, write, tmp_path, capfd):
    broken = write("a.json", targets[:1])
    assert run_cli(["merge", broken, "--baseline", "b.json", "--write-baseline"]) == 0
    assert (tmp_path / "b.json").is_file()
    assert run_cli(["merge", broken, "--baseline", "b.json"]) == 0
    assert run_cli(["merge", write("c.json", targets[2:3]), "--baseline", "b.json"]) == 1
    assert "note: b.json: accepted, and gone: m.py (fn, GB0170): if x.sum() > 0:" in capfd.readouterr().err


def test_wrong_options(targets, write, capfd):
    name = write("b.json", targets[1:2])
    for options, words in (
        (["--max-breaks", "x"], "--max-breaks: 'x' is not a whole number of at least 0"),
        (["--fail-under", "101"], "--fail-under: must be a number from 0 to 100, not '101'"),
        (["--fail-on", "brek"], "--fail-on: 'brek' is no kind"),
        (["--format", "xml"], "--format: 'xml' is not valid"),
        (["--write-baseline"], "--write-baseline: needs --baseline FILE, which it writes"),
        (["--in", "no/such"], "--in: no/such: no such file or folder"),
    ):
        assert run_cli(["merge", name, *options]) == 2
        assert words in capfd.readouterr().err
