"""Joining the JSON reports of shards into one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.join.join import run_of
from compile_lint.confirm.join.model import Confirmation, ConfirmRun
from compile_lint.confirm.report.read import read


@dataclass(frozen=True, slots=True)
class Merged:
    """The run that the reports make together, and what the user should know about them."""

    run: ConfirmRun
    notes: tuple[str, ...] = ()


def merge(paths: Sequence[str]) -> Merged:
    """Reports of `confirm --format json` as one run, figures and score made anew.

    All shards of one run give its targets in the order of that run, other reports give theirs one after another.

    Raises:
        ConfigError: a file that cannot be read, is no such report, or holds a target that another holds too; reports
            that two versions of the tool wrote, or of shards that do not belong together.
    """
    runs = [(path, *read(_text(path), path)) for path in paths]
    _same_tool([(path, version) for path, _, version in runs])
    shards = [(path, run.shard) for path, run, _ in runs if run.shard]
    notes = _shards(shards)
    targets = _targets([(path, run) for path, run, _ in runs])
    if len(shards) == len(runs) and not notes:
        targets = _dealt_back([run for _, run, _ in runs])
    for what in ("torch", "device"):
        values = dict.fromkeys(getattr(target, what) for target in targets if getattr(target, what))
        if len(values) > 1:
            notes.append(f"the targets differ in {what}: {', '.join(values)}")
    return Merged(run_of(targets), tuple(notes))


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text") from error


def _same_tool(versions: Sequence[tuple[str, str]]) -> None:
    first, version = versions[0]
    for path, other in versions[1:]:
        if other != version:
            raise ConfigError(
                f"{path}: written by compile-lint {other}, {first} by {version}; confirm all shards with one version"
            )


def _shards(shards: Sequence[tuple[str, str]]) -> list[str]:
    """What is missing of the shards. ConfigError if they are not of one run."""
    if not shards:
        return []
    counts = {shard.partition("/")[2]: path for path, shard in shards}
    if len(counts) > 1:
        named = ", ".join(f"{path} is of {count}" for count, path in counts.items())
        raise ConfigError(f"the shards do not belong together: {named}")
    met: dict[str, str] = {}
    for path, shard in shards:
        if shard in met:
            raise ConfigError(f"{path}: is shard {shard}, and so is {met[shard]}")
        met[shard] = path
    count = next(iter(counts))
    missing = [f"{number}/{count}" for number in range(1, int(count) + 1) if f"{number}/{count}" not in met]
    return [f"missing: shard {', '.join(missing)}"] if missing else []


def _dealt_back(runs: Sequence[ConfirmRun]) -> list[Confirmation]:
    """The targets of all shards in the order that they were dealt in: to each shard one, in turn."""
    shares = [run.targets for run in sorted(runs, key=lambda run: int(run.shard.partition("/")[0]))]
    rows = zip_longest(*shares)
    return [target for row in rows for target in row if target is not None]


def _targets(runs: Sequence[tuple[str, ConfirmRun]]) -> list[Confirmation]:
    found: dict[str, tuple[str, Confirmation]] = {}
    for path, run in runs:
        for target in run.targets:
            if target.name in found:
                raise ConfigError(f"{path}: target {target.name!r} is in {found[target.name][0]} too")
            found[target.name] = path, target
    return [target for _, target in found.values()]
