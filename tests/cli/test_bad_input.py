"""Everything that a folder can hold, linted with the real analysis: a clear line for each, none stops the others."""

import codecs
import importlib.util
import json
import os
import sys

import pytest

from compile_lint.cli.main import run as run_cli

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("compile_lint.analysis") is None, reason="the analysis is not there"
)

GOOD = """\
import torch


@torch.compile
def fn(x):
    y = x * 2
    if y.sum() > 0:
        return y
    return y + 1
"""
BROKEN = "import torch\n\n\ndef fn(x:\n    return x\n"
PYTHON_2 = "import torch\nprint 'torch'\nexec 'x = 1'\n"


@pytest.fixture
def lint(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COMPILE_LINT_TRACEBACK", raising=False)

    def call(*args):
        capfd.readouterr()
        code = run_cli(["--format", "json", *(str(arg) for arg in args)])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        assert "internal error" not in out + err
        document = json.loads(out) if out else None
        return code, document, err

    return call


def _found(document):
    return {(finding["path"], finding["line"], finding["code"]) for finding in document["findings"]}


def test_syntax_error(lint, tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "good.py").write_text(GOOD)
    code, document, err = lint()
    assert code == 1
    assert ("good.py", 7, "CL101") in _found(document)
    (error,) = [finding for finding in document["findings"] if finding["code"] == "CL900"]
    assert (error["path"], error["kind"], error["line"], err) == ("broken.py", "error", 4, "")
    assert document["files"] == 2


@pytest.mark.parametrize(
    "text",
    [
        PYTHON_2,
        "import torch\nx = = 1\n",
        "import torch\n\tx\n  y\n",
        "import torch\ns = '''\n",
        "import torch\nx = (\n",
        "import torch\nif x:\n",
        "import torch\n\x00\n",
        "import torch\n\x1a\n",
        "import torch\nreturn 1 +\n",
        "import torch\n<<<<<<< HEAD\n",
        "import torch\nx = 0777\n",
        "import torch\nf'{a b}'\n",
        "import torch\nx = '\\N{no such name}'\n",
    ],
)
def test_code_that_is_not_python_3(lint, tmp_path, text):
    (tmp_path / "bad.py").write_text(text)
    (tmp_path / "good.py").write_text(GOOD)
    code, document, _ = lint()
    assert code == 1
    assert ("good.py", 7, "CL101") in _found(document)
    (error,) = [finding for finding in document["findings"] if finding["path"] == "bad.py"]
    assert error["code"] == "CL900"
    assert 1 <= error["line"] <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bom.py", codecs.BOM_UTF8 + GOOD.encode()),
        ("latin.py", b"# coding: latin-1\n" + GOOD.replace("y +", "'\u00e9' and y +").encode("latin-1")),
        ("crlf.py", GOOD.replace("\n", "\r\n").encode()),
        ("cr.py", GOOD.replace("\n", "\r").encode()),
        ("tabs.py", GOOD.replace("    ", "\t").encode()),
        ("no_end.py", GOOD.rstrip("\n").encode()),
        ("form_feed.py", GOOD.replace("\n\n\n", "\n\x0c\n\n").encode()),
        ("a b.py", GOOD.encode()),
        ("\u00e9\u4e2d\u6587.py", GOOD.encode()),
        ("with-dash.py", GOOD.encode()),
        ("class.py", GOOD.encode()),
        ("a/__init__.py", GOOD.encode()),
    ],
)
def test_good_code_in_every_dress(lint, tmp_path, name, data):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    code, document, err = lint()
    line = 8 if name == "latin.py" else 7
    assert (code, err) == (1, "")
    assert (name, line, "CL101") in _found(document)


def test_empty_files_and_nothing_else(lint, tmp_path):
    for name, data in (
        ("a.py", b""),
        ("b.py", b"\n"),
        ("c.py", b"\xef\xbb\xbf"),
        ("d.py", b"# torch\n"),
        ("e.py", b"'torch'"),
    ):
        (tmp_path / name).write_bytes(data)
    code, document, err = lint()
    assert (code, document["findings"], document["errors"], document["files"], err) == (0, [], [], 5, "")


def test_an_enormous_file(lint, tmp_path):
    table = "TABLE = [\n" + "    (1, 2.5, 'three', None),\n" * 100_000 + "]\n"
    (tmp_path / "table.py").write_text("import torch\n" + table)
    (tmp_path / "good.py").write_text(GOOD)
    code, document, err = lint()
    assert (code, err) == (1, "")
    assert _found(document) == {("good.py", 7, "CL101")}


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 150 + "x" + ")" * 150,
        "x" + " + x" * 500,
        "x" + ".relu()" * 500,
        "x" + "[0]" * 500,
        "-" * 500 + "x",
        "f(" * 90 + "x" + ")" * 90,
        "[" * 90 + "x" + "]" * 90,
        " if x else ".join(["x"] * 500),
        "lambda: " * 300 + "x",
        "x and " * 500 + "x",
        "(" * 3000 + "x" + ")" * 3000,
        "x" + " + x" * 20_000,
        "-" * 20_000 + "x",
    ],
)
def test_nested_expressions(lint, tmp_path, expression):
    """Far beyond what people write: findings or a clear syntax error, and the other file is linted all the same."""
    (tmp_path / "deep.py").write_text(f"import torch\n\n\n@torch.compile\ndef fn(x):\n    return {expression}\n")
    (tmp_path / "good.py").write_text(GOOD)
    code, document, _ = lint()
    assert code in (1, 2)
    assert ("good.py", 7, "CL101") in _found(document)


def test_deeply_nested_statements(lint, tmp_path):
    blocks = "".join("    " * (depth + 1) + "if x.sum() > 0:\n" for depth in range(90)) + "    " * 91 + "pass\n"
    chain = "    if a:\n        pass\n" + "".join(f"    elif a == {i}:\n        pass\n" for i in range(1000))
    (tmp_path / "deep.py").write_text(f"import torch\n\n\n@torch.compile\ndef fn(x, a):\n{chain}{blocks}")
    (tmp_path / "good.py").write_text(GOOD)
    code, document, _ = lint()
    assert code in (1, 2)
    assert ("good.py", 7, "CL101") in _found(document)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
def test_a_folder_of_everything(lint, tmp_path):
    """All at once: every kind of bad input has its line, and what can be linted is."""
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "python2.py").write_text(PYTHON_2)
    (tmp_path / "bytes.py").write_bytes(b"import torch\ns = '\xff'\n")
    (tmp_path / "wide.py").write_bytes("import torch\n".encode("utf-16"))
    (tmp_path / "coding.py").write_bytes(b"# coding: no-such\nimport torch\n")
    (tmp_path / "stub.pyi").write_text("import torch\ndef fn(x: torch.Tensor) -> int: ...\n")
    (tmp_path / "empty.py").touch()
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "gone.py").symlink_to("nowhere")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.compile-lint\n")
    code, document, err = lint(".", "missing.py")
    assert code == 2
    assert _found(document) >= {("good.py", 7, "CL101"), ("broken.py", 4, "CL900"), ("python2.py", 2, "CL900")}
    told = {error["path"]: error["message"] for error in document["errors"]}
    assert set(told) == {
        "bytes.py", "wide.py", "coding.py", "loop.py", "gone.py", "up", "pyproject.toml", "missing.py",
    }  # fmt: skip
    assert "linted with the default settings" in told["pyproject.toml"]
    assert len(err.splitlines()) == len(told)
    assert all(line.startswith(("error: ", "note: ")) for line in err.splitlines())


def test_a_module_that_imports_itself_and_a_ring_of_bases(lint, tmp_path):
    (tmp_path / "a.py").write_text("import torch\nfrom a import A\nfrom b import B\n\n\nclass A(B):\n    pass\n")
    (tmp_path / "b.py").write_text("import torch\nfrom a import A\nfrom b import *\n\n\nclass B(A):\n    pass\n")
    (tmp_path / "good.py").write_text(GOOD)
    code, document, err = lint()
    assert (code, err) == (1, "")
    assert ("good.py", 7, "CL101") in _found(document)
