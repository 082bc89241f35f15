"""What makes the exit code: breaks, recompilations, errors, the score; and what could not be observed at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.confirm.baseline import Baseline
from compile_lint.confirm.join.figures import run_score_of
from compile_lint.confirm.join.model import Confirmation, JoinedBreak, JoinedRecompile
from compile_lint.report.run import plural, points

KINDS = ("error", "wrong", "break", "recompile", "operator")
CHOICES = (*KINDS, "any", "none")
DEFAULT = ("error", "wrong", "break")
_BAD_OPERATORS = {
    "failed": "is not registered as it should be",
    "crashed": "ends the process",
    "timeout": "does not come to an end",
}
_NAMED = 5
"""Places that one sentence of a failure names."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What a run must not do. `within` narrows breaks and recompilations to some of the project."""

    fail_on: tuple[str, ...] = DEFAULT
    within: tuple[str, ...] = ()
    """Packages (`a.b`) or paths; empty for everywhere, libraries too."""
    max_breaks: int | None = None
    max_recompiles: int | None = None
    fail_under: float | None = None


def kinds(values: Iterable[str], place: str = "--fail-on") -> tuple[str, ...]:
    """The kinds that a list with commas names; `any` stands for all, `none`, alone, for no kind.

    Raises:
        ConfigError: a word is no kind. `place` names the option.
    """
    words = [word.strip() for value in values for word in value.split(",") if word.strip()]
    for word in words:
        if word not in CHOICES:
            raise ConfigError(f"{place}: {word!r} is no kind{hint(word, CHOICES)}")
    if "none" in words and len(set(words)) > 1:
        raise ConfigError(f"{place}: 'none' goes with no other kind")
    return KINDS if "any" in words else tuple(kind for kind in KINDS if kind in words)


def failures(targets: Sequence[Confirmation], gate: Gate, baseline: Baseline | None = None) -> list[str]:
    """Why these targets do not pass, a sentence each; empty if they do.

    Breaks are counted a line each over all targets; those that the baseline accepts, and lines that only follow from
    another break, do not count.
    """
    broken = counted_breaks(targets, gate.within, baseline)
    again = counted_recompiles(targets, gate.within)
    found = []
    if "error" in gate.fail_on:
        found += [
            f"{one.name}: raises only when compiled ({one.error.kind})" for one in targets if one.error is not None
        ]
    if "wrong" in gate.fail_on:
        found += [f"{one.name}: results differ from eager" for one in targets if one.same_result is False]
    if "break" in gate.fail_on and broken:
        found.append(f"{plural(len(broken), 'break')}{_scope(gate)}: {_places(map(break_place, broken))}")
    if gate.max_breaks is not None and len(broken) > gate.max_breaks:
        where = _places(map(break_place, broken))
        found.append(f"{plural(len(broken), 'break')}{_scope(gate)}, more than {gate.max_breaks}: {where}")
    if "recompile" in gate.fail_on and again:
        found.append(f"{plural(len(again), 'recompilation')}{_scope(gate)}: {_places(map(recompile_place, again))}")
    if gate.max_recompiles is not None and len(again) > gate.max_recompiles:
        where = _places(map(recompile_place, again))
        found.append(f"{plural(len(again), 'recompilation')}{_scope(gate)}, more than {gate.max_recompiles}: {where}")
    if "operator" in gate.fail_on:
        bad = {op.qualified: op.status for one in targets for op in one.operators if op.status in _BAD_OPERATORS}
        found += [f"custom operator {name}: {_BAD_OPERATORS[status]}" for name, status in bad.items()]
    score = run_score_of(targets)
    if gate.fail_under is not None and score is not None and score < gate.fail_under:
        found.append(f"the measured score {points(score)} is under {points(gate.fail_under)}")
    return found


def counted_breaks(
    targets: Iterable[Confirmation], within: Sequence[str] = (), baseline: Baseline | None = None
) -> list[JoinedBreak]:
    """The breaks that count, a line each, in the order they are reported."""
    found: dict[tuple[str, int], JoinedBreak] = {}
    for target in targets:
        for one in target.breaks:
            if one.consequence_of or (baseline is not None and baseline.accepts(one)):
                continue
            at = one.charged_to
            if within and (at is None or not lies_in(at.path, within)):
                continue
            found.setdefault((one.path, one.line), one)
    return list(found.values())


def counted_recompiles(targets: Iterable[Confirmation], within: Sequence[str] = ()) -> list[JoinedRecompile]:
    """The recompilations that count: not those that only make a size dynamic."""
    return [
        one
        for target in targets
        for one in target.recompiles
        if not one.automatic_dynamic
        and (not within or lies_in(one.guard_place.path if one.guard_place else one.path, within))
    ]


def exit_code(targets: Sequence[Confirmation], failed: Sequence[str]) -> int:
    """2 if a target could not be observed: the tool could not do its job. Else 1 if something fails, else 0."""
    if any(target.status != "ok" for target in targets):
        return 2
    return 1 if failed else 0


def lies_in(path: str, within: Sequence[str]) -> bool:
    """Whether a file lies in one of these packages or paths.

    Nothing is imported to find a package: `a.b` is any folder `a/b`, or file `a/b.py`, on the path of the file. What
    exists as a path, or is written as one, is taken as a path.
    """
    return any(_lies_in(path, one) for one in within)


def _lies_in(path: str, within: str) -> bool:
    real = os.path.realpath(path)
    if os.path.exists(within) or "/" in within or os.sep in within:
        root = os.path.realpath(within)
        return real == root or real.startswith(root.rstrip(os.sep) + os.sep)
    parts = os.path.splitext(real)[0].split(os.sep)
    wanted = within.split(".")
    return any(parts[at : at + len(wanted)] == wanted for at in range(len(parts)))


def break_place(one: JoinedBreak) -> str:
    """`path:line (id)` of a break, with the project's line that led there where it lies in a library."""
    number = f" ({one.graph_break_id})" if one.graph_break_id else ""
    at = one.charged_to
    charged = f" from {at.path}:{at.line}" if at is not None and not one.in_project else ""
    return f"{one.path}:{one.line}{number}{charged}"


def recompile_place(one: JoinedRecompile) -> str:
    """`path:line (what was compiled again)`."""
    at = one.guard_place
    return f"{at.path}:{at.line} ({one.function})" if at is not None else f"{one.path}:{one.line} ({one.function})"


def _scope(gate: Gate) -> str:
    return f" in {', '.join(gate.within)}" if gate.within else ""


def _places(places: Iterable[str]) -> str:
    named = list(places)
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more
