"""`compile-lint ops` on the command line."""

import json
import sys

import pytest

from compile_lint.customops.native.syntax import parser

OPS = """\
import torch

lib = torch.library.Library("mylib", "DEF")
lib.define("scale(Tensor x, float factor=2.0) -> Tensor")
lib.impl("scale", lambda x, factor=2.0: x * factor, "CPU")

@torch.library.custom_op("mylib::shift", mutates_args=())
def shift(x: torch.Tensor) -> torch.Tensor:
    return x + 1

@shift.register_fake
def _(x):
    return torch.empty_like(x)

class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.mylib.scale(shift(x))
"""
CPP = """\
#include <torch/extension.h>
torch::Tensor twice(const torch::Tensor& x, int64_t k) { return x * k; }
PYBIND11_MODULE(native, m) {
  m.def("twice", &twice);
}
TORCH_LIBRARY(ext, m) {
  m.def("roll(Tensor x, "
        "int k=1) -> Tensor");
}
"""


@pytest.fixture
def run(command, tmp_path):
    (tmp_path / "ops.py").write_text(OPS)
    return command


def test_the_list(run):
    done = run("ops", "ops.py")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("ops.py:4: mylib::scale [splits the graph]\n")
    assert done.out.endswith("\n2 operators: 1 splits the graph, 1 ready\n")


def test_json_to_a_file(run, tmp_path):
    done = run("ops", "--format", "json", "--output-file", "ops.json")
    assert (done.code, done.out, done.err) == (0, "", "")
    document = json.loads((tmp_path / "ops.json").read_text())
    assert [one["name"] for one in document["operators"]] == ["mylib::scale", "mylib::shift"]
    assert document["errors"] == []


def test_only_some_names(run):
    done = run("ops", ".", "--name", "mylib::sh*", "-q")
    assert done.out == "1 operator: 1 ready\n"


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [("splits", 1), ("raises,risk", 0), ("any", 1), ("none", 0), ("raises,splits", 1), ("unknown", 0)],
)
def test_a_gate(run, verdicts, code):
    assert run("ops", ".", "--fail-on", verdicts).code == code


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--format", "jsn"), "--format: 'jsn' is not valid; did you mean 'json'?"),
        (("--fail-on", "split"), "--fail-on: 'split' is no verdict that fails; did you mean 'splits'?"),
        (("--fail-on", "none,splits"), "--fail-on: 'none' goes with no other verdict"),
        (("--stub", "mylib::scal"), "--stub: no operator 'mylib::scal' here; did you mean 'mylib::scale'?"),
        (("--output-file", "missing/x.txt"), "--output-file: missing/x.txt: the folder missing does not exist"),
        (("",), "an empty path names nothing"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(run, arguments, words):
    done = run("ops", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1


def test_a_path_that_is_not_there(run):
    done = run("ops", "missing", "ops.py")
    assert done.code == 2
    assert "missing: no such file or folder" in done.err
    assert "2 operators" in done.out


def test_cpp_sources_are_read(run, tmp_path):
    pytest.importorskip("tree_sitter_cpp")
    (tmp_path / "bind.cpp").write_text(CPP)
    document = json.loads(run("ops", ".", "--format", "json").out)
    found = {one["name"]: (one["kind"], one["schema"], one["declared"]) for one in document["operators"]}
    assert found["ext::roll"] == (
        "operator",
        "ext::roll(Tensor x, int k=1) -> Tensor",
        {"path": "bind.cpp", "line": 7},
    )
    assert found["native.twice"] == ("pybind", "", {"path": "bind.cpp", "line": 4})


def test_without_the_extra_it_says_what_to_install(run, tmp_path, monkeypatch):
    (tmp_path / "bind.cpp").write_text(CPP)
    parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    done = run("ops", ".")
    parser.cache_clear()
    assert done.code == 2
    assert "pip install 'compile-lint[ops]'" in done.err
    assert "2 operators" in done.out


def test_a_stub_makes_an_operator_ready(run, tmp_path):
    done = run("ops", ".", "--stub", "mylib::scale")
    assert (done.code, done.err) == (0, "")
    assert '@torch.library.register_fake("mylib::scale")\ndef _(x: torch.Tensor, factor: float = 2.0)' in done.out
    assert 'torch.library.register_autograd("mylib::scale", _scale_backward' in done.out
    (tmp_path / "ops.py").write_text(OPS + "\n\n" + done.out)
    again = run("ops", ".", "--stub", "mylib::scale")
    assert (again.code, again.out, again.err) == (0, "", "note: mylib::scale lacks nothing\n")
    assert run("ops", ".", "-q").out == "2 operators: 2 ready\n"


def test_a_stub_around_a_bound_function(run, tmp_path):
    pytest.importorskip("tree_sitter_cpp")
    (tmp_path / "bind.cpp").write_text(CPP)
    done = run("ops", ".", "--stub", "native.twice")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(
        "import torch\n\nimport native\n\n\n"
        '@torch.library.custom_op("native::twice", mutates_args=())\n'
        "def twice(x: torch.Tensor, k: int) -> torch.Tensor:\n"
        "    return native.twice(x, k)\n\n\n"
        "@twice.register_fake\n"
        "def _(x: torch.Tensor, k: int) -> torch.Tensor:\n"
    )
    compile(done.out, "stub.py", "exec")


def test_a_stub_for_an_operator_whose_schema_torch_infers(run, tmp_path):
    pytest.importorskip("tree_sitter_cpp")
    (tmp_path / "old.cpp").write_text(
        "torch::Tensor gather(torch::Tensor src, torch::Tensor index, int64_t dim) {\n"
        "  return gather_cpu(src, index, dim);\n}\n"
        'static auto registry = torch::RegisterOperators().op("old::gather", &gather);\n'
    )
    assert run("ops", "old.cpp", "-q").out == "1 operator: 1 unknown\n"
    done = run("ops", "old.cpp", "--stub", "old::gather")
    assert (done.code, done.err) == (0, "")
    assert (
        '@torch.library.register_fake("old::gather")\n'
        "def _(src: torch.Tensor, index: torch.Tensor, dim: int) -> torch.Tensor:\n" in done.out
    )


def test_nothing_can_be_written_for_what_is_no_operator(run, tmp_path):
    (tmp_path / "fn.py").write_text(
        "import torch\nclass F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): return x\n"
    )
    done = run("ops", ".", "--stub", "fn.F")
    assert done.code == 2
    assert "fn.F is no operator (autograd-function)" in done.err


def test_excludes_and_gitignore_hold(run, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "ops.py").write_text(OPS.replace("mylib", "oldlib"))
    assert "4 operators" in run("ops", ".", "-q").out
    assert "2 operators" in run("ops", ".", "-q", "--extend-exclude", "old").out
