"""How calls are made, changed and judged; the few compilations here stand for thousands."""

from __future__ import annotations

# ruff: noqa: E402 - what follows the check for torch imports it
import pytest

torch = pytest.importorskip("torch")

from compile_lint.confirm.probe import eager
from compile_lint.confirm.probe.catalogue import TABLES, split
from compile_lint.confirm.probe.danger import dangerous
from compile_lint.confirm.probe.kinds import kind
from compile_lint.confirm.probe.overrides import CALLS, FORMS
from compile_lint.confirm.probe.snippet import Snippet, source
from compile_lint.confirm.probe.target import Target
from compile_lint.confirm.probe.values import INSIDE
from compile_lint.confirm.probe.variants import numbers, variants


def target(name: str, method: bool = False) -> Target:
    value: object = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return Target("torch", name, name, "torch", value, method=method)


@pytest.mark.parametrize("name", INSIDE)
def test_values_work_eagerly(name: str) -> None:
    assert eager.run(Snippet(name)) is not None


def test_hand_written_calls_are_python() -> None:
    for name, calls in CALLS.items():
        for call in calls:
            compile(source(call if isinstance(call, Snippet) else Snippet(call)), name, "exec")
    for name, forms in FORMS.items():
        for _, call in forms:
            compile(source(Snippet(call)), name, "exec")


def test_numbers_are_replaced_one_at_a_time() -> None:
    found = list(numbers("torch.topk(y, 2, dim=-1)", target("torch.topk")))
    assert [(n.argument, n.value, n.call) for n in found] == [
        ("1:k", 2, "torch.topk(y, q, dim=-1)"),
        ("2:dim", -1, "torch.topk(y, 2, dim=q)"),
    ]


def test_numbers_are_found_in_tuples_and_positions_of_methods_start_at_zero() -> None:
    found = list(numbers("y.new_full((4, 4), 2)", target("torch.Tensor.new_full", method=True)))
    assert [(n.argument, n.call) for n in found] == [
        ("0:size", "y.new_full((q, 4), 2)"),
        ("1:fill_value", "y.new_full((4, 4), q)"),
    ]


def test_variants_give_and_leave_out_arguments() -> None:
    found = {v.when: v.call for v in variants("F.one_hot(i, 4)", target("torch.nn.functional.one_hot"))}
    assert found["1:num_classes=absent"] == "F.one_hot(i)"
    longer = [(v.when, v.call) for v in variants("torch.max(y)", target("torch.max"))]
    assert ("1:dim=present", "torch.max(y, 0)") in longer
    assert ("1:other=tensor", "torch.max(y, y2)") in longer


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (torch.ones(2), "tensor"),
        (torch.tensor(1), "tensor:int/0"),
        (torch.ones(2) > 0, "tensor:bool"),
        (torch.ones(2, 2).max(0), "tuple[tensor,tensor:int]"),
        (torch.ones(8).split(1), "tuple[tensor,...]"),
        (torch.ones(2).shape, "ints"),
        ([1, 2], "list[int]"),
        (True, "bool"),
        (None, "none"),
        (torch.nn.ReLU(), "module"),
        (torch.float32, "dtype"),
        (object(), "object"),
    ],
)
def test_kinds(value: object, name: str) -> None:
    assert kind(value) == name


@pytest.mark.parametrize(
    "name", ["os._exit", "os.execv", "sys.settrace", "signal.alarm", "time.clock_settime", "builtins.quit"]
)
def test_the_dangerous_are_not_run(name: str) -> None:
    assert dangerous(name)
    assert not any(name == t.name for table in ("builtins", "stdlib") for t in split(table)[0])


def test_every_table_has_targets_with_names_of_their_own() -> None:
    names = [t.name for table in TABLES if table != "scipy" for t in split(table)[0]]
    assert len(names) == len(set(names))
