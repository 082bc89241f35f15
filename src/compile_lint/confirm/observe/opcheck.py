"""Checks how a custom operator is registered, on arguments that it was called with."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch

from compile_lint.confirm.exceptions import is_out_of_memory
from compile_lint.confirm.observation import CheckName, Observation, OperatorCheck, OperatorSeen
from compile_lint.confirm.observe import promised, state
from compile_lint.confirm.observe.called import Called
from compile_lint.confirm.observe.metadata import Values, copied, tensors, without_grad
from compile_lint.confirm.observe.subject import Subject
from compile_lint.confirm.target import Target

_TESTS: tuple[tuple[CheckName, str], ...] = (
    ("schema", "test_schema"),
    ("autograd-registration", "test_autograd_registration"),
    ("fake-tensor", "test_faketensor"),
    ("aot-dispatch-dynamic", "test_aot_dispatch_dynamic"),
)
_NO_FORMULA = "no autograd formula was registered"
_NO_FAKE = re.compile(r"There was no fake impl registered for <CustomOpDef\((.+?)\)>")
_LENGTH = 300
_PLAIN = (bool, int, float, complex, str, torch.dtype, torch.device, torch.layout, torch.memory_format, torch.Generator)


def checked(called: Called) -> OperatorSeen:
    """The operator with what `torch.library.opcheck` and a comparison of fake and real outputs say of its samples."""
    if not called.values:
        return replace(called.seen, message="no arguments of its calls are at hand")
    checks = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, test in _TESTS:
            checks.append(_over_samples(name, called, _opcheck(test)))
        differences: dict[str, None] = {}
        checks.append(_over_samples("metadata", called, _promises(differences)))
    failed = any(each.result == "failed" for each in checks)
    return replace(
        called.seen, status="failed" if failed else "passed", checks=tuple(checks), differences=tuple(differences)
    )


def checked_here(seen: Observation, subject: Subject, target: Target) -> Observation:
    """An observation with its operators checked in this process."""
    from compile_lint.confirm.observe.observer import called

    begun = time.perf_counter()
    with state.preserved():
        found = {each.seen.qualified: checked(each) for each in called(subject, target)}
    operators = [
        replace(each, status=got.status, message=got.message, checks=got.checks, differences=got.differences)
        if (got := found.get(each.qualified)) is not None
        else replace(each, message="it was not called again")
        for each in seen.operators
    ]
    spent = round(time.perf_counter() - begun, 4)
    return replace(seen, operators=tuple(operators), seconds={**seen.seconds, "opcheck": spent})


class _Skipped(Exception):  # noqa: N818 - it is no error
    """A check cannot be made, for this reason."""


class _Failed(Exception):  # noqa: N818 - what failed is the operator
    """What the check found."""


_Check = Callable[[Any, Values], None]


def _over_samples(name: CheckName, called: Called, check: _Check) -> OperatorCheck:
    """The first failure over the samples; else the first reason why one could not be checked."""
    skipped: OperatorCheck | None = None
    for number, values in enumerate(called.values):
        try:
            _can_be_checked(values)
            check(called.op, values)
        except _Skipped as reason:
            skipped = skipped or OperatorCheck(name, "skipped", str(reason), number)
        except Exception as error:
            if is_out_of_memory(error):
                skipped = skipped or OperatorCheck(name, "skipped", f"out of memory: {said(error)}", number)
            else:
                return OperatorCheck(name, "failed", said(error), number)
    return skipped or OperatorCheck(name, "passed")


def _can_be_checked(values: Values) -> None:
    args, kwargs = values
    for value in (*args, *kwargs.values()):
        for each in value if isinstance(value, (list, tuple)) else (value,):
            if each is not None and not isinstance(each, (torch.Tensor, *_PLAIN)):
                raise _Skipped(f"opcheck knows no arguments of type {type(each).__name__}")


def _opcheck(test: str) -> _Check:
    def check(op: Any, values: Values) -> None:
        try:
            _run(op, values, test)
        except Exception as error:
            if _NO_FORMULA in str(_root(error)):
                _run(op, without_grad(values), test)
                words = "it has no autograd formula, so that a backward pass through it raises; checked without"
                raise _Skipped(words) from error
            if isinstance(_root(error), AssertionError) and test == _TESTS[-1][1] and _varies(op, values):
                raise _Skipped("it gives another result each time") from error
            raise

    return check


def _run(op: Any, values: Values, test: str) -> None:
    args, kwargs = copied(values)
    with torch.enable_grad():
        torch.library.opcheck(op, args, kwargs, test_utils=(test,))


def _varies(op: Any, values: Values) -> bool:
    def results() -> Sequence[torch.Tensor]:
        args, kwargs = copied(values)
        with torch.no_grad():
            return tensors(op(*args, **kwargs))

    return any(not torch.equal(one, other) for one, other in zip(results(), results(), strict=False))


def _promises(differences: dict[str, None]) -> _Check:
    """Gathers what differs over all samples; fails for it."""

    def check(op: Any, values: Values) -> None:
        try:
            found = promised.differences(op, values)
        except promised.NotCompared as reason:
            raise _Skipped(str(reason)) from reason
        differences.update(dict.fromkeys(found))
        if found:
            raise _Failed(found[0])

    return check


def said(error: BaseException) -> str:
    """What an exception is about, in one line."""
    root = _root(error)
    if type(root).__name__ == "UnsupportedOperatorException":
        name = str(root.args[0] if root.args else "it")
        return f"no fake kernel is registered for {name.removesuffix('.default').replace('.', '::', 1)}"
    text = " ".join(str(root).split())
    if missing := _NO_FAKE.search(text):
        return f"no fake kernel is registered for {missing[1]}"
    text = text if isinstance(root, _Failed) else f"{type(root).__name__}: {text}"
    return text if len(text) <= _LENGTH else f"{text[: _LENGTH - 3]}..."


def _root(error: BaseException) -> BaseException:
    """What `opcheck` raised its own exception for."""
    while type(error).__name__ == "OpCheckError" and error.__cause__ is not None:
        error = error.__cause__
    return error
