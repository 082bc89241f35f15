"""What torch.compile makes of an operator, from what is declared of it: as measured on torch 2.13."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compile_lint.customops.declared import COMPOSITE, Operator
from compile_lint.customops.schema import Schema
from compile_lint.customops.verdict import Verdict as Told
from compile_lint.customops.verdict import mutated_by, returned_by, verdict
from compile_lint.ops.model import Verdict
from compile_lint.ops.native import Part
from compile_lint.rulebook.lookup import Rulebook

Judged = tuple[Verdict, str]

_OF_EVENTS: Mapping[str, Judged] = {
    "op-no-fake": (
        "raises",
        "it has no fake kernel, and torch.compile raises where a custom_op has none; register one with register_fake",
    ),
    "op-no-meta": (
        "splits",
        "it returns a tensor and has neither a Meta nor a fake kernel; register one with torch.library.register_fake",
    ),
    "op-returns-number": (
        "splits",
        "it returns a number, which no graph can hold; return a tensor, or compute the number outside",
    ),
    "op-composite-touches-memory": (
        "raises",
        "its composite kernel is traced, and reads memory that fake tensors do not have; register it for CPU or CUDA, "
        "with a fake kernel",
    ),
    "op-fake-touches-memory": (
        "raises",
        "its fake kernel reads memory, which fake tensors do not have; compute only shape, dtype and strides there",
    ),
    "op-fake-reads-data": (
        "splits",
        "its fake kernel reads the values of a tensor; decide by shape and dtype only",
    ),
    "op-dynamic-size": (
        "splits",
        "its output's size depends on data; set torch._dynamo.config.capture_dynamic_output_shape_ops",
    ),
    "op-undeclared-mutation": (
        "risk",
        "its function changes an argument that `mutates_args` does not name; name it there",
    ),
    "op-fake-differs": (
        "risk",
        "its fake kernel promises another dtype, shape or strides than the kernel returns; make both the same",
    ),
}


_BY_SCHEMA = frozenset(("op-alias-annotated", "op-returns-alias"))
"""Events whose verdict also lies in how the operator was made."""
_NONE: Judged = ("unknown", "no rule answers to what is known of it")
OF_KINDS: Mapping[str, Verdict] = {"error": "raises", "wrong": "risk", "break": "splits"}
"""The verdict that a finding of a kind makes."""


def judged(operator: Operator, schema: Schema | None, config: Mapping[str, object], rules: Rulebook) -> Judged:
    """The verdict on an operator that is defined, and the reason.

    Args:
        operator: with all its parts joined.
        schema: None where it cannot be told.
        config: settings of torch that count as made, such as `capture_dynamic_output_shape_ops`.
        rules: those that hold for the target.
    """
    found = verdict(operator)
    if found is not None and found.event in _BY_SCHEMA:
        return (
            _returned(operator, schema) or _aliases(operator, schema) or _of_rule(found, operator.name, rules) or _NONE
        )
    if found is not None and not (found.needs and config.get(found.needs)):
        told = _OF_EVENTS.get(found.event) or _of_rule(found, operator.name, rules)
        if told is not None:
            return told
    return (
        _returned(operator, schema)
        or _returns_nothing(operator, schema)
        or _aliases(operator, schema)
        or _mutations(operator, schema)
        or _without_event(operator, schema)
    )


def judged_native(operator: Operator, parts: Sequence[Part]) -> Judged | None:
    """The verdict that the bodies of C++ kernels make, or that torch infers the schema of a C++ function."""
    touching = {key for part in parts for key in part.touching}
    if "Meta" in touching:
        return _OF_EVENTS["op-fake-touches-memory"]
    if touching & COMPOSITE and not operator.fakes:
        return _OF_EVENTS["op-composite-touches-memory"]
    inferred = any(part.defined and not part.schema for part in parts)
    if inferred and not operator.fakes and set(operator.kernels) <= COMPOSITE:
        words = "its function runs on fake tensors, and raises where it, or what it calls, asks for memory"
        return "unknown", f"{words}; register it for CPU and CUDA, with a fake kernel"
    return None


def _of_rule(found: Told, name: str, rules: Rulebook) -> Judged | None:
    rule = rules.for_event(found.event, name, found.ids)
    if rule is None or rule.kind not in OF_KINDS:
        return None
    return OF_KINDS[rule.kind], f"{rule.summary} ({rule.code})"


def _returned(operator: Operator, schema: Schema | None) -> Judged | None:
    """What no graph can hold as an output, or no backend can."""
    if schema is None or not schema.returns:
        return None
    if not schema.returns_tensor and not operator.custom:
        return _OF_EVENTS["op-returns-number"]
    marked = any(value.type.annotations for value in schema.returns)
    if marked and "CompositeImplicitAutograd" not in operator.kernels:
        words = "its schema says that an output shares memory with an argument, which every backend but eager refuses"
        return "raises", f"{words}; return a new tensor, or nothing where it writes to its argument"
    return None


def _returns_nothing(operator: Operator, schema: Schema | None) -> Judged | None:
    """Torch makes a fake kernel itself where an operator returns nothing and writes to an argument."""
    if operator.fakes or schema is None or schema.returns or schema.mutates or operator.mutates == ("*",):
        return None
    if any(key in COMPOSITE for key in operator.kernels):
        return None
    words = "it returns nothing and declares no argument that it writes to, and so needs a fake kernel; register one"
    return ("raises" if operator.custom else "splits"), words


def _without_event(operator: Operator, schema: Schema | None) -> Judged:
    if operator.traced:
        return "ready", "its function is traced through, and its launches are captured"
    if operator.fakes:
        return "ready", "it has a fake kernel"
    composite = [key for key in operator.kernels if key in COMPOSITE]
    if composite:
        return "ready", f"its {composite[0]} kernel is traced through"
    if operator.returns_nothing or (schema is not None and not schema.returns):
        return "ready", "it returns nothing, and needs no fake kernel"
    return "unknown", "neither its schema nor a fake kernel is in sight"


def _kernels(operator: Operator) -> list[tuple[str, set[str], set[str]]]:
    """Each kernel that is a Python function: its key, the arguments it changes, and those it returns."""
    known = [("", operator.function), *((key, kernel) for key, kernel in operator.kernels.items() if key != "Meta")]
    return [(key, mutated_by(kernel), returned_by(kernel)) for key, kernel in known if kernel is not None]


def _aliases(operator: Operator, schema: Schema | None) -> Judged | None:
    declared = set(schema.aliases) if schema is not None else set()
    for _, _, returned in _kernels(operator):
        for name in sorted(returned - declared):
            if not _is_tensor(schema, name):
                continue
            if operator.custom:
                return "raises", f"it returns its argument `{name}`, which a custom_op may not; return `{name}.clone()`"
            return "risk", f"it returns its argument `{name}`, and nothing says so; return `{name}.clone()`"
    return None


def _mutations(operator: Operator, schema: Schema | None) -> Judged | None:
    if schema is None:
        return None
    for _, mutated, _ in _kernels(operator):
        for name in sorted(mutated - set(schema.mutates)):
            if _is_tensor(schema, name):
                words = f"it changes its argument `{name}`, and its schema does not say so"
                return "risk", f"{words}; write `{_mark(operator, name)}`"
    return None


def _mark(operator: Operator, name: str) -> str:
    return f'mutates_args=("{name}",)' if operator.custom else f"Tensor(a!) {name}"


def _is_tensor(schema: Schema | None, name: str) -> bool:
    return schema is not None and any(one.name == name and one.type.holds("Tensor") for one in schema.arguments)
