"""Compilations on later calls. Line 1 of each source is `import torch`."""

import pytest

pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def test_a_size_is_made_dynamic_once(observing):
    seen = observing("def fn(x):\n    return x * 2\n", "[(torch.ones(n, 4),) for n in (2, 3, 5)]")
    (again,) = seen.recompiles
    assert (again.call, again.input, again.automatic_dynamic) == (1, "x.size(0)", True)
    assert again.reason == "x.size(0) was 2 and is now 3"
    assert (again.place.line, again.place.function) == (2, "fn")
    assert not seen.recompile_limit_hit


def test_a_size_that_is_counted_on_compiles_each_time(observing):
    source = "def fn(x):\n    s = 0\n    for i in range(x.shape[0]):\n        s = s + x[i]\n    return s\n"
    seen = observing(source, "[(torch.ones(n, 4),) for n in (2, 3, 5)]")
    assert [(each.call, each.automatic_dynamic) for each in seen.recompiles] == [(1, False), (2, False)]
    assert seen.recompiles[1].reason == "x.size(0) was 3 and is now 5"


def test_an_attribute_of_a_module_is_a_constant(observing):
    source = (
        "class M(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.step = 0\n"
        "    def forward(self, x):\n"
        "        self.step += 1\n"
        "        return x * self.step\n"
        "def make():\n"
        "    return M()\n"
    )
    seen = observing(source, "[(torch.ones(2),)] * 3")
    assert [(each.call, each.input, each.automatic_dynamic) for each in seen.recompiles] == [
        (1, "self.step", False),
        (2, "self.step", False),
    ]
    assert seen.recompiles[0].guard == "self.step == 0"
    assert seen.recompiles[0].guard_place.line == 7
    assert seen.recompiles[0].place.function == "M.forward"
    assert "no longer 0; torch.compile takes integer attributes" in seen.recompiles[0].reason


def test_the_limit_is_told(observing):
    source = "def fn(x, s):\n    return x * len(s)\n"
    seen = observing(source, "[(torch.ones(2), 'a' * n) for n in range(1, 6)]", torch_config={"recompile_limit": 3})
    assert seen.recompile_limit_hit
    assert {each.input for each in seen.recompiles} == {"s"}
    assert seen.compiled_graphs == 3


def test_other_dtypes_and_flags_are_told_in_words(observing):
    source = "def fn(x, flag):\n    return x * 2 if flag is None else x\n"
    calls = "[(torch.ones(2), None), (torch.ones(2, dtype=torch.float64), None), (torch.ones(2), 1)]"
    seen = observing(source, calls)
    assert seen.recompiles[0].reason == "x.dtype was float32 and is now float64"
    assert seen.recompiles[1].call == 2
    assert not any(each.automatic_dynamic for each in seen.recompiles)


def test_dynamic_is_applied(observing):
    calls = "[(torch.ones(n, 4),) for n in (2, 3)]"
    assert observing("def fn(x):\n    return x * 2\n", calls, dynamic=True).recompiles == ()
    (again,) = observing("def fn(x):\n    return x * 2\n", calls, dynamic=False).recompiles
    assert not again.automatic_dynamic


def test_a_number_is_made_dynamic_once(observing):
    for numbers in ("2, 3, 5", "2.5, 3.5, 5.5"):
        (again,) = observing(
            "def fn(x, n):\n    return x * n\n", f"[(torch.ones(2), n) for n in ({numbers})]"
        ).recompiles
        assert (again.input, again.automatic_dynamic, again.guard_place.line) == ("n", True, 3)


def test_a_value_from_before_a_break_is_called_so(observing):
    source = "def fn(x, s):\n    n = len(s) * x.sum().item()\n    return x * n\n"
    seen = observing(source, "[(torch.ones(2), 'a'), (torch.ones(2) * 3, 'a')]")
    assert [each.reason for each in seen.recompiles] == ["a value from before the graph break is no longer 2.0"]
    assert seen.recompiles[0].input == ""
    assert seen.recompiles[0].place.function == "fn"


def test_sizes_that_happen_to_be_equal(observing):
    source = "def fn(x):\n    return x * 2\n"
    (again,) = observing(source, "[(torch.ones(4, 4),), (torch.ones(4, 6),)]", dynamic=True).recompiles
    assert again.reason.endswith("sizes that are equal at first are taken to stay equal")
    assert again.guard in ("x.size()[1] == x.size()[0]", "x.size()[0] == x.size()[1]")
