"""Tensors that keep their value while tracing: one number, made of Python numbers.

A fake tensor made by `torch.tensor` of one number carries that number along, and so does what is computed from such
tensors alone (measured on 2.13.0 and 2.14.1: `x.topk(torch.tensor(3) // 2)`, `x.view(torch.tensor([-1]).tolist())`
and `x[torch.tensor(1)]` do not break; with two elements, with a factory such as `torch.ones(())`, and with a size
that is dynamic they do). `.item()`, `int()` and a branch break all the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from compile_lint.inference.values import (
    CERTAIN,
    KNOWN,
    PERHAPS,
    POSSIBLE,
    Const,
    Py,
    Seq,
    Size,
    Sym,
    Tensor,
    Unknown,
    Value,
)

MADE = (KNOWN, PERHAPS)


def of_data(value: Value | None) -> str:
    """How a tensor of this Python data is made."""
    if isinstance(value, Seq):
        if value.items is None:
            return PERHAPS if of_data(value.elem) in MADE else "computed"
        return of_data(value.items[0]) if len(value.items) == 1 else "computed"
    if isinstance(value, Tensor):
        return value.made
    if isinstance(value, Const):
        return KNOWN if isinstance(value.value, (int, float)) else "computed"
    if isinstance(value, Py):
        return PERHAPS if value.type in ("int", "float", "bool") else "computed"
    return PERHAPS if isinstance(value, (Sym, Size, Unknown)) else "computed"


def of_operands(values: Iterable[Value | None]) -> str:
    """How the result of an operation on these is made: known where every tensor among them is."""
    found = ""
    for value in values:
        kind = type(value)
        way = value.made if kind is Tensor else _way(value) if kind is Seq else ""  # type: ignore[union-attr, arg-type]
        if way and way not in MADE:
            return "computed"
        found = PERHAPS if PERHAPS in (way, found) else way or found
    return found or "computed"


def surely_read(tensor: Tensor) -> int | None:
    """How sure a break is where tracing needs the number in a tensor; None where it knows the number."""
    return None if tensor.made == KNOWN else POSSIBLE if tensor.made == PERHAPS else CERTAIN


def surely_needed(tensor: Tensor) -> int | None:
    """The same where an operator needs the number: an input of the graph can stand there.

    Buffers and other attributes are inputs, unless the call has assigned to them (measured: `x.topk(self.k)` does not
    break, `x.topk(self.k + 1)` does).
    """
    if tensor.made == "input":
        return None
    return POSSIBLE if tensor.made == "attribute" else surely_read(tensor)


def _way(value: Seq) -> str:
    """How the tensors of a sequence are made, the one least known deciding; empty where it holds none."""
    ways = {e.made for e in (value.items or (value.elem,)) if isinstance(e, Tensor)}
    if not ways:
        return ""
    joined = value.items is not None and len(value.items) > 1 and ways == {KNOWN}
    if joined or not ways.issubset(MADE):
        return "computed"  # two numbers that are joined are no single one
    return PERHAPS if PERHAPS in ways else KNOWN
