"""Operators, kernels and bindings of small native sources."""

from textwrap import dedent

import pytest

from compile_lint.customops.native import NativeClass, NativeError, NativeModule, NativeSide, read_native


@pytest.fixture
def read(tmp_path):
    def of(**files: str) -> NativeSide:
        for name, text in files.items():
            (tmp_path / f"{name}.cpp").write_text(dedent(text))
        return read_native(sorted(tmp_path.glob("*.cpp")))

    return of


def schemas(side: NativeSide) -> dict[str, str]:
    return {f"{one.name}.{one.overload}".rstrip("."): one.schema for one in side.operators}


def kernels(side: NativeSide) -> dict[str, list[tuple[str, str]]]:
    return {one.name: [(kernel.key, kernel.function) for kernel in one.kernels] for one in side.operators}


def test_definition_in_one_file_and_kernels_in_another(read):
    side = read(
        a="""\
        TORCH_LIBRARY(vis, m) {
          m.def("nms(Tensor boxes, "
                "float t) -> Tensor");
        }
        """,
        b="""\
        TORCH_LIBRARY_IMPL(vis, CPU, m) { m.impl("nms", TORCH_FN(nms_cpu)); }
        TORCH_LIBRARY_IMPL(vis, Meta, m) {
          m.impl(TORCH_SELECTIVE_NAME("vis::nms"), &nms_meta);
        }
        """,
    )
    (nms,) = side.operators
    assert (nms.name, nms.overload, nms.line, nms.declared_by) == ("vis::nms", "", 2, "TORCH_LIBRARY")
    assert nms.path.endswith("a.cpp")
    assert nms.schema == "nms(Tensor boxes, float t) -> Tensor"
    assert nms.keys == ("CPU", "Meta")
    assert [(one.function, one.line) for one in nms.kernels] == [("TORCH_FN(nms_cpu)", 1), ("&nms_meta", 3)]
    assert side.errors == ()


@pytest.mark.parametrize(
    ("statement", "schema"),
    [
        ('m.def("f(Tensor x) -> Tensor");', "f(Tensor x) -> Tensor"),
        ('m.def("v::f(Tensor x) -> Tensor");', "v::f(Tensor x) -> Tensor"),
        ('m.def(R"(f(Tensor x) -> Tensor)");', "f(Tensor x) -> Tensor"),
        ('m.def(R"__(f(Tensor x)\n   -> Tensor)__");', "f(Tensor x)\n   -> Tensor"),
        ('m.def(TORCH_SELECTIVE_SCHEMA("v::f(Tensor x) -> Tensor"));', "v::f(Tensor x) -> Tensor"),
        ('m.def(torch::schema("f(Tensor x) -> ()", c10::AliasAnalysisKind::FROM_SCHEMA));', "f(Tensor x) -> ()"),
        ('m.def("f(Tensor x) -> Tensor", {at::Tag::pt2_compliant_tag});', "f(Tensor x) -> Tensor"),
        ('m.def("f(str s=\\"a\\") -> ()");', 'f(str s="a") -> ()'),
        ('m.def("f(Tensor x" /* y */ ", int i"\n// z\n") -> ()");', "f(Tensor x, int i) -> ()"),
        ('m.def("f(" ARGS ") -> Tensor");', "f(ARGS) -> Tensor"),
        ('m.def("f", &f);', ""),
    ],
)
def test_forms_of_schemas(read, statement, schema):
    side = read(a=f"TORCH_LIBRARY(v, m) {{\n{statement}\n}}\n")
    assert schemas(side) == {"v::f": schema}
    assert side.errors == ()


def test_pybind_classes_and_old_registrations(read):
    side = read(
        a="""\
        static auto registry = torch::RegisterOperators()
            .op("old::a", &a)
            .op("old::b(Tensor x) -> Tensor", torch::RegisterOperators::options()
                .kernel<decltype(b), &b>(c10::DispatchKey::CPU));
        PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
          m.def("forward", &forward, "Forward");
          m.def("backward", &backward);
        }
        static auto box = torch::class_<Box>("vis", "Box").def(torch::init<>()).def("area", &Box::area);
        """
    )
    path = side.operators[0].path
    assert schemas(side) == {"old::a": "", "old::b": "old::b(Tensor x) -> Tensor"}
    assert [one.line for one in side.operators] == [2, 3]
    assert kernels(side) == {"old::a": [("CompositeImplicitAutograd", "&a")], "old::b": [("CPU", "&b")]}
    assert side.modules == (NativeModule("TORCH_EXTENSION_NAME", (("forward", 6), ("backward", 7)), path, 5),)
    assert side.classes == (NativeClass("vis::Box", path, 9, ("area",)),)


def test_what_is_registered_at_run_time_is_told(read):
    side = read(a="TORCH_LIBRARY(v, m) {\n  for (auto& s : all) {\n    m.def(s);\n  }\n}\n")
    assert side.operators == ()
    ((path, line, message),) = side.errors
    assert isinstance(side.errors[0], NativeError)
    assert (path[-5:], line) == ("a.cpp", 3)
    assert message == "`def` of an operator whose name is made at run time, `s`; it is not listed"


@pytest.mark.parametrize(
    ("statement", "key", "function"),
    [
        ('m.impl("f", &f);', "CompositeImplicitAutograd", "&f"),
        ('m.impl("f", torch::dispatch(c10::DispatchKey::CPU, TORCH_FN(f)));', "CPU", None),
        ('m.impl("f", torch::dispatch(torch::kCUDA, f));', "CUDA", None),
        ('m.impl("f", c10::DispatchKey::Meta, TORCH_FN(f));', "Meta", "TORCH_FN(f)"),
        ('m.impl("f", torch::kCPU, &f);', "CPU", "&f"),
        ('m.impl("f", TORCH_BOX(&f));', "CompositeImplicitAutograd", "TORCH_BOX(&f)"),
        ('m.impl("v::f", torch::CppFunction::makeFallthrough());', "CompositeImplicitAutograd", None),
        ('m.impl("f", [](const Tensor& x) { return x; });', "CompositeImplicitAutograd", "[](const Tensor& x) {...}"),
    ],
)
def test_keys_of_kernels(read, statement, key, function):
    ((kernel,),) = [one.kernels for one in read(a=f"TORCH_LIBRARY(v, m) {{\n{statement}\n}}\n").operators]
    assert kernel.key == key
    if function is not None:
        assert kernel.function == function


@pytest.mark.parametrize(
    ("macro", "declared_by", "key"),
    [
        ("TORCH_LIBRARY(v, m)", "TORCH_LIBRARY", "CompositeImplicitAutograd"),
        ("TORCH_LIBRARY_FRAGMENT(v, m)", "TORCH_LIBRARY_FRAGMENT", "CompositeImplicitAutograd"),
        ("STABLE_TORCH_LIBRARY(v, m)", "STABLE_TORCH_LIBRARY", "CompositeImplicitAutograd"),
        ("TORCH_LIBRARY_EXPAND(v, m)", "TORCH_LIBRARY", "CompositeImplicitAutograd"),
        ("TORCH_LIBRARY_IMPL(v, Autograd, m)", "", "Autograd"),
        ("STABLE_TORCH_LIBRARY_IMPL(v, CompositeExplicitAutograd, m)", "", "CompositeExplicitAutograd"),
        ("TORCH_LIBRARY_IMPL(v, CatchAll, m)", "", "CompositeImplicitAutograd"),
    ],
)
def test_blocks(read, macro, declared_by, key):
    call = 'm.def("f(Tensor x) -> Tensor", &f);' if declared_by else 'm.impl("f", &f);'
    (one,) = read(a=f"{macro} {{ {call} }}\n").operators
    assert (one.name, one.declared_by, one.keys) == ("v::f", declared_by, (key,))


def test_branches_define_one_operator(read):
    side = read(
        a="""\
        TORCH_LIBRARY(v, m) {
        #ifdef USE_ROCM
          m.def("f(Tensor x) -> Tensor");
        #else
          m.def("f(Tensor x, int n) -> Tensor");
        #endif
          m.def(
              "g(Tensor x"
        #if NEW
              ", int a) -> Tensor"
        #else
              ") -> Tensor"
        #endif
              );
        }
        """
    )
    f, g = side.operators
    assert (f.line, f.others, f.schema) == (3, ((f.path, 5),), "f(Tensor x) -> Tensor")
    assert f.note == f"defined with another schema at {f.path}:5"
    assert g.schema == "g(Tensor x, int a) -> Tensor"


def test_macros_of_a_project(read):
    side = read(
        a="""\
        #define PASTE_(a, b) a##b
        #define PASTE(a, b) PASTE_(a, b)
        #define ON_CUDA(name, fn) m.impl(name, torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(fn)))
        #define UNARY(name) \\
          m.def(#name "(Tensor x) -> Tensor"); \\
          m.impl(#name, &name##_any)
        """,
        b="""\
        TORCH_LIBRARY(PASTE(vis, _ops), m) {
          UNARY(sin);
          UNARY(cos);
          ON_CUDA("sin", sin_cuda);
        }
        """,
    )
    assert schemas(side) == {"vis_ops::cos": "cos(Tensor x) -> Tensor", "vis_ops::sin": "sin(Tensor x) -> Tensor"}
    assert [one.line for one in side.operators] == [3, 2]
    assert kernels(side)["vis_ops::sin"] == [
        ("CompositeImplicitAutograd", "&sin_any"),
        ("CUDA", "torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(sin_cuda))"),
    ]


def test_a_library_handed_to_functions_of_other_files(read):
    side = read(
        a="void more(torch::Library& m);\nTORCH_LIBRARY(v, lib) { more(lib); }\n",
        b="void most(torch::Library& l);\nvoid more(torch::Library& m) { most(m); }\n",
        c='void most(torch::Library& l) {\n  l.def("f(Tensor x) -> ()");\n}\n',
        d='void lone(torch::Library& l) {\n  l.def("g(Tensor x) -> ()");\n}\n',
    )
    assert schemas(side) == {"v::f": "f(Tensor x) -> ()"}
    ((path, line, message),) = side.errors
    assert (path[-5:], line) == ("d.cpp", 2)
    assert message == "`def` of `g` in `lone`, which no TORCH_LIBRARY block is seen to call; it is not listed"


def test_what_stands_in_comments_and_strings_registers_nothing(read):
    text = 'TORCH_LIBRARY(v, m) {\n// m.def("a() -> ()");\n/* m.def("b() -> ()"); */ auto s = "m.def(\\"c\\")";\n}\n'
    assert read(a=text) == NativeSide()


def test_names_that_the_preprocessor_makes_are_told(read):
    side = read(
        a="""\
        static const char* kSchema = "f(Tensor x)"
                                     " -> Tensor";
        TORCH_LIBRARY(TORCH_EXTENSION_NAME, ops) {
          ops.def(kSchema);
          ops.def(PREFIX "g(Tensor x) -> Tensor");
        }
        """
    )
    f, g = side.operators
    assert (f.name, f.schema) == ("TORCH_EXTENSION_NAME::PREFIXg", "PREFIXg(Tensor x) -> Tensor")
    assert f.note == "`PREFIX` is kept as text"
    assert (g.name, g.schema) == ("TORCH_EXTENSION_NAME::f", "f(Tensor x) -> Tensor")
    assert g.note == "`TORCH_EXTENSION_NAME` is kept as text"


def test_python_module_holds_for_what_follows_in_its_block(read):
    side = read(
        a="""\
        TORCH_LIBRARY(v, m) {
          m.def("a(Tensor x) -> Tensor");
          m.set_python_module("v.fakes");
          m.def("b(Tensor x) -> Tensor");
        }
        TORCH_LIBRARY_FRAGMENT(v, m) {
          m.impl_abstract_pystub("v.older", "//v:older");
          m.def("c(Tensor x) -> Tensor");
        }
        """
    )
    assert [one.python_module for one in side.operators] == ["", "v.fakes", "v.older"]


def test_kernels_that_touch_memory(read):
    side = read(
        a="""\
        namespace {
        template <typename T>
        Tensor reads(const Tensor& x) {
          kernel<<<1, 1>>>(x.data_ptr<float>());
          return x;
        }
        Tensor plain(const Tensor& x) { return x + 1; }
        }
        TORCH_LIBRARY(v, m) {
          m.impl("a", TORCH_FN(reads));
          m.impl("b", &plain);
          m.impl("c", &elsewhere);
          m.impl("d", [](const Tensor& x) { return x.item<int>(); });
          m.impl("e", &reads<float>);
        }
        """
    )
    assert {one.name: one.kernels[0].touches_memory for one in side.operators} == {
        "v::a": True,
        "v::b": False,
        "v::c": False,
        "v::d": True,
        "v::e": True,
    }


def test_classes_and_submodules(read):
    side = read(
        a="""\
        TORCH_LIBRARY(v, m) {
          m.class_<Box>("Box").def(torch::init<>()).def("area", &Box::area);
        }
        void bind(py::module& m) {
          auto sub = m.def_submodule("math");
          sub.def("add", &add);
        }
        PYBIND11_MODULE(ext, m) { bind(m); py::class_<P>(m, "P").def("x", &P::x); }
        """
    )
    path = side.classes[0].path
    assert side.classes == (NativeClass("v::Box", path, 2, ("area",)),)
    assert side.modules == (NativeModule("ext", (), path, 8), NativeModule("ext.math", (("add", 6),), path, 6))
    assert side.operators == ()
