"""The checks of the operators of one target, by as many workers as it takes: one that dies is one operator's result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from compile_lint.confirm.observation import Observation, OperatorSeen
from compile_lint.confirm.target import Target

if TYPE_CHECKING:
    from compile_lint.confirm.worker.mail import Kind

_LEAST_SECONDS = 60.0
_SECONDS_EACH = 20.0


def wanted(target: Target, seen: Observation) -> bool:
    """Whether operators that a target called are still to be checked."""
    return bool(seen.operators) and not target.fake and not _hindered(seen)


def unchecked(target: Target, seen: Observation) -> Observation:
    """An observation whose operators are not checked, with the reason."""
    return _without(seen, "fake tensors have no data" if target.fake else "the target did not come far enough")


def _hindered(seen: Observation) -> bool:
    """Whether the calls themselves end the process, or take all the time there is."""
    if seen.status not in ("ok", "user-error", "crashed"):
        return True
    return any(each.status in ("crashed", "timeout") for each in seen.operators)


class Checks:
    """What is known of the operators of one target, from worker to worker."""

    def __init__(self, target: Target, seen: Observation, kind: Kind) -> None:
        """`seen` is what observing the target gave; the job of the workers is of the `kind`."""
        self.seen = seen
        self.kind = kind
        count = len(seen.operators)
        spent = seen.seconds.get("load", 0.0) + seen.seconds.get("eager", 0.0)
        limit = min(target.timeout, _LEAST_SECONDS + 3 * spent + _SECONDS_EACH * count) if count else target.timeout
        self.target = replace(target, timeout=limit)
        self.settled: tuple[str, ...] = ()
        self._known = {each.qualified: each for each in seen.operators}
        self._spent = 0.0

    def take(self, got: Observation, seconds: float) -> bool:
        """Take what a worker leaves. Whether another one has to go on where it came to its end."""
        self._spent += seconds
        self.seen = replace(self.seen, torch=self.seen.torch or got.torch)
        before = len(self.settled)
        for each in got.operators:
            if each.qualified not in self.settled and (each.status != "not-checked" or each.message):
                self._known[each.qualified] = _checked(self._known.get(each.qualified, each), each)
                self.settled += (each.qualified,)
            else:
                self._known.setdefault(each.qualified, each)
        if got.status == "ok":
            return False
        died = len(self.settled) > before and got.operators and _died(got)
        left = any(name not in self.settled for name in self._known)
        if died and left:
            return True
        if left:
            self._known = {name: _why(each, got.message) for name, each in self._known.items()}
        if self.kind == "samples" and not died:
            self.seen = replace(self.seen, status=got.status, message=got.message, traceback=got.traceback)
        return False

    def result(self, why: str = "it was not called again when the target was run for the checks") -> Observation:
        """The observation with its operators; `why` is told of those that are not checked."""
        seconds = {**self.seen.seconds, "opcheck": round(self._spent, 4)}
        found = replace(self.seen, operators=tuple(self._known.values()), seconds=seconds)
        return _without(found, why)


def _died(got: Observation) -> bool:
    return any(each.status in ("crashed", "timeout") for each in got.operators)


def _checked(seen: OperatorSeen, got: OperatorSeen) -> OperatorSeen:
    return replace(seen, status=got.status, message=got.message, checks=got.checks, differences=got.differences)


def _without(seen: Observation, why: str) -> Observation:
    return replace(seen, operators=tuple(_why(each, why) for each in seen.operators))


def _why(seen: OperatorSeen, why: str) -> OperatorSeen:
    return replace(seen, message=why) if seen.status == "not-checked" and not seen.message else seen
