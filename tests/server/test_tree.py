import os

import pytest

from compile_lint.findings import Source
from compile_lint.server import tree as module
from compile_lint.server.tree import Import, Tree, imports


@pytest.fixture
def reached(tmp_path):
    """Write files and follow the imports of the open ones; gives paths below the folder, and names."""
    tree = Tree(str(tmp_path))

    def call(files, *opened, buffers=None):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        texts = {path: files[path] for path in opened} | (buffers or {})
        found = tree.reached({str(tmp_path / path): Source(str(tmp_path / path), text) for path, text in texts.items()})
        return (
            sorted(os.path.relpath(path, tmp_path) for path in found.sources),
            {name: os.path.relpath(path, tmp_path) for name, path in found.names.items()},
        )

    return call


def test_imports():
    text = (
        "import a.b, c as d\nfrom e import f, g\nfrom . import h\nfrom ..i import *\n"
        "def j():\n    try:\n        import k\n    except ImportError: pass\n"
    )
    assert imports(text) == (
        Import(("a", "b")),
        Import(("c",)),
        Import(("e",)),
        Import(("e", "f")),
        Import(("e", "g")),
        Import((), 1),
        Import(("h",), 1),
        Import(("i",), 2),
        Import(("k",)),
    )
    assert imports("x = 1") == ()
    assert imports("import (") is None
    assert imports("import a\0") is None


def test_from_one_to_the_next(reached):
    files = {
        "main.py": "import pkg.a",
        "pkg/__init__.py": "",
        "pkg/a.py": "from .sub import b\nfrom .. import nothing",
        "pkg/sub/__init__.py": "from .b import x",
        "pkg/sub/b.py": "import os",
        "pkg/other.py": "",
    }
    assert reached(files, "main.py") == (
        ["main.py", "pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py"],
        {"pkg": "pkg/__init__.py", "pkg.a": "pkg/a.py"},
    )


def test_circles(reached):
    assert reached({"a.py": "import b", "b.py": "import a"}, "a.py")[0] == ["a.py", "b.py"]


def test_where_names_may_start(reached):
    files = {
        "scripts/train.py": "import near\nimport lib.net\nimport core",
        "scripts/near.py": "",
        "src/lib/net.py": "",
        "core.py": "",
        "src/core.py": "",
    }
    assert reached(files, "scripts/train.py") == (
        ["core.py", "scripts/near.py", "scripts/train.py", "src/lib/net.py"],
        {"near": "scripts/near.py", "lib.net": "src/lib/net.py", "core": "core.py"},
    )


def test_imports_stay_while_the_text_does_not_parse(reached):
    files = {"a.py": "import b\n", "b.py": ""}
    assert reached(files, "a.py")[0] == ["a.py", "b.py"]
    assert reached({}, buffers={"a.py": "import b\nx = (\n"})[0] == ["a.py", "b.py"]
    assert reached({}, buffers={"a.py": "x = 1\n"})[0] == ["a.py"]


def test_a_file_is_read_again_when_it_has_changed(tmp_path):
    tree = Tree(str(tmp_path))
    (tmp_path / "b.py").write_text("x = 1\n")
    opened = {str(tmp_path / "a.py"): Source(str(tmp_path / "a.py"), "import b\n")}
    path = str(tmp_path / "b.py")
    first = tree.reached(opened).sources[path]
    assert tree.reached(opened).sources[path] is first
    (tmp_path / "b.py").write_text("x = 22\n")
    assert tree.reached(opened).sources[path].text == "x = 22\n"
    (tmp_path / "b.py").unlink()
    assert path not in tree.reached(opened).sources


def test_what_cannot_be_read_is_passed_over(reached, tmp_path):
    (tmp_path / "b.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "c.py").mkdir()
    assert reached({"a.py": "import b, c"}, "a.py")[0] == ["a.py"]


def test_a_limit(reached, monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    files = {f"m{i}.py": f"import m{i + 1}" for i in range(9)}
    assert reached(files, "m0.py")[0] == ["m0.py", "m1.py", "m2.py"]


def test_where_dotted_names_start(tmp_path):
    tree = Tree(str(tmp_path / "w"))
    (tmp_path / "w/src/pkg").mkdir(parents=True)
    (tmp_path / "w/src/pkg/__init__.py").touch()
    assert tree.root_of(str(tmp_path / "w/src/pkg/m.py")) == str(tmp_path / "w/src")
    assert tree.root_of(str(tmp_path / "w/scripts/m.py")) == str(tmp_path / "w")
    assert tree.root_of(str(tmp_path / "else/m.py")) == str(tmp_path / "else")
