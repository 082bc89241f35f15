"""Which files are read, what becomes of those that cannot be, and how long any of them takes."""

import random
import sys
import time

import pytest

from compile_lint.customops.native import NativeError, NativeSide, native_files, read_native

SOURCE = b"""\
#define REG(name, fn) m.impl(#name, torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(fn)))
at::Tensor nms(const at::Tensor& x) { auto p = x.data_ptr<float>(); return x; }
TORCH_LIBRARY(vis, m) {
  m.def("nms(Tensor dets, " /* boxes */ "float t) -> Tensor");
  m.def(R"x(raw(Tensor x) -> Tensor)x", &nms);
#ifdef A
  m.def("a(Tensor a) -> Tensor");
#endif
  REG(nms, nms);
  helper(m);
}
void helper(torch::Library& m) { m.def("helped(Tensor x) -> Tensor", [](Tensor x) { return x; }); }
static auto registry = torch::RegisterOperators().op("old::a", &nms).op("old::b(Tensor x) -> Tensor");
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("fwd", &nms, "doc's"); }
static auto k = torch::class_<Bar>("vis", "Bar").def(torch::init<>()).def("go", &Bar::go);
"""


def test_files_by_suffix_excludes_and_gitignore(tmp_path):
    for name in ("a.cpp", "b/c.cu", "b/d.py", "build/e.cpp", "f.hpp", "gen/g.cc", "h.mm"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / ".git").mkdir()
    found = [file.path for file in native_files([str(tmp_path)], ["gen"], cwd=str(tmp_path))]
    assert found == ["a.cpp", "b/c.cu", "f.hpp", "h.mm"]
    named = native_files([str(tmp_path / "b/d.py"), str(tmp_path / "gen/g.cc")], ["gen"], cwd=str(tmp_path))
    assert [file.path for file in named] == ["gen/g.cc"]


def test_without_the_parser_one_error_says_what_to_install(tmp_path, monkeypatch):
    from compile_lint.customops.native import syntax

    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    syntax.parser.cache_clear()
    for name in ("a.cpp", "b.cpp"):
        (tmp_path / name).write_bytes(SOURCE)
    (tmp_path / "c.cpp").write_text("int main() {}\n")
    words = "C++ sources are not read, for tree-sitter is not installed: pip install 'compile-lint[ops]'"
    assert read_native(sorted(tmp_path.iterdir())) == NativeSide(errors=(NativeError("", 0, words),))
    assert read_native([tmp_path / "c.cpp"]) == NativeSide()


def test_a_file_that_is_gone_is_an_error(tmp_path):
    path = str(tmp_path / "gone.cpp")
    assert read_native([path]).errors == (NativeError(path, 0, "cannot be read: No such file or directory"),)


def test_broken_sources_never_raise(tmp_path):
    path = tmp_path / "a.cpp"
    some = random.Random(5)
    pieces = [SOURCE[:end] for end in range(0, len(SOURCE), 17)]
    for _ in range(60):
        changed = bytearray(SOURCE)
        for _ in range(some.randint(1, 20)):
            changed[some.randrange(len(changed))] = some.randrange(256)
        start, end = sorted(some.randrange(len(SOURCE)) for _ in range(2))
        pieces += [bytes(changed), SOURCE[:start] + SOURCE[end:], some.randbytes(500) + SOURCE]
    for piece in pieces:
        path.write_bytes(piece)
        assert isinstance(read_native([path]), NativeSide)


@pytest.mark.parametrize(
    "piece",
    [
        b"TORCH_LIBRARY(",
        b"TORCH_LIBRARY(a, m) {",
        b'm.def("',
        b"m.def(",
        b"f(torch::Library& m",
        b'R"(',
        b'.op("a"',
        b"#define A(x) A(x) m.def(#x)\nTORCH_LIBRARY(a, m) { A(A(A(1))) }\n",
        b"#if\n",
        b'm.def("f(Tensor x) -> Tensor", &f);\n',
        b"m.impl(f, &g);\n",
        b'a = "x";',
        b"(",
    ],
)
def test_time_grows_with_the_length_alone(tmp_path, piece):
    def seconds(size: int) -> float:
        (tmp_path / "a.cpp").write_bytes(b"TORCH_LIBRARY(a, m) { " + piece * (size // len(piece)))
        start = time.process_time()
        read_native([tmp_path / "a.cpp"])
        return time.process_time() - start

    seconds(1000)
    assert seconds(160_000) < 30 * max(seconds(20_000), 0.03)  # 8 times as long; the square would be 64 times
