"""What is being measured, and how long is left: each step with what it is expected to take."""

from __future__ import annotations

from collections.abc import Callable

from compile_lint.bench.options import Options

_PROCESS = 4.0
"""Seconds that a process needs to begin and end, before one was seen."""
_COLD = 12.0


class Steps:
    """The steps of one target that are still to come, by name, with the seconds that each takes."""

    def __init__(self, name: str, options: Options, show: Callable[[str], None]) -> None:
        self.name = name
        self.show = show
        more = options.starts - 1
        self.left: dict[str, tuple[int, float]] = {
            "eager": (1, _PROCESS),
            "steady": (1, _PROCESS + _COLD + options.seconds),
            "cold": (more if options.cold else 0, _PROCESS + _COLD),
            "warm": (options.starts if options.warm else 0, _PROCESS),
            "artifacts": (options.starts if options.artifacts else 0, _PROCESS + _COLD / 2),
            "sizes": (len(options.remedies) if options.traffic else 0, _PROCESS + _COLD * 2),
            "confirm": (1 if options.confirm else 0, _PROCESS),
        }

    def begin(self, part: str, words: str) -> None:
        """Tell that one step of a part begins."""
        self.show(f"measuring {self.name}: {words}; about {self.seconds():.0f} s left")

    def done(self, part: str, seconds: float) -> None:
        """Note what a step took: the others of its part will take as long."""
        count, _ = self.left[part]
        self.left[part] = (max(count - 1, 0), seconds)

    def expect(self, part: str, seconds: float) -> None:
        """What a step of a part will take, as another part has shown."""
        self.left[part] = (self.left[part][0], seconds)

    def drop(self, *parts: str) -> None:
        """These parts will not come."""
        for part in parts:
            self.left[part] = (0, 0.0)

    def seconds(self) -> float:
        """What is left in all."""
        return sum(count * each for count, each in self.left.values())
