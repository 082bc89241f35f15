"""Samples of operators that the user gives: calls by the names of the operators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from compile_lint.config.nearest import hint
from compile_lint.confirm.load.errors import user_error, users_code
from compile_lint.confirm.load.find import check_file, find
from compile_lint.confirm.load.inputs import Call, as_call, described
from compile_lint.confirm.observation import OperatorSeen
from compile_lint.confirm.observe.called import Called
from compile_lint.confirm.observe.metadata import arguments
from compile_lint.confirm.target import Target
from compile_lint.confirm.targets.names import reference

_FORMS = "a dict of operators with lists of argument tuples, or a list of (operator, args) or (operator, args, kwargs)"


def samples(target: Target) -> list[Called]:
    """The operators that the samples of a target name, each with the arguments of its calls.

    Raises:
        LoadError: the file, the name or an operator does not exist, the code raised, or the samples have no such form.
    """
    named = reference(target.target, Path.cwd(), "--check")
    check_file(named)
    value = find(named, target.root)
    found: dict[str, Called] = {}
    with users_code(f"reading the samples {named.name}"):
        for operator, (args, kwargs) in _calls(value() if callable(value) else value, named.name):
            op = _overload(operator, named.name)
            name = f"{op._schema.name}.{op._overloadname}"
            if name not in found:
                found[name] = Called(OperatorSeen(op._schema.name, op._overloadname, str(op._schema), 0), op)
            called = found[name]
            called.values.append((args, kwargs))
            sample = arguments(op._schema, args, kwargs)
            called.seen = replace(called.seen, samples=(*called.seen.samples, sample))
    if not found:
        raise user_error(f"{named.name} has no sample; give {_FORMS}")
    return list(found.values())


def _calls(value: Any, name: str) -> Iterator[tuple[Any, Call]]:
    if isinstance(value, dict):
        for operator, calls in value.items():
            for number, call in enumerate(_listed(calls, f"{name}[{operator!r}]")):
                yield operator, as_call(call, f"{name}[{operator!r}]: item {number}")
        return
    for number, entry in enumerate(_listed(value, name)):
        place = f"{name}: item {number}"
        if not isinstance(entry, tuple) or len(entry) not in (2, 3) or not isinstance(entry[1], (tuple, list)):
            raise user_error(f"{place}: must be (operator, args) or (operator, args, kwargs), not {described(entry)}")
        yield entry[0], as_call((tuple(entry[1]), entry[2] if len(entry) == 3 else {}), place)


def _listed(value: Any, place: str) -> list[Any]:
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, dict, tuple, torch.Tensor)):
        return list(value)
    if isinstance(value, tuple) and value and all(isinstance(each, tuple) for each in value):
        return list(value)
    raise user_error(f"{place}: must be {_FORMS}, not {described(value)}")


def _overload(operator: Any, name: str) -> Any:
    """The overload that a name, an operator of torch.ops or a `custom_op` is; the only one where none is named."""
    if isinstance(operator, torch._ops.OpOverload):
        return operator
    packet = getattr(operator, "_opoverload", operator)
    if isinstance(packet, torch._ops.OpOverload):
        return packet
    if isinstance(operator, str):
        packet, overload = _packet(operator, name)
        if overload:
            return _of_packet(packet, overload, operator, name)
    if not isinstance(packet, torch._ops.OpOverloadPacket):
        raise user_error(f"{name}: {described(operator)} is no operator; give `namespace::operator`")
    overloads = packet.overloads()
    if len(overloads) > 1 and "default" not in overloads:
        raise user_error(f"{name}: {operator} has the overloads {', '.join(overloads)}; name one of them")
    return getattr(packet, "default" if "default" in overloads else overloads[0])


def _packet(text: str, name: str) -> tuple[Any, str]:
    plain = text.removeprefix("torch.ops.")
    namespace, colons, rest = plain.partition("::" if "::" in plain else ".")
    operator, _, overload = rest.partition(".")
    known = list(_operators())
    if not colons or f"{namespace}::{operator}" not in known:
        raise user_error(f"{name}: there is no operator {text!r}{hint(f'{namespace}::{operator}', known)}")
    return getattr(getattr(torch.ops, namespace), operator), overload


def _operators() -> Iterator[str]:
    names: Callable[[], list[str]] = torch._C._dispatch_get_all_op_names
    yield from dict.fromkeys(each.partition(".")[0] for each in names())


def _of_packet(packet: Any, overload: str, text: str, name: str) -> Any:
    overloads = packet.overloads()
    if overload not in overloads:
        raise user_error(f"{name}: there is no operator {text!r}{hint(overload, overloads)}")
    return getattr(packet, overload)
