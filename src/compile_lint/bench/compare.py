"""Two records held against each other: what changed beyond the noise. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from compile_lint.bench.figures import Range, latency
from compile_lint.bench.record import BenchRecord, Machine, TargetBench

Change = Literal["worse", "better", "same", "new", "gone"]
_LEAST = 0.02
"""Of the old figure: a smaller change is none, however little the repeats differ."""
_SINGLE = 0.15
"""Of a figure that was measured once: so far it is taken to be from the next time."""
_MACHINE = ("system", "cpu", "cores", "python", "torch", "device", "driver", "cuda", "threads", "compiler")


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of one target in both records; more of any figure is worse."""

    target: str
    what: str
    unit: Literal["ms", "bytes", "count"]
    old: Range | None
    new: Range | None
    change: Change


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that both records tell of."""

    figures: tuple[Compared, ...]
    machine: tuple[str, ...]
    """What differs between the machines, a sentence each: then the figures say less."""
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]

    @property
    def worse(self) -> bool:
        """Whether a figure got worse beyond the noise."""
        return any(each.change == "worse" for each in self.figures)


def compare(old: BenchRecord, new: BenchRecord) -> Comparison:
    """Targets of the same name held against each other."""
    before = {target.name: target for target in old.targets}
    after = {target.name: target for target in new.targets}
    both = [name for name in before if name in after]
    return Comparison(
        figures=tuple(each for name in both for each in _figures(before[name], after[name])),
        machine=tuple(_machine(old.machine, new.machine)),
        only_old=tuple(name for name in before if name not in after),
        only_new=tuple(name for name in after if name not in before),
    )


def changed(old: Range | None, new: Range | None) -> Change:
    """Whether the ranges lie apart, and by more than what no measurement can tell from nothing."""
    if old is None or new is None:
        return "same" if old is new else "new" if old is None else "gone"
    if new.low > old.high and new.value > old.value * (1 + _LEAST):
        return "worse"
    if new.high < old.low and new.value < old.value * (1 - _LEAST):
        return "better"
    return "same"


def _figures(old: TargetBench, new: TargetBench) -> Iterator[Compared]:
    for what, unit, read in _READ:
        before, after = read(old), read(new)
        if before is not None or after is not None:
            yield Compared(new.name, what, unit, before, after, changed(before, after))


def _machine(old: Machine, new: Machine) -> Iterator[str]:
    for name in _MACHINE:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield f"{name}: {before or 'none'} then, {after or 'none'} now"


def _ranged(values: Sequence[float]) -> Range | None:
    if not values:
        return None
    if len(values) == 1:
        return Range(values[0], values[0] * (1 - _SINGLE), values[0] * (1 + _SINGLE))
    return Range(median(values), min(values), max(values))


def _start(name: str) -> Callable[[TargetBench], Range | None]:
    return lambda target: _ranged([each for one in target.warm_ups if one.start == name for each in one.first_call])


def _memory(value: int | None) -> Range | None:
    """Of a process, it differs by some per cent from one run to the next."""
    return None if value is None else Range(value, value * 0.97, value * 1.03)


def _count(value: int | None) -> Range | None:
    return None if value is None else Range(value, value, value)


def _breaks(target: TargetBench) -> Range | None:
    seen = target.confirmation
    return None if seen is None else _count(sum(not one.consequence_of for one in seen.breaks))


def _served(target: TargetBench) -> Range | None:
    """The traffic as it is."""
    found = target.traffic.remedies if target.traffic is not None else ()
    return _ranged([one.total_ms for one in found if one.remedy == "as-is" and one.total_ms is not None])


_READ: tuple[tuple[str, Literal["ms", "bytes", "count"], Callable[[TargetBench], Range | None]], ...] = (
    ("eager call", "ms", lambda target: latency(target.eager)),
    ("compiled call", "ms", lambda target: latency(target.compiled)),
    ("first call, cold", "ms", _start("cold")),
    ("first call, warm cache", "ms", _start("warm")),
    ("first call, artifacts", "ms", _start("artifacts")),
    ("eager memory", "bytes", lambda target: _memory(target.eager_memory)),
    ("compiled memory", "bytes", lambda target: _memory(target.compiled_memory)),
    ("traffic as it is", "ms", _served),
    ("graph breaks", "count", _breaks),
)
