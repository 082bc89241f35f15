"""A C++ extension the whole way: inventory, findings, confirm, opcheck; then repaired by what --stub writes, and clean.

Both states of it are built with the compiler at hand, which takes about a minute.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

for needed in ("torch", "tree_sitter_cpp", "psutil", "msgspec"):
    pytest.importorskip(needed)
pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no C++ compiler"),
    pytest.mark.skipif(shutil.which("ninja") is None, reason="ninja is not installed"),
]

FIXTURE = Path(__file__).parents[2] / "fixtures" / "ops_extension"
PROMISED = "at::Tensor columns_meta(const at::Tensor& x) {\n  return at::empty(x.sizes(), x.options());"
GIVEN = PROMISED.replace("at::empty(x.sizes(), ", "at::empty_strided(x.sizes(), {1, x.size(0)}, ")
BUILD = """
import sys
from torch.utils.cpp_extension import load
load("_C", [sys.argv[1]], extra_cflags=["-O0"], build_directory=sys.argv[2], is_python_module=False)
"""
SAMPLES = """
import torch
import ops_extension
x = torch.ones(2, 3)
samples = {
    "ops_extension::scaled": [(x,), (torch.ones(2, 3, requires_grad=True), 0.5)],
    "ops_extension::columns": [(x,)],
}
"""


def build(folder):
    made = folder / "build"
    made.mkdir(exist_ok=True)
    arguments = [sys.executable, "-c", BUILD, str(folder / "ops_extension.cpp"), str(made)]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"the extension does not build:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    shutil.copy(made / "_C.so", folder / "ops_extension" / "_C.so")


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    """The folders of the extension as it is, and with the Meta kernel of `columns` put right."""
    found = []
    for name in ("as_it_is", "repaired"):
        folder = tmp_path_factory.mktemp(name)
        shutil.copytree(FIXTURE, folder, dirs_exist_ok=True)
        (folder / "samples.py").write_text(SAMPLES)
        found.append(folder)
    source = found[1] / "ops_extension.cpp"
    text = source.read_text()
    assert PROMISED in text
    source.write_text(text.replace(PROMISED, GIVEN))
    for folder in found:
        build(folder)
    return SimpleNamespace(as_it_is=found[0], repaired=found[1])


def line_of(path, text):
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def inventory(command):
    found = json.loads(command("ops", ".", "--format", "json").out)
    assert found["errors"] == []
    return {one["name"]: one for one in found["operators"]}


def confirmed(command):
    arguments = ["--input", "float32[2,4]", "--no-grad", "--device", "cpu", "--isolated", "--format", "json"]
    (target,) = json.loads(command("confirm", "ops_extension/model.py:Mixer", *arguments).out)["targets"]
    return target, {one["name"]: one for one in target["operators"]}


def test_inventory(projects, command, monkeypatch):
    monkeypatch.chdir(projects.as_it_is)
    rows = inventory(command)
    scaled, shifted = rows["ops_extension::scaled"], rows["ops_extension::shifted"]
    assert scaled["schema"] == "ops_extension::scaled(Tensor x, float factor=2.0) -> Tensor"
    assert (scaled["kernels"], scaled["fake"], scaled["autograd"]) == (["Autograd", "CPU", "Meta"], True, True)
    assert (shifted["kernels"], shifted["fake"], shifted["verdict"]) == (["CPU"], False, "splits")
    assert rows["ops_extension::columns"]["verdict"] == "ready"  # that its Meta kernel is wrong only running tells
    doubled = rows["ops_extension._C.doubled"]
    assert (doubled["kind"], doubled["verdict"]) == ("pybind", "splits")
    model = Path("ops_extension/model.py")
    assert doubled["uses"] == [
        {"path": str(model), "line": line_of(model, "_C.doubled"), "entry": "Mixer.forward"},
    ]


def test_findings(projects, command, monkeypatch):
    monkeypatch.chdir(projects.as_it_is)
    found = json.loads(command("check", ".", "--format", "json").out)["findings"]
    line = line_of(Path("ops_extension/model.py"), "_C.doubled")
    assert ("CL410", line) in [(one["code"], one["line"]) for one in found]


def test_confirm(projects, command, monkeypatch):
    monkeypatch.chdir(projects.as_it_is)
    target, operators = confirmed(command)
    assert target["status"] == "ok"
    model, source = Path("ops_extension/model.py"), Path("ops_extension.cpp")
    assert {line_of(model, "shifted"), line_of(model, "_C.doubled")} <= {one["line"] for one in target["breaks"]}
    assert {name: one["status"] for name, one in operators.items()} == {
        "ops_extension::scaled": "passed",
        "ops_extension::shifted": "failed",
        "ops_extension::columns": "failed",
    }
    shifted, columns = operators["ops_extension::shifted"], operators["ops_extension::columns"]
    assert shifted["place"]["line"] == line_of(model, "shifted")
    assert shifted["declared"] == {
        "path": str(source), "line": line_of(source, 'm.def("shifted('), "function": "",
    }  # fmt: skip
    (missing,) = [one for one in shifted["checks"] if one["name"] == "fake-tensor"]
    assert "no fake kernel is registered for ops_extension::shifted" in missing["message"]
    assert columns["differences"] == ["strides of the output: [4, 1] by the fake kernel, [1, 2] by the real one"]


def test_samples(projects, command, monkeypatch):
    monkeypatch.chdir(projects.as_it_is)
    found = command("ops", "--check", "samples.py:samples")
    assert found.code == 1
    assert "ops_extension::scaled  passed\nops_extension::columns  failed\n" in found.out
    monkeypatch.chdir(projects.repaired)
    assert command("ops", "--check", "samples.py:samples").code == 0


def test_repaired_by_stubs_it_is_clean(projects, command, monkeypatch):
    monkeypatch.chdir(projects.repaired)
    package = Path("ops_extension")
    names = ("ops_extension::shifted", "ops_extension._C.doubled")
    stubs = [command("ops", ".", "--stub", name).out for name in names]
    (package / "registered.py").write_text("\n\n".join(stubs))
    init, model = package / "__init__.py", package / "model.py"
    init.write_text(init.read_text() + "from ops_extension import registered  # noqa: F401\n")
    text = model.read_text().replace("from ops_extension import _C", "from ops_extension.registered import doubled")
    model.write_text(text.replace("_C.doubled(x)", "doubled(x)"))

    rows = inventory(command)
    called = {name: one["verdict"] for name, one in rows.items() if one["uses"]}
    assert called == {f"ops_extension::{name}": "ready" for name in ("scaled", "shifted", "columns", "doubled")}
    assert json.loads(command("check", "ops_extension", "--format", "json").out)["findings"] == []
    target, operators = confirmed(command)
    assert (target["status"], target["breaks"], len(target["graphs"]), target["same_result"]) == ("ok", [], 1, True)
    assert {name: one["status"] for name, one in operators.items()} == dict.fromkeys(called, "passed")
    assert operators["ops_extension::doubled"]["declared"]["path"] == str(package / "registered.py")
