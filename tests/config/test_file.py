import os

import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.config.file import BrokenFileError, find, read

SECTION = '[tool.compile-lint]\nmin-confidence = "certain"\n'


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_nearest_counts(tmp_path):
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert find(below) is None or not str(find(below)).startswith(str(tmp_path))
    (tmp_path / "pyproject.toml").write_text(SECTION)
    assert find(below) == tmp_path / "pyproject.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert find(below) == tmp_path / "pyproject.toml", "one without the section is passed over"
    (tmp_path / "a" / "compile-lint.toml").write_text("")
    assert find(below) == tmp_path / "a" / "compile-lint.toml"
    assert find(tmp_path) == tmp_path / "pyproject.toml"


def test_own_file_before_pyproject(tmp_path):
    (tmp_path / "pyproject.toml").write_text(SECTION)
    (tmp_path / "compile-lint.toml").write_text("")
    assert find(tmp_path) == tmp_path / "compile-lint.toml"


def test_read(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text(
        SECTION + "entry = 'fn'\nfail-on = ['none']\n[tool.compile-lint.torch-config]\ncapture_scalar_outputs = true\n"
    )
    assert read(path).values == {
        "min-confidence": "certain",
        "entry-points": ("fn",),
        "fail-on": (),
        "torch-config": {"capture_scalar_outputs": True},
    }


def test_byte_order_mark(tmp_path):
    path = tmp_path / "compile-lint.toml"
    path.write_bytes(b"\xef\xbb\xbfstatistics = true\r\n")
    assert read(path).values == {"statistics": True}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("selct = []", "selct: unknown key; did you mean 'select'?"),
        ("target_torch = '2.13'", "target_torch: unknown key; did you mean 'target-torch'?"),
        ("zzz = 1", "zzz: unknown key"),
        ("verbose = true", "verbose: is an option of the command line only"),
        ("config = 'x'", "config: is an option of the command line only"),
        ("select = 3", "select: must be a list of strings, not 3"),
        ("select = ['CL1', 2]", "select: must be a list of strings, not ['CL1', 2]"),
        ("statistics = 'yes'", "statistics: must be true or false, not 'yes'"),
        ("target-torch = 2.13", "target-torch: must be a string, not 2.13"),
        ("min-confidence = 'certian'", "min-confidence: 'certian' is not valid; did you mean 'certain'?"),
        ("format = true", "format: must be a string, not true"),
        ("fail-on = ['brk']", "fail-on: 'brk' is not a kind of finding; did you mean 'break'?"),
        ("fail-on = ['none', 'break']", "fail-on: 'none' goes with no other kind"),
        ("fail-under = 200", "fail-under: must be a number from 0 to 100, not 200"),
        ("fail-under = true", "fail-under: must be a number from 0 to 100, not true"),
        ("per-file-ignores = ['a']", "per-file-ignores: must be a table"),
        ("per-file-ignores = {a = 1}", "per-file-ignores.'a': must be a list of strings, not 1"),
        (
            "torch-config = {capture_scalar_output = true}",
            "torch-config.capture_scalar_output: no setting of torch._dynamo.config",
        ),
        ("torch-config = {capture_scalar_output = true}", "did you mean 'capture_scalar_outputs'?"),
        ("torch-config = {recompile_limit = true}", "torch-config.recompile_limit: must be a whole number, not true"),
        ("torch-config = {trace_numpy = 1}", "torch-config.trace_numpy: must be true or false, not 1"),
        ("entry = ['a']\nentry-points = ['b']", "entry-points: is another name of 'entry-points', which is given too"),
    ],
)
def test_mistakes(tmp_path, line, words):
    for name, before in (("compile-lint.toml", ""), ("pyproject.toml", "[tool.compile-lint]\n")):
        path = tmp_path / name
        path.write_text(before + line)
        with pytest.raises(ConfigError) as caught:
            read(path)
        prefix = "tool.compile-lint." if before else ""
        assert str(caught.value).startswith(f"{name}: {prefix}")
        assert words in str(caught.value)


def test_broken_toml(tmp_path):
    path = tmp_path / "pyproject.toml"
    for content, words in (
        (b"[tool", "is not valid TOML"),
        (b"a = '\xff'", "is not UTF-8 text"),
        (b"a" + b"[" * 5000, "TOML"),
    ):
        path.write_bytes(content)
        with pytest.raises(BrokenFileError, match=words):
            find(tmp_path)
    path.unlink()
    path.mkdir()
    assert find(tmp_path) is None or find(tmp_path) != path


def test_no_section(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool]\n")
    with pytest.raises(ConfigError, match=r"has no section \[tool.compile-lint\]"):
        read(tmp_path / "pyproject.toml")
    (tmp_path / "pyproject.toml").write_text("[tool]\ncompile-lint = 3\n")
    with pytest.raises(ConfigError, match="must be a table"):
        read(tmp_path / "pyproject.toml")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_unreadable(tmp_path):
    (tmp_path / "compile-lint.toml").write_text("")
    (tmp_path / "compile-lint.toml").chmod(0)
    with pytest.raises(BrokenFileError, match="cannot be read"):
        read(tmp_path / "compile-lint.toml")
