"""`compile-lint confirm`."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compile_lint.cli.confirm_options import target_values
from compile_lint.cli.gated import Output, finish, output
from compile_lint.cli.main import INTERRUPTED
from compile_lint.cli.output import say
from compile_lint.cli.progress import Progress
from compile_lint.cli.setup import configuration, rules
from compile_lint.config import torch_version
from compile_lint.config.errors import ConfigError
from compile_lint.config.options import Options, merge
from compile_lint.confirm.observation import Observation
from compile_lint.confirm.target import Target
from compile_lint.rulebook import Rulebook
from compile_lint.settings import OLDEST_TORCH

_SHARD = re.compile(r"(\d{1,4})/(\d{1,4})")
_EXTRA = "pip install 'compile-lint[confirm]'"
_NEEDED = ("torch", "msgspec", "psutil")


def confirm(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code.

    Raises:
        ConfigError: an option, a target or the configuration cannot be used, or torch is not there.
    """
    out = output(params)
    shown = out.verbosity >= 0
    jobs = number(params["jobs"], "--jobs", 1) or 1
    shard, share = _shard(params["shard"])
    file, broken = configuration(params["config"], params["isolated"], [target_file(t) for t in params["targets"]])
    if broken:
        raise ConfigError(f"{broken[0].path}: {broken[0].message.partition(';')[0]}")
    rulebook = rules({}, file)
    options = merge({}, file, {rule.code: rule.name for rule in rulebook.rules}, Path.cwd())
    from compile_lint.confirm.targets.resolve import resolve

    targets = resolve(params["targets"], target_values(dict(params)), file, Path.cwd())
    targets = [with_project(target, params["project"]) for target in targets[share]]
    check_torch("confirm", "runs models")
    if not targets and shown:
        say("note", f"shard {shard} has no target")
    seen, interrupted = _observe(targets, jobs, shown)
    return _report(seen, targets, options, rulebook, out, shard, interrupted)


def target_file(text: str) -> str:
    """The path that a target names, for the search of a configuration; the working directory for a module."""
    where, colon, _ = text.rpartition(":")
    return where if colon and (where.endswith(".py") or os.sep in where) else "."


def number(text: str | None, place: str, least: int = 0) -> int | None:
    """A whole number given as an option; None if it is not given. ConfigError if it is none, or too small."""
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,9}", text.strip()) or int(text) < least:
        raise ConfigError(f"{place}: {text!r} is not a whole number of at least {least}")
    return int(text)


def _shard(text: str | None) -> tuple[str, slice]:
    """`1/4`, and the targets that it takes: every fourth from the first."""
    if text is None:
        return "", slice(None)
    found = _SHARD.fullmatch(text.strip())
    which, count = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= which <= count:
        raise ConfigError(f"--shard: {text!r} is not of the form 1/4: the first of four shares")
    return f"{which}/{count}", slice(which - 1, None, count)


def with_project(target: Target, paths: Sequence[str]) -> Target:
    """The target with what --project adds. ConfigError for a path that is not there."""
    for path in paths:
        if not os.path.exists(path):
            raise ConfigError(f"--project: {path}: no such file or folder")
    return replace(target, project=(*target.project, *(os.path.abspath(path) for path in paths)))


def check_torch(command: str, why: str) -> None:
    """Tell in one line that what runs models is missing. Nothing of it is imported.

    Raises:
        ConfigError: it is; `command` and `why` begin the line.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(f"{command} {why}, and needs what is not installed ({', '.join(missing)}): {_EXTRA}")
    found = torch_version.installed()
    if found is not None and torch_version.older(found, OLDEST_TORCH):
        raise ConfigError(f"torch {found} is too old for {command}, which needs {OLDEST_TORCH} or newer: {_EXTRA}")


def _observe(targets: Sequence[Target], jobs: int, shown: bool) -> tuple[list[Observation], bool]:
    """The observations that there are, in the order of the targets, and whether Ctrl-C ended it before the last."""
    from compile_lint.confirm.worker import confirm_all
    from compile_lint.report import safe

    done: dict[str, Observation] = {}
    running: dict[str, None] = {}
    with Progress(shown) as progress:

        def show() -> None:
            names = safe(", ".join(running))[:60]
            progress.show(f"confirming {len(done) + len(running)} of {len(targets)}: {names}")

        def on_start(target: Target) -> None:
            running[target.name] = None
            show()

        def on_done(seen: Observation) -> None:
            running.pop(seen.name, None)
            done[seen.name] = seen
            show()

        try:
            confirm_all(targets, jobs=jobs, on_start=on_start, on_done=on_done)
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
    return [done[target.name] for target in targets if target.name in done], interrupted


def _report(
    seen: Sequence[Observation],
    targets: Sequence[Target],
    options: Options,
    rulebook: Rulebook,
    out: Output,
    shard: str,
    interrupted: bool,
) -> int:
    from compile_lint.confirm.join import Linter, join_all

    configs = {target.name: dict[str, object](target.torch_config) for target in targets}
    run = join_all(seen, Linter(options, rulebook), configs, shard)
    left = [target.name for target in targets if target.name not in {one.name for one in seen}]
    if interrupted:
        say("error", f"interrupted; not confirmed: {', '.join(left)}" if left else "interrupted")
    elif out.verbosity >= 0:
        _note_scope(seen, out.gate.within)
    code = finish(run, out, whole=not interrupted)
    return INTERRUPTED if interrupted else code


def _note_scope(seen: Sequence[Observation], within: Sequence[str]) -> None:
    """A scope that no target ran a line of is more likely misspelt than clean."""
    from compile_lint.confirm.gate import lies_in

    paths = {path for one in seen for path in one.covered}
    for one in within:
        if paths and not any(lies_in(path, [one]) for path in paths):
            say("note", f"--in: {one}: no target ran a line of it")
