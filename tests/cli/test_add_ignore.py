"""`--add-ignore`: after it the same command finds nothing, whatever the file is like."""

import ast
import os
import stat

import pytest

MODEL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, ä=None):
        a = x.sum().item(); b = int(x.sum())
        c = f(
            x.sum().item(),
            x.tolist(),  # two
        )
        d = 1 + \\
            x.sum().item()
        e = '''
        ''' + str(
            x.sum())
        if x.any():
            print(
                '''
                ''')
        return a, b, c, d, e
"""


def dumped(data):
    return ast.dump(ast.parse(data))


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("encoding", "head"), [("utf-8", ""), ("utf-8-sig", ""), ("latin-1", "#!/usr/bin/python\n# coding: latin-1\n")]
)
@pytest.mark.parametrize("last", ["\n", ""])
def test_the_result_parses_and_is_silent(command, tmp_path, ends, encoding, head, last):
    path = tmp_path / "model.py"
    before = ((head + MODEL).rstrip() + last).replace("\n", ends).encode(encoding)
    path.write_bytes(before)
    assert command("model.py").code == 1
    result = command("model.py", "--add-ignore", "--reason", "known: ünder review")
    assert result.code == 0
    assert result.err == "note: 8 findings silenced by new comments in 1 file\n"
    assert result.out.startswith("No findings in 1 file.\n8 findings silenced by comments.\n")
    after = path.read_bytes()
    assert dumped(after) == dumped(before)
    assert after.startswith(b"\xef\xbb\xbf") is (encoding == "utf-8-sig")
    assert after.count(b"\n") - after.count(b"\r\n") == (0 if ends == "\r\n" else after.count(b"\n"))
    assert after.endswith(ends.encode()) is bool(last)
    assert "known: ünder review" in after.decode(encoding)
    silent = command("model.py", "--fail-on", "error,wrong,break,recompile,hazard")
    assert (silent.code, silent.err) == (0, "")
    assert command("model.py", "--add-ignore").err == "note: 0 findings silenced by new comments in 0 files\n"
    assert path.read_bytes() == after


def test_one_comment_a_line(command, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    command("model.py", "--add-ignore")
    lines = (tmp_path / "model.py").read_text().splitlines()
    assert lines[5] == "        a = x.sum().item(); b = int(x.sum())  # compile-lint: ignore[CL201, CL202]"
    assert lines[7:9] == [
        "            x.sum().item(),  # compile-lint: ignore[CL201]",
        "            x.tolist(),  # two  # compile-lint: ignore[CL203]",
    ]


def test_only_what_would_be_shown(command, tmp_path):
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    assert command("model.py", "--add-ignore", "--select", "CL203").code == 0
    assert path.read_text().count("compile-lint") == 1
    command("model.py", "--baseline", "b.json", "--write-baseline")
    path.write_text(path.read_text().replace("return a", "print(a)\n        return a"))
    assert command("model.py", "--baseline", "b.json", "--add-ignore", "--reason", "new").code == 0
    assert path.read_text().count("compile-lint") == 2
    assert "        print(a)  # compile-lint: ignore[CL501] new\n" in path.read_text()


def test_what_no_comment_should_silence_is_left(command, tmp_path):
    (tmp_path / "a.py").write_text("def f(:\n")
    (tmp_path / "b.py").write_text("import torch\n# compile-lint: ignore[CL101]\nx = 1\n" + MODEL)
    result = command(".", "--add-ignore", "--format", "concise", "-q")
    assert result.code == 1
    assert [line.partition(" found")[0].split()[:2] for line in result.out.splitlines()] == [
        ["a.py:1:7:", "CL900"],
        ["b.py:2:1:", "CL901"],
    ]
    assert (tmp_path / "a.py").read_text() == "def f(:\n"


def test_a_reason_that_the_encoding_cannot_hold(command, tmp_path):
    path = tmp_path / "model.py"
    data = ("# coding: latin-1\n" + MODEL).encode("latin-1")
    path.write_bytes(data)
    result = command("model.py", "--add-ignore", "--reason", "→ later")
    assert result.code == 2
    assert "error: model.py: is iso-8859-1, which cannot hold '→' of --reason; no suppression added" in result.err
    assert path.read_bytes() == data


def test_links_and_modes_stay(command, tmp_path):
    (tmp_path / "real").mkdir()
    path = tmp_path / "real" / "model.py"
    path.write_text(MODEL)
    path.chmod(0o750)
    (tmp_path / "link.py").symlink_to(path)
    assert command("link.py", "--add-ignore").code == 0
    assert (tmp_path / "link.py").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert "compile-lint: ignore" in path.read_text()
    assert os.listdir(tmp_path / "real") == ["model.py"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_file_that_cannot_be_written(command, tmp_path):
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    path.chmod(0o400)
    result = command("model.py", "--add-ignore")
    assert result.code == 2
    assert "error: model.py: cannot be written: Permission denied" in result.err
    assert path.read_text() == MODEL


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["a.py", "--reason", "x"], "--reason: goes with --add-ignore"),
        (["-", "--add-ignore"], "--add-ignore: writes to files"),
        (
            ["a.py", "--add-ignore", "--write-baseline", "--baseline", "b"],
            "--add-ignore: goes with no --write-baseline",
        ),
    ],
)
def test_what_does_not_go(command, tmp_path, args, words):
    (tmp_path / "a.py").write_text(MODEL)
    result = command(*args, stdin=b"")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {words}")
    assert (tmp_path / "a.py").read_text() == MODEL
