"""The count of `m.def` in packages' sources: each is in the inventory, or said to be left out and why."""

import importlib.util
import sys
from pathlib import Path

SPEC = importlib.util.spec_from_file_location("native_ops", Path(__file__).with_name("native_ops.py"))
native_ops = importlib.util.module_from_spec(SPEC)
sys.modules["native_ops"] = native_ops  # dataclasses look their module up
SPEC.loader.exec_module(native_ops)

SOURCE = """\
#define ADD(name) m.def(#name "(Tensor x) -> Tensor")
TORCH_LIBRARY(v, m) {
  m.def("f(Tensor x) -> Tensor");
  // m.def("g(Tensor x) -> Tensor");
  for (auto name : names) m.def(name);
  ADD(h);
}
PYBIND11_MODULE(ext, m) { m.def("bound", &bound); }
void other(Registry& m) { m.def("not torch's"); }
"""


def test_where_each_definition_went(tmp_path):
    (tmp_path / "a.cpp").write_text(SOURCE)
    found = native_ops.measure(tmp_path)
    assert dict(found.went) == {"macro": 1, "operators": 1, "comment": 1, "error": 1, "bound": 1, "missing": 1}
    assert found.missing == ["a.cpp:9"]
    assert [one.name for one in found.side.operators] == ["v::f", "v::h"]
    assert not found.good


def test_a_package_that_is_read_whole_is_good(tmp_path):
    (tmp_path / "a.cu").write_text(SOURCE.rpartition("void other")[0])
    found = native_ops.measure(tmp_path)
    assert (found.files, found.missing, found.good) == (1, [], True)
