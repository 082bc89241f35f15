"""What a target names is found and imported, or the complaint says what is nearest."""

import sys

import pytest

pytestmark = pytest.mark.torch

NET = "import torch\nclass Net(torch.nn.Module):\n    def forward(self):\n        return torch.ones(2)\n"


def test_a_file_finds_what_lies_beside_it(load, tmp_path):
    found = load("m.py:make", {"m.py": "from beside import make\n", "beside.py": "def make():\n    return abs\n"})
    assert found.fresh is not None
    assert found.project == (str(tmp_path),)
    assert sys.path[0] == str(tmp_path)
    assert sys.modules["m"].__file__ == str(tmp_path / "m.py")


def test_a_file_in_a_package_is_imported_by_its_real_name(load, tmp_path):
    files = {
        "lib/pkg/__init__.py": "",
        "lib/pkg/sub/__init__.py": "",
        "lib/pkg/sub/m.py": "from ..base import Net\n",
        "lib/pkg/base.py": NET,
    }
    found = load("lib/pkg/sub/m.py:Net", files)
    assert found.fresh().callable.__class__.__module__ == "pkg.base"
    assert "pkg.sub.m" in sys.modules
    assert found.project == (str(tmp_path / "lib" / "pkg"), str(tmp_path))


def test_a_module_is_found_from_the_root_and_its_src(load, tmp_path):
    found = load("pkg.m:Net", {"src/pkg/__init__.py": "", "src/pkg/m.py": NET})
    assert type(found.fresh().callable).__qualname__ == "Net"
    assert found.project == (str(tmp_path / "src" / "pkg"), str(tmp_path))


def test_a_home_or_a_folder_of_temporary_files_is_no_project(load, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load("m.py:Net", {"m.py": NET}).project == (str(tmp_path / "m.py"),)


def test_a_file_called_like_another_module_does_not_take_its_place(load):
    import types

    load("types.py:Net", {"types.py": NET})
    assert sys.modules["types"] is types
    load("my-net.py:Net", {"my-net.py": NET})


def test_dotted_names(load):
    found = load("m.py:Outer.Net", "import torch\nclass Outer:\n    class Net(torch.nn.Module):\n        pass\n")
    assert type(found.fresh().callable).__qualname__ == "Outer.Net"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("m.py:mkae", "m.py defines no 'mkae'; did you mean 'make'?"),
        ("m.py:zzz", "m.py defines no 'zzz'; valid are 'make', 'Net'"),
        ("m.py:Net.forwrd", "Net defines no 'forwrd'; did you mean 'forward'?"),
        ("pkg.mdo:make", "there is no module 'pkg.mdo'; did you mean 'mod'?"),
        ("pgk:make", "there is no module 'pgk'; did you mean 'pkg'?"),
        ("pkg.mod:mkae", "pkg.mod defines no 'mkae'; did you mean 'make'?"),
    ],
)
def test_the_nearest_name_is_suggested(load, fails, name, message):
    files = {"m.py": "def make(): ...\n" + NET, "pkg/__init__.py": "", "pkg/mod.py": "def make(): ...\n"}
    with fails("user-error", message):
        load(name, files)


def test_the_nearest_file_is_suggested(load, fails, tmp_path):
    with fails("user-error", f"{tmp_path}/modle.py: no such file; did you mean 'model.py'?"):
        load("modle.py:make", {"model.py": ""})
    with fails("user-error", f"{tmp_path}/no/m.py: no such file; there is no folder {tmp_path}/no"):
        load("no/m.py:make")


def test_a_method_is_no_target(load, fails, tmp_path):
    with fails("user-error", f"Net.forward is a method that needs an instance; name the class: {tmp_path}/m.py:Net"):
        load("m.py:Net.forward", NET)


def test_the_traceback_is_the_users(load, fails, tmp_path):
    trace = (
        "Traceback (most recent call last):\n"
        f'  File "{tmp_path}/m.py", line 2, in <module>\n    import beside\n'
        f'  File "{tmp_path}/beside.py", line 1, in <module>\n    raise ValueError("broken")\n'
        "ValueError: broken\n"
    )
    with fails("user-error", "importing m.py: ValueError: broken", trace):
        load("m.py:make", {"m.py": "\nimport beside\n", "beside.py": 'raise ValueError("broken")\n'})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:\n", "importing m.py: SyntaxError: invalid syntax (m.py, line 1)"),
        ("import no_such_thing\n", "importing m.py: ModuleNotFoundError: No module named 'no_such_thing'"),
        ("import sys\nsys.exit(3)\n", "importing m.py: the code called sys.exit(3)"),
        ("raise SystemExit\n", "importing m.py: the code called sys.exit(None)"),
        ("raise KeyboardInterrupt\n", "importing m.py: KeyboardInterrupt"),
        ("raise BaseException('x')\n", "importing m.py: BaseException: x"),
        ("def f(): f()\nf()\n", "importing m.py: RecursionError: maximum recursion depth exceeded"),
        (
            "class E(Exception):\n    def __str__(self):\n        1 / 0\nraise E\n",
            "importing m.py: E: <its text cannot be made>",
        ),
    ],
)
def test_code_that_raises_at_import(load, fails, text, message):
    with fails("user-error", message):
        load("m.py:make", text)


def test_memory_at_import(load, fails):
    with fails("out-of-memory", "importing m.py: MemoryError"):
        load("m.py:make", "raise MemoryError\n")
