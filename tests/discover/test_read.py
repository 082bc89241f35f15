import codecs

import pytest

from compile_lint.discover import File, Sources, decode, find, mentions_torch, module_root, read
from compile_lint.findings import FileError, Source


def _text(data):
    source = decode(data, "a.py")
    assert isinstance(source, Source), source
    return source.text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"x = 1", "x = 1"),
        (b"x = 1\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
        (b"x = 1\ry = 2", "x = 1\ry = 2"),
        (codecs.BOM_UTF8 + "\u00e9 = 1\n".encode(), "\u00e9 = 1\n"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'\n", "# -*- coding: latin-1 -*-\ns = '\u00e9'\n"),
        (
            b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\ns = '\x80'\n",
            "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\ns = '\u20ac'\n",
        ),
        ("# coding: euc-jp\ns = '\u3042'\n".encode("euc-jp"), "# coding: euc-jp\ns = '\u3042'\n"),
        ("# coding: gbk\r\ns = '\u4e2d'\r\n".encode("gbk"), "# coding: gbk\r\ns = '\u4e2d'\r\n"),
        (b"\tx = 1\x0c\n\x00", "\tx = 1\x0c\n\x00"),
    ],
)
def test_decode(data, text):
    assert _text(data) == text


def test_a_comment_in_the_third_line_is_no_declaration():
    assert decode(b"\n\n# coding: latin-1\ns = '\xe9'\n", "a.py").message.startswith("line 4: byte 0xe9 is not utf-8")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            b"x = 1\n\ns = '\xe9'\n",
            "line 3: byte 0xe9 is not utf-8; save it as UTF-8 or name its encoding in a coding comment",
        ),
        (b"s = '\xe9'\n", "line 1: byte 0xe9 is not utf-8; save it"),
        (b"# coding: utf-8\ns = '\xe9'\n", "line 2: byte 0xe9 is not utf-8; its coding comment is wrong"),
        (b"# coding: ascii\n\ns = '\xe9'\n", "line 3: byte 0xe9 is not ascii; its coding comment is wrong"),
        (b"# coding: klingon\n", "line 1: unknown encoding"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "encoding problem"),
        (b"# coding: rot13\nx\n", "rot13 is no encoding of text"),
        (b"# coding: hex\nx\n", "hex is no encoding of text"),
        ("x = 1\n".encode("utf-16"), "is UTF-16 or UTF-32, which Python does not read; save it as UTF-8"),
        ("x = 1\n".encode("utf-32"), "is UTF-16 or UTF-32"),
    ],
)
def test_cannot_decode(data, words):
    error = decode(data, "a.py")
    assert isinstance(error, FileError)
    assert words in error.message
    assert error.fatal


def test_read_a_file_that_is_gone(tmp_path):
    assert read(File("a.py", str(tmp_path / "a.py"))).message == "is gone since the run began"
    assert "cannot be read" in read(File("a.py", str(tmp_path))).message


def test_module_root(tmp_path):
    (tmp_path / "src/pkg/sub").mkdir(parents=True)
    for folder in ("src/pkg", "src/pkg/sub"):
        (tmp_path / folder / "__init__.py").touch()
    assert module_root(str(tmp_path / "src/pkg/sub/m.py")) == str(tmp_path / "src")
    assert module_root(str(tmp_path / "src/m.py")) == str(tmp_path / "src")
    source = read(File("m.py", str(tmp_path / "src/pkg/sub/__init__.py")))
    assert source.root == str(tmp_path / "src")


def test_mentions_torch():
    assert mentions_torch(Source("a", "import torch"))
    assert not mentions_torch(Source("a", "import numpy"))


def test_sources(tmp_path):
    for name, data in (("a.py", b"x\r\ny\x0cz\rw"), ("b.py", b"\xff\xff"), ("c.py", b"")):
        (tmp_path / name).write_bytes(data)
    found = find(["."], (), True, str(tmp_path))
    seen = []
    sources = Sources(found.files, [Source("-", "given\n")], lambda source: seen.append(source.path))
    assert len(sources) == 4
    assert [source.path for source in sources] == ["-", "a.py", "c.py"] == seen
    assert [error.path for error in sources.errors] == ["b.py"]
    assert len(list(sources)) == 3
    assert len(sources.errors) == 1, "each error is told once"
    assert sources.lines("a.py") == ["x", "y\x0cz", "w"]
    assert sources.lines("-") == ["given", ""]
    assert sources.lines("b.py") is None
    assert sources.lines("elsewhere.py") is None
    (tmp_path / "c.py").unlink()
    assert sources.lines("c.py") is None
