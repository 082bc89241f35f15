"""What calling a custom operator does under torch.compile, from what its file declares of it.

Each event was measured on torch 2.13 by the examples of the rule that answers to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from compile_lint.customops.body import Body
from compile_lint.customops.declared import COMPOSITE, Operator
from compile_lint.customops.promise import difference
from compile_lint.customops.reads import reads_data, touches_memory
from compile_lint.customops.signature import Signature, signature
from compile_lint.project.modules import FunctionNode, own_nodes


@dataclass(frozen=True, slots=True)
class Verdict:
    """The event that a call causes. `likely`: for some inputs only."""

    event: str
    ids: tuple[str, ...] = ()
    needs: str = ""
    splits: bool = True
    likely: bool = False


_NO_FIT = ("GB0112",)
"""The id of a graph break where calling a kernel with fake tensors is a TypeError."""


def verdict(operator: Operator) -> Verdict | None:
    """The event of a call; None where nothing speaks against it."""
    takes = signature(operator)
    return _number(operator) or _traced(operator, takes) or _silent(operator, takes)


def _number(operator: Operator) -> Verdict | None:
    """A number cannot be an output of a graph's operation; a float is taken for a constant."""
    if not operator.returns_number or not (operator.custom or operator.fakes or _composite(operator)):
        return None
    if operator.returns == "float" and operator.fakes:
        return Verdict("op-returns-float", splits=False)
    if operator.custom and not operator.fakes:
        return Verdict("op-no-fake", ("GB4315",))
    return Verdict("op-returns-number", ("GB0208",))


def _traced(operator: Operator, takes: Signature | None) -> Verdict | None:
    """What goes wrong where the operator is run with fake tensors."""
    composite = _composite(operator)
    if composite and not operator.fakes:
        return _of_composite(operator, composite, takes)
    if not operator.fakes:
        return _without_fake(operator, takes)
    found = (_of_fake(operator, fake, takes) for fake in operator.fakes if fake is not None)
    return next((one for one in found if one is not None), None)


def _composite(operator: Operator) -> list[FunctionNode | None]:
    return [operator.kernels[key] for key in operator.kernels if key in COMPOSITE]


def _of_composite(operator: Operator, kernels: list[FunctionNode | None], takes: Signature | None) -> Verdict | None:
    for kernel in kernels:
        if kernel is None:
            continue
        if touches_memory(kernel, operator.helpers):
            return Verdict("op-composite-touches-memory", ("GB4315",))
        if takes is not None and takes.misfit(kernel):
            return Verdict("op-kernel-misfit", _NO_FIT)
        if reads_data(kernel, operator.helpers, _tensors(takes, kernel)):
            return Verdict("op-composite-reads-data", ("GB0033", "GB0090", "GB4315"))
    return None


def _without_fake(operator: Operator, takes: Signature | None) -> Verdict | None:
    mutates = takes is None or any(one.mutated for one in takes.parameters)
    if operator.returns_nothing and mutates:
        return None
    if operator.custom:
        return Verdict("op-no-fake", ("GB4315",)) if operator.returns else None
    return Verdict("op-no-meta", ("GB0090",)) if operator.schema else None


def _of_fake(operator: Operator, fake: FunctionNode, takes: Signature | None) -> Verdict | None:
    raised = _only_raises(fake)
    if raised:
        return Verdict("op-fake-raises", ("GB0087",)) if raised == "NotImplementedError" else Verdict("op-fake-fails")
    if touches_memory(fake, operator.helpers):
        return Verdict("op-fake-touches-memory", ("GB4315",))
    if any(isinstance(n, ast.Attribute) and n.attr == "new_dynamic_size" for n in own_nodes(fake)):
        return Verdict("op-dynamic-size", ("GB0036",), "capture_dynamic_output_shape_ops")
    if reads_data(fake, operator.helpers, _tensors(takes, fake)):
        return Verdict("op-fake-reads-data", ("GB0033",))
    if takes is None:
        return None
    if takes.misfit(fake):
        return Verdict("op-kernel-misfit", _NO_FIT)
    return _counted(takes, fake)


def _only_raises(fake: FunctionNode) -> str:
    """The name of the exception that a fake kernel raises whatever it is given; empty for any other."""
    body = [] if isinstance(fake, ast.Lambda) else fake.body
    last = body[-1] if body else None
    if not isinstance(last, ast.Raise) or last.exc is None:
        return ""
    if any(not isinstance(one, (ast.Expr, ast.Assign, ast.AnnAssign)) for one in body[:-1]):
        return ""
    raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
    return ast.unparse(raised)


def _counted(takes: Signature, fake: FunctionNode) -> Verdict | None:
    """A fake that returns another number of values than the schema says."""
    if isinstance(fake, ast.Lambda):
        values: list[ast.expr | None] = [fake.body]
    else:
        nodes = list(own_nodes(fake))
        if any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Raise)) for n in nodes):
            return None
        values = [n.value for n in nodes if isinstance(n, ast.Return)] or [None]
    counts = {_count(value) for value in values}
    if takes.returned is None or len(counts) != 1:
        return None
    (count,) = counts
    if count is None or count == takes.returned:
        return None
    if takes.returned == 1 and count == 0:
        return Verdict("op-kernel-misfit", ("GB0088",))
    return Verdict("op-fake-count", ("GB4315",))


def _count(value: ast.expr | None) -> int | None:
    """How many values an expression returns; None where that is not seen."""
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return 0
    if isinstance(value, ast.Tuple):
        return None if any(isinstance(part, ast.Starred) for part in value.elts) else len(value.elts)
    makes = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
    return 1 if makes and isinstance(value, ast.Call) and _makes_one(value.func) else None


def _makes_one(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and (
        function.attr.startswith("new_")
        or function.attr in ("empty", "empty_like", "zeros", "zeros_like", "empty_strided")
    )


def _tensors(takes: Signature | None, node: FunctionNode) -> set[str]:
    """A kernel's own names of its arguments that are tensors."""
    if takes is None:
        return set()
    return {name for name, one in takes.at(node).items() if one.tensor and not one.many}


def _silent(operator: Operator, takes: Signature | None) -> Verdict | None:
    """Mistakes that no tracing sees: wrong results, or an error of the operator itself or of a backend."""
    if takes is None:
        return None
    implicit = "CompositeImplicitAutograd" in operator.kernels
    if takes.aliases and not operator.custom and not implicit:
        return Verdict("op-alias-annotated", splits=False)
    if not implicit and any(takes.misfit(kernel) for kernel in _kernels(operator)):
        return Verdict("op-schema-refused", splits=False)
    found = [_of_kernel(operator, kernel, takes) for kernel in _kernels(operator)] if not implicit else []
    first = next((one for one in found if one is not None), None)
    if first is not None:
        return first
    fake = next((f for f in operator.fakes if f is not None), None)
    if fake is not None and any(difference(kernel, fake) for kernel in _kernels(operator)):
        return Verdict("op-fake-differs", splits=False)
    return None


def _kernels(operator: Operator) -> Iterator[FunctionNode]:
    """The functions that run with real tensors."""
    if operator.function is not None and not operator.traced:
        yield operator.function
    yield from operator.variants
    for key, kernel in operator.kernels.items():
        if key != "Meta" and not key.startswith("Autograd") and kernel is not None and kernel not in operator.fakes:
            yield kernel


def _of_kernel(operator: Operator, kernel: FunctionNode, takes: Signature) -> Verdict | None:
    known = takes.at(kernel)
    tensors = {name for name, one in known.items() if one.tensor}
    if not tensors:
        return None
    body = Body(kernel, operator.helpers, tensors, {name for name, one in known.items() if one.many})
    if any(not known[name].mutated for name in body.written):
        return Verdict("op-undeclared-mutation", splits=False)
    alone = {name for name in (body.returned | body.perhaps_returned) if not known[name].many}
    if alone or (body.doubled and operator.custom):
        sure = operator.custom and (body.doubled or alone & body.returned)
        return Verdict("op-returns-alias", splits=False, likely=not sure)
    return None


def mutated_by(node: FunctionNode) -> set[str]:
    """The arguments that a kernel changes in place: `x.mul_(2)`, `x[...] = y`, `torch.add(a, b, out=x)`."""
    return Body(node, {}).written


def returned_by(node: FunctionNode) -> set[str]:
    """The arguments that a kernel returns as they are, or a view of."""
    return Body(node, {}).returned
