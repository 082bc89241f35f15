"""Schemas that torch infers of C++ functions, as the inventory shows them."""

import json

import pytest

from compile_lint.cli.main import main

pytest.importorskip("tree_sitter_cpp")

FUNCTIONS = {
    "torch::Tensor f(const torch::Tensor& x, int64_t n)": "old::f(Tensor _0, int _1) -> Tensor",
    "at::Tensor f(at::Tensor x, c10::optional<at::Tensor> w, bool b)": (
        "old::f(Tensor _0, Tensor? _1, bool _2) -> Tensor"
    ),
    "std::tuple<torch::Tensor, torch::Tensor>\nf(torch::Tensor x, double p)": (
        "old::f(Tensor _0, float _1) -> (Tensor, Tensor)"
    ),
    "std::vector<torch::Tensor> f(std::vector<int64_t> n, std::string name)": "old::f(int[] _0, str _1) -> Tensor[]",
    "MY_API void f(torch::TensorList xs, at::IntArrayRef n, std::optional<int64_t> d)": (
        "old::f(Tensor[] _0, int[] _1, int? _2) -> ()"
    ),
    "torch::Tensor f(Handle* handle)": "",
    "torch::Tensor f(c10::Dict<std::string, int64_t> sizes)": "",
}


@pytest.mark.parametrize(("signature", "schema"), FUNCTIONS.items())
@pytest.mark.parametrize("apart", [False, True])
def test_functions(tmp_path, monkeypatch, capsys, signature, schema, apart):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.cpp").write_text(
        ("" if apart else f"{signature} {{\n  return g();\n}}\n")
        + 'static auto r = torch::RegisterOperators().op("old::f", &f);\n'
    )
    (tmp_path / "two.cpp").write_text(f"{signature} {{\n  return g();\n}}\n" if apart else "")
    with pytest.raises(SystemExit):
        main(["ops", "--isolated", "--format", "json", "."])
    (found,) = json.loads(capsys.readouterr().out)["operators"]
    assert (found["name"], found["schema"]) == ("old::f", schema)
