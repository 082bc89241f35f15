"""A rule: everything that one file under rules/ says, as plain frozen values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from compile_lint.findings import Confidence, Kind
from compile_lint.rulebook.versions import holds

_MARK = re.compile(r"#\s*<-\s*([A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)")
_NOTHING: Mapping[str, object] = MappingProxyType({})
IN_BRANCH = 0.25
"""How often a finding in a branch is met, once its function runs.

Measured on runs of 524 models of 25 packages: of the findings in branches of functions that ran, 42 of 169 lay on
lines that ran. Rules whose findings are met less often there say so themselves (`met-in-branch`).
"""


@dataclass(frozen=True, slots=True)
class Match:
    """One event that a rule answers to, narrowed by `calls` (globs on dotted names) and `ids`; both empty: all."""

    event: str
    calls: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    declares: bool = False
    """The rule itself says that these calls break: no row of the fact tables is needed."""

    def valid_for(self, torch: str) -> bool:
        """Whether the match holds for that torch version."""
        return holds(torch, self.since, self.until)


@dataclass(frozen=True, slots=True)
class Example:
    """A snippet that shows the rule. `# <- CODE` marks the lines that are flagged; a good one has none."""

    title: str
    source: str
    since: str = ""
    until: str = ""
    torch_config: Mapping[str, object] = field(default_factory=lambda: _NOTHING)
    """Settings of torch._dynamo.config that it is compiled and linted with."""
    backend: str = ""
    """The backend it needs (`inductor`); empty: one that runs the captured graph as it is."""
    requires: tuple[str, ...] = ()
    """Importable packages that it needs besides torch; it is not run where one is missing."""
    run: bool = True
    run_reason: str = ""
    """Why it cannot be run, when `run` is false."""

    @property
    def marks(self) -> dict[int, tuple[str, ...]]:
        """The 1-based lines that must be flagged, with the codes."""
        return marks(self.source)

    def valid_for(self, torch: str) -> bool:
        """Whether the example holds for that torch version."""
        return holds(torch, self.since, self.until)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `message` has the placeholders {subject}, {callee} and {name}; the other texts are whole."""

    code: str
    name: str
    kind: Kind
    confidence: Confidence
    summary: str
    message: str
    why: str
    instead: str
    graph_break_ids: tuple[str, ...]
    matches: tuple[Match, ...]
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    since: str = ""
    until: str = ""
    met_in_branch: float = IN_BRANCH
    """The share of its findings in branches, where their function ran, whose line ran too."""
    path: str = field(default="", compare=False)

    def valid_for(self, torch: str) -> bool:
        """Whether the rule holds for that torch version."""
        return holds(torch, self.since, self.until)


def marks(source: str) -> dict[int, tuple[str, ...]]:
    """The lines of `source` that carry `# <- CODE[, CODE]`, 1-based."""
    found: dict[int, tuple[str, ...]] = {}
    for number, line in enumerate(source.splitlines(), 1):
        if "<-" in line and (mark := _MARK.search(line)):
            found[number] = tuple(code.strip() for code in mark.group(1).split(","))
    return found
