"""From the options of `decide` and `report` to decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compile_lint.bench.record import BenchRecord, TargetBench
from compile_lint.cli.output import say
from compile_lint.cli.setup import configuration
from compile_lint.config.business_keys import BUSINESS_KEYS, TARGETS
from compile_lint.config.business_values import both_costs, check
from compile_lint.config.errors import ConfigError
from compile_lint.config.file import ConfigFile
from compile_lint.config.nearest import hint
from compile_lint.decision.assumed import Assumption, assume, parse
from compile_lint.decision.decide import decide
from compile_lint.decision.evidence import evidence
from compile_lint.decision.model import Business, Evidence
from compile_lint.decision.rank import order
from compile_lint.report_page.view import Subject

_WORK = ("engineering-cost", "engineering-weeks")
_NAME = "model"


def subjects(params: Mapping[str, Any]) -> list[Subject]:
    """All targets of the records with their decisions, the best first; one that is all assumed without a record.

    Raises:
        ConfigError: an option, a record or the configuration cannot be used, or there is nothing to decide on.
    """
    given = options_of(params)
    assumed = [parse(text) for text in params["assume"]]
    file = _configuration(params)
    found = _measured(params["files"])
    if not found:
        found = [_assumed(params, assumed)]
    elif params["name"]:
        raise ConfigError("--name: a record names its targets itself; give it where nothing was measured")
    _check_targets(assumed, [one.name for one, _, _ in found])
    decided = [_decided(*one, assumed, given, file) for one in found]
    return sorted(decided, key=lambda one: order(one.decision))


def options_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """The business figures that were given as options, checked, by key."""
    found = {}
    for key in BUSINESS_KEYS:
        value = params[key.name.replace("-", "_")]
        if value is not None:
            found[key.name] = check(key, value, f"--{key.name}")
    both_costs(found, "the command line")
    return found


def business(given: Mapping[str, Any], file: ConfigFile | None, target: str) -> Business:
    """The business figures of a target: options over its own table over the table for all.

    Raises:
        ConfigError: the work is given in weeks, and nothing says what a week costs.
    """
    table = dict(file.values.get("business", {})) if file is not None else {}
    own = table.pop(TARGETS, {}).get(target, {})
    values = dict(table)
    for layer in (own, given):
        if any(name in layer for name in _WORK):  # the cost of the work is said anew, whole or in weeks
            values = {name: value for name, value in values.items() if name not in _WORK}
        values.update(layer)
    weeks, a_week = values.pop("engineering-weeks", None), values.pop("cost-per-week", None)
    if weeks is not None:
        if a_week is None:
            raise ConfigError("engineering-weeks: needs cost-per-week, which says what a week costs")
        values["engineering-cost"] = weeks * a_week
    return Business(**{name.replace("-", "_"): value for name, value in values.items()})


def _configuration(params: Mapping[str, Any]) -> ConfigFile | None:
    file, broken = configuration(params["config"], params["isolated"], ["."])
    if broken:
        raise ConfigError(f"{broken[0].path}: {broken[0].message.partition(';')[0]}")
    return file


_Found = tuple[Evidence, TargetBench | None, BenchRecord | None]


def _measured(files: Sequence[str]) -> list[_Found]:
    from compile_lint.bench.read import read_record

    found: list[_Found] = []
    for path in files:
        record = read_record(path)
        if not record.targets:
            raise ConfigError(f"{path}: holds no target; measure one with `compile-lint bench`")
        found += [(evidence(bench, path), bench, record) for bench in record.targets]
    return found


def _assumed(params: Mapping[str, Any], assumed: Sequence[Assumption]) -> _Found:
    if not assumed:
        raise ConfigError(
            "nothing to decide on; name a record of `compile-lint bench --save bench.json`, or assume figures: "
            "--assume saving=0.3, or --assume eager_ms=5000 --assume compiled_ms=3500 --assume cold_s=60"
        )
    return Evidence(params["name"] or _NAME), None, None


def _check_targets(assumed: Sequence[Assumption], names: Sequence[str]) -> None:
    for one in assumed:
        if one.target and one.target not in names:
            raise ConfigError(f"--assume: {one.target}:{one.name}: no such target{hint(one.target, names)}")


def _decided(
    found: Evidence,
    bench: TargetBench | None,
    record: BenchRecord | None,
    assumed: Sequence[Assumption],
    given: Mapping[str, Any],
    file: ConfigFile | None,
) -> Subject:
    whole, idle = assume(found, assumed)
    if idle:
        say("note", f"{found.source}: {found.name}: measured, so that what was assumed is not used: {', '.join(idle)}")
    device = "" if record is None else record.machine.device
    return Subject(decide(whole, business(given, file, found.name), bench, device), bench, record)
