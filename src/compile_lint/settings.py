"""The settings that the analysis, the reports and the command line share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compile_lint.findings import Confidence, Kind

NEWEST_TORCH = "2.14"
"""The newest release that the fact tables were measured on."""

OLDEST_TORCH = "2.6"
"""The oldest release that the rules speak of."""


@dataclass(frozen=True, slots=True)
class Settings:
    """One run's settings, after configuration and options are merged. Empty `select` means every rule."""

    select: tuple[str, ...] = ()
    """Whole codes, never prefixes: the merge has spelt them out."""
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Globs, and the whole codes they switch off. A glob with a slash is absolute, any other matches a name."""
    entry_points: tuple[str, ...] = ()
    """Globs on qualified names; empty means the default entries (compiled functions and every nn.Module.forward)."""
    target_torch: str = NEWEST_TORCH
    """`major.minor`, at least OLDEST_TORCH."""
    torch_config: Mapping[str, object] = field(default_factory=dict)
    """Values of torch._dynamo.config that the linted code runs with, where they differ from torch's own."""
    min_confidence: Confidence = "likely"
    fail_on: tuple[Kind, ...] = ("error", "wrong", "break")
    fail_under: float | None = None
    """0 to 100: a lower score of the run makes the exit code 1."""
    extend_rules: tuple[str, ...] = ()
    """Absolute paths of the user's own rule files."""

    def enabled(self, code: str) -> bool:
        """Whether findings of that code are shown."""
        return (not self.select or code in self.select) and code not in self.ignore
