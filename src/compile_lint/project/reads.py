"""What the analysis of one file asked of the others: all that its result depends on besides its own text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Reads:
    """The questions put to a project while one file was analysed. Answers of "no such module" count as well."""

    names: dict[str, str | None] = field(default_factory=dict)
    """Dotted name -> the path of that module; None where the linted tree has none of that name."""
    paths: set[str] = field(default_factory=set)
    """The files whose code was read."""
    tops: dict[str, bool] = field(default_factory=dict)
    """First part of a dotted name -> whether the linted tree has anything below it."""
    words: set[tuple[str, ...]] = field(default_factory=set)
    """Which files hold one of these words was asked, and their texts were read."""

    def add(self, other: Reads) -> None:
        """The questions of another, too."""
        self.names.update(other.names)
        self.paths |= other.paths
        self.tops.update(other.tops)
        self.words |= other.words
