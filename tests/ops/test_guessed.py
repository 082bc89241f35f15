"""Schemas for native code that is no operator yet."""

import pytest

from compile_lint.ops.guessed import of_call, of_signature

SIGNATURES = {
    "MYLIB_API torch::Tensor\nf(torch::Tensor x, torch::optional<int64_t> size) {": (
        "n::f(Tensor x, int? size) -> Tensor"
    ),
    "torch::Tensor f(const torch::Tensor& x, int64_t k, double s, bool b) {": (
        "n::f(Tensor x, int k, float s, bool b) -> Tensor"
    ),
    "std::tuple<at::Tensor, at::Tensor> f(at::Tensor x, c10::optional<at::Tensor> w = c10::nullopt);": (
        "n::f(Tensor x, Tensor? w) -> (Tensor, Tensor)"
    ),
    "static std::vector<Tensor>\nf(at::TensorList xs, at::IntArrayRef sizes, std::string mode)\n{": (
        "n::f(Tensor[] xs, int[] sizes, str mode) -> Tensor[]"
    ),
    "template <typename T, std::vector<T> v>\nTensor f(Tensor x) {": "n::f(Tensor x) -> Tensor",
    "void f(const torch::Tensor& x, torch::Tensor& out, int n) {": "n::f(Tensor x, Tensor(a1!) out, int n) -> ()",
    "void f(torch::Tensor x, torch::Tensor y) {": "n::f(Tensor(a0!) x, Tensor(a1!) y) -> ()",
    "Tensor f(const Tensor& x /* in, out */, // more\n  float eps = 1e-5) {": "n::f(Tensor x, float eps) -> Tensor",
}


@pytest.mark.parametrize("text", SIGNATURES)
def test_a_signature_of_cpp(text):
    assert str(of_signature(text, "&ns::f", "n::f")) == SIGNATURES[text]


@pytest.mark.parametrize(
    "text",
    ["Tensor f(MyStruct s) {", "y = f(x);", "Tensor g(Tensor x) {", "", "Tensor f(Tensor x", "char* f(Tensor x) {"],
)
def test_what_no_schema_can_say(text):
    assert of_signature(text, "f", "n::f") is None


def test_a_call_tells_names_and_the_types_of_literals():
    text = "y = 1\nout = ext.f(x, self.weight, 3, -0.5, 'sum', True, k=None)\n"
    assert str(of_call(text, 2, "ext.f", "n::f")) == (
        "n::f(Tensor x, Tensor weight, int arg2, float arg3, str arg4, bool arg5, Tensor? k) -> Tensor"
    )
    assert str(of_call("ext.f(x, out)\n", 1, "ext.f", "n::f")) == "n::f(Tensor x, Tensor(a1!) out) -> ()"
    assert of_call(text, 1, "ext.f", "n::f") is None
    assert of_call("def (", 1, "ext.f", "n::f") is None
