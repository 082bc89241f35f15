"""Absolute imports in trees whose packages do not start at the working directory."""

import pytest

HELPER = "def read(t):\n    return int(t)\n"
MODEL = """\
import torch
{}


class Net(torch.nn.Module):
    def forward(self, x):
        return x * {}(x.sum())
"""


@pytest.fixture
def places(command, tmp_path):
    """Write files, lint the folder, give the places of the findings."""

    def call(files, *args):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        result = command(*(args or ["."]), "--isolated", "--format", "concise", "-q")
        return [line.partition(": ")[0].rpartition(":")[0] for line in result.out.splitlines()]

    return call


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("from pkg.helper import read", "read"),
        ("from pkg import helper", "helper.read"),
        ("import pkg.helper", "pkg.helper.read"),
        ("import pkg.helper as h", "h.read"),
        ("from pkg.helper import *", "read"),
        ("from .helper import read", "read"),
        ("try:\n    from pkg.helper import read\nexcept ImportError:\n    read = None", "read"),
    ],
)
@pytest.mark.parametrize("top", ["", "src/", "libs/one/"])
def test_a_package_below_the_working_directory(places, imports, name, top):
    files = {
        f"{top}pkg/__init__.py": "",
        f"{top}pkg/helper.py": HELPER,
        f"{top}pkg/net.py": MODEL.format(imports, name),
    }
    assert places(files) == [f"{top}pkg/helper.py:2"]
    assert places({}, f"{top}pkg") == [f"{top}pkg/helper.py:2"]


def test_an_import_inside_a_function_and_a_base_class(places):
    text = MODEL.format("", "read").replace("        return", "        from pkg.helper import read\n        return")
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/helper.py": HELPER,
        "src/pkg/base.py": text,
        "src/pkg/net.py": "import pkg.base\n\n\nclass Net(pkg.base.Net):\n    pass\n",
    }
    assert places(files) == ["src/pkg/helper.py:2"]


def test_scripts_that_lie_side_by_side(places):
    """Each folder has a `helper` of its own; only that of one folder breaks."""
    net = MODEL.format("from helper import read", "read")
    files = {"a/helper.py": HELPER, "a/net.py": net, "b/helper.py": HELPER.replace("int(t)", "t"), "b/net.py": net}
    assert places(files) == ["a/helper.py:2"]


def test_a_script_that_uses_the_package_in_src(places):
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/helper.py": HELPER,
        "examples/net.py": MODEL.format("from pkg.helper import read", "read"),
    }
    assert places(files) == ["src/pkg/helper.py:2"]


def test_a_namespace_package_in_src(places):
    files = {"src/ns/helper.py": HELPER, "examples/net.py": MODEL.format("from ns.helper import read", "read")}
    assert places(files) == ["src/ns/helper.py:2"]


def test_two_packages_of_one_name_are_not_guessed_at(places):
    net = MODEL.format("from pkg.helper import read", "read")
    files = {f"{top}/pkg/{name}.py": text for top in "ab" for name, text in (("__init__", ""), ("helper", HELPER))}
    assert places({**files, "c/net.py": net}) == []
    assert places({"b/pkg/net.py": net}) == ["b/pkg/helper.py:2"]


def test_a_neighbour_called_like_the_standard_library_or_torch(places):
    """The rules know the real ones, and those are what most code means."""
    files = {
        "tools/random.py": "def random():\n    return 1\n",
        "tools/torch.py": "",
        "tools/net.py": MODEL.format("import random", "random.random() * float").replace("float(x.sum())", "x"),
    }
    assert places(files) == ["tools/net.py:7"]


def test_from_a_folder_below(places, tmp_path, monkeypatch):
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/helper.py": HELPER,
        "src/pkg/net.py": MODEL.format("from pkg.helper import read", "read"),
    }
    places(files)
    monkeypatch.chdir(tmp_path / "src")
    assert places({}, ".") == ["pkg/helper.py:2"]
    monkeypatch.chdir("/")
    assert [place.rpartition("/")[2] for place in places({}, tmp_path)] == ["helper.py:2"]
