"""What `compile-lint bench` was asked to measure."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lint.bench.traffic import Requests


@dataclass(frozen=True, slots=True)
class Options:
    """How much of what is measured of each target."""

    repeats: int = 5
    calls: int = 0
    """Of a repeat; 0: what fits `seconds`."""
    seconds: float = 4.0
    starts: int = 2
    """Fresh processes for each kind of start."""
    cold: bool = True
    """Whether more than one cold start is made; one is, wherever something is compiled."""
    warm: bool = True
    artifacts: bool = True
    confirm: bool = True
    traffic: Requests | None = None
    remedies: tuple[str, ...] = ("as-is", "dynamic", "static", "mark-dynamic", "buckets")
    sizes: int = 6
    """Distinct sizes that are run under each remedy."""
    buckets: int = 8
    """At most, in each dimension."""
