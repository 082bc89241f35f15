"""What a chart shows, without how it is drawn: series of numbers, each with the part it plays, and what axes say."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Part = Literal["eager", "compiled", "warm", "neutral", "mark", "least", "likely", "most"]
"""What a series stands for; the page gives each part one colour throughout."""
Kind = Literal["bars", "stacked", "lines"]


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers of one series: of bars one a label, of lines points (x, y)."""

    name: str
    part: Part
    values: tuple[float | None, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    """Of lines; a series of the part `mark` shows them as dots."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One chart. Bars have a label for each value; `x_shown` and `y_shown` write the numbers on the axes."""

    kind: Kind
    series: tuple[Series, ...]
    labels: tuple[str, ...] = ()
    x_title: str = ""
    y_title: str = ""
    x_shown: Callable[[float], str] = "{:g}".format
    y_shown: Callable[[float], str] = "{:g}".format
    counts: bool = False
    """Whether the values are counts: then no fraction stands on their axis."""

    @property
    def finite(self) -> bool:
        """Whether all its numbers can be drawn."""
        values = (
            value for one in self.series for value in (*one.values, *(at for point in one.points for at in point))
        )
        return all(value is None or math.isfinite(value) for value in values)
