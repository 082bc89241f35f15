"""What differs between eager and compiled."""

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

WHERE = "torch.compiler.is_compiling()"


def test_equal_results_name_the_tolerance(observing):
    seen = observing("def fn(x):\n    return {'a': x.double(), 'b': [x, (x > 0)]}\n")
    assert seen.same_result is True
    assert seen.differences == ()
    assert seen.tolerance == "float32: rtol 1.3e-06, atol 1e-05; float64: rtol 1e-07, atol 1e-07; bool: equal"


def test_other_numbers_are_counted(observing):
    seen = observing(f"def fn(x):\n    return [x, x + (0.5 if {WHERE} else 0)]\n")
    assert seen.same_result is False
    assert seen.differences == ("call 0: the result[1] differs in 16 of 16 elements, by up to 0.5",)


def test_data_classes_and_numbers_are_compared(observing):
    source = (
        "import dataclasses\n"
        "@dataclasses.dataclass\n"
        "class Output:\n"
        "    logits: torch.Tensor\n"
        "    count: int\n"
        "def fn(x):\n"
        f"    return Output(x + 1, 2 if {WHERE} else 1)\n"
    )
    assert observing(source).differences == ("call 0: the result.count is 1 in eager and 2 compiled",)


def test_another_shape_is_told(observing):
    seen = observing(f"def fn(x):\n    return x[:2] if {WHERE} else x\n")
    assert seen.differences == ("call 0: the result has shape (4, 4) in eager and (2, 4) compiled",)


def test_inputs_that_are_changed_are_compared(observing):
    seen = observing(
        f"def fn(x, y):\n    if not {WHERE}:\n        x.add_(1)\n    return y * 2\n", "[(torch.ones(2), torch.ones(2))]"
    )
    assert seen.differences == ("call 0: input x was changed by the eager call only",)
    assert observing("def fn(x):\n    x.add_(1)\n    return x * 2\n").same_result is True


def test_the_state_of_the_module_is_compared(observing):
    source = (
        "class M(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.register_buffer('seen', torch.zeros(1))\n"
        "        self.norm = torch.nn.BatchNorm1d(4)\n"
        "        self.mode = 'none'\n"
        "    def forward(self, x):\n"
        f"        if {WHERE}:\n"
        "            self.seen += 1\n"
        "            self.mode = 'compiled'\n"
        "        return self.norm(x)\n"
        "def make():\n"
        "    return M()\n"
    )
    assert set(observing(source).differences) == {
        "after all calls: attribute seen was changed by the compiled call only",
        "after all calls: attribute mode was changed by the compiled call only",
    }


def test_random_numbers_are_the_same_in_both(observing):
    source = "import random\ndef fn(x):\n    return torch.nn.functional.dropout(x) + torch.randn(4)\n"
    assert observing(source, "[(torch.ones(4),)] * 2").same_result is True


def test_objects_whose_code_raises_count_by_their_type(observing):
    source = (
        "import collections\n"
        "class Odd(dict):\n"
        "    def items(self):\n"
        "        raise RuntimeError\n"
        "def fn(x):\n"
        "    x = x + 1\n"
        "    print(end='')\n"
        "    return Odd(), collections.namedtuple('P', 'a b')(x, x.to_sparse()), x.numpy()\n"
    )
    assert observing(source).same_result is True
