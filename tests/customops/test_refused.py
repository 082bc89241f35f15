"""What the linter says torch refuses, torch refuses."""

import pytest

from compile_lint.customops.signature import schema_error

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("text", ["f(Tensor x, Array k) -> Tensor", "f(Tensor x)", "f(Tensor x, float) -> Tensor"])
def test_torch_refuses_the_schema(text):
    assert schema_error(text)
    with pytest.raises(RuntimeError):
        torch.library.Library("refused", "FRAGMENT").define(text)


@pytest.mark.parametrize("text", ["(Tensor x, float k=2.0) -> Tensor", "g(Tensor(a!)[] xs) -> ()"])
def test_torch_takes_the_schema(text):
    assert schema_error(text) == ""
    if not text.startswith("("):
        torch.library.Library("refused", "FRAGMENT").define(text)


def test_an_argument_without_annotation_is_refused():
    with pytest.raises(ValueError, match="must have a type annotation"):

        @torch.library.custom_op("refused::scale", mutates_args=())
        def scale(x: torch.Tensor, k) -> torch.Tensor:
            return x * k
