"""What the options ask for about findings that are new: the change, the baseline, and suppressions to be written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compile_lint.config.errors import ConfigError
from compile_lint.config.options import Options
from compile_lint.discover import Found, Given, Sources
from compile_lint.findings import Finding, Source

if TYPE_CHECKING:
    from compile_lint.changed import Changes
    from compile_lint.cli.lint import Narrow

Again = Callable[[Found, Sequence[Source], Given], Sequence[Finding]]
"""Lints other files and sources as the run does, with a context of yet others, and gives what it would show."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options, checked against each other."""

    changes: Changes | None = None
    write_baseline: bool = False
    prune_baseline: bool = False
    add_ignore: bool = False
    reason: str = ""


def wanted(params: Mapping[str, Any], paths: Sequence[str]) -> Wanted:
    """What the options ask for.

    Raises:
        ConfigError: two of them do not go together, or the change cannot be had.
    """
    write, prune, changed = params["write_baseline"], params["prune_baseline"], _asks_for_changes(params)
    if write and prune:
        raise ConfigError("--prune-baseline: goes with no --write-baseline, which writes nothing that is stale")
    if (write or prune) and changed:
        option = "--write-baseline" if write else "--prune-baseline"
        raise ConfigError(f"{option}: goes with no --diff and no --diff-base: a baseline is about all findings")
    if params["reason"] is not None and not params["add_ignore"]:
        raise ConfigError("--reason: goes with --add-ignore, which writes it behind each suppression")
    if params["add_ignore"] and write:
        raise ConfigError("--add-ignore: goes with no --write-baseline; one of them is enough to silence a finding")
    if params["add_ignore"] and "-" in paths:
        raise ConfigError("--add-ignore: writes to files; it cannot write to standard input")
    changes = _changes(params, paths) if changed else None
    return Wanted(changes, write, prune, params["add_ignore"], params["reason"] or "")


def narrowing(wish: Wanted, options: Options, found: Found, again: Again, verbosity: int) -> Narrow | None:
    """What leaves out findings that are not new; None if all are shown.

    Raises:
        ConfigError: the baseline cannot be used.
    """
    if options.baseline is None:
        if wish.write_baseline or wish.prune_baseline:
            option = "--write-baseline" if wish.write_baseline else "--prune-baseline"
            raise ConfigError(f"{option}: needs --baseline FILE, which it writes")
        if wish.changes is None:
            return None
    steps = _steps(wish, options, found, again, verbosity)

    def narrow(all_found: Sequence[Finding], shown: Sequence[Finding], sources: Sources) -> tuple[Finding, ...]:
        for step in steps:
            shown = step(all_found, shown, sources)
        return tuple(shown)

    return narrow


def _steps(
    wish: Wanted, options: Options, found: Found, again: Again, verbosity: int
) -> list[Callable[[Sequence[Finding], Sequence[Finding], Sources], Sequence[Finding]]]:
    """The baseline first: the files as they were need not be linted for what is known."""
    steps: list[Callable[[Sequence[Finding], Sequence[Finding], Sources], Sequence[Finding]]] = []
    if options.baseline is not None:
        from compile_lint.cli.known import NotKnown

        if (wish.write_baseline or wish.prune_baseline) and options.follow_imports:
            option = "--write-baseline" if wish.write_baseline else "--prune-baseline"
            raise ConfigError(f"{option}: goes with no follow-imports, which sees a part of the project only")
        judge = not options.follow_imports
        steps.append(
            NotKnown(
                options.baseline,
                found,
                write=wish.write_baseline,
                prune=wish.prune_baseline,
                judge=judge,
                verbosity=verbosity,
            )
        )
    if wish.changes is not None:
        from compile_lint.cli.changed import OnlyChanged

        changed = OnlyChanged(wish.changes, options.diff_scope, again, found)
        steps.append(lambda _, shown, sources: changed(shown, sources))
    return steps


def _asks_for_changes(params: Mapping[str, Any]) -> bool:
    return params["diff_base"] is not None or params["diff"] is not None


def _changes(params: Mapping[str, Any], paths: Sequence[str]) -> Changes:
    from compile_lint.cli.changed import changes_asked_for

    return changes_asked_for(params["diff_base"], params["diff"], paths, lambda: sys.stdin.buffer.read())
