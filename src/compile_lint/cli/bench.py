"""`compile-lint bench`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from compile_lint import __version__
from compile_lint.bench.options import Options
from compile_lint.bench.record import BenchRecord, Machine, TargetBench
from compile_lint.bench.report import FORMATS
from compile_lint.bench.traffic import Requests, of_vary, read_traffic
from compile_lint.cli.bench_options import target_values
from compile_lint.cli.confirm import check_torch, number, target_file, with_project
from compile_lint.cli.main import INTERRUPTED
from compile_lint.cli.output import check_target, say, to_file, to_stdout
from compile_lint.cli.progress import Progress
from compile_lint.cli.setup import configuration, rules
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import COLORS
from compile_lint.config.nearest import hint
from compile_lint.config.options import merge
from compile_lint.config.target_values import seconds
from compile_lint.confirm.target import Target

_DEFAULT = Options()


def bench(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code.

    Raises:
        ConfigError: an option, a target, the traffic or the configuration cannot be used, or torch is not there.
    """
    form, color = _choice(params["form"], FORMATS, "--format", "text"), _color(params)
    for place in ("--output-file", "--save"):
        path = params[place[2:].replace("-", "_")]
        if path:
            check_target(Path(path), place)
    if params["compare"]:
        return _compare(params, form, color)
    if params["fail_slower"]:
        raise ConfigError("--fail-slower: goes with --compare only")
    options = _options(params)
    targets, join = _targets(params)
    check_torch("bench", "runs models")
    record, interrupted = _measured(targets, options, join, not params["quiet"])
    return _report(record, params, form, color, interrupted)


def _options(params: Mapping[str, Any]) -> Options:
    remedies = ("as-is",) if params["no_remedies"] else _DEFAULT.remedies
    return Options(
        repeats=_number(params, "repeats", 2),
        calls=_number(params, "calls", 1),
        seconds=seconds(params["seconds"], "--seconds") if params["seconds"] else _DEFAULT.seconds,
        starts=_number(params, "starts", 1),
        cold=not params["no_cold"],
        warm=not params["no_warm"],
        artifacts=not params["no_artifacts"],
        confirm=not params["no_confirm"],
        traffic=_traffic(params),
        remedies=remedies,
        sizes=_number(params, "sizes", 2),
        buckets=_number(params, "buckets", 1),
    )


def _traffic(params: Mapping[str, Any]) -> Requests | None:
    if params["traffic"] and params["vary"]:
        raise ConfigError("--traffic: goes with no --vary")
    if params["traffic"]:
        return read_traffic(params["traffic"])
    return of_vary(params["vary"]) if params["vary"] else None


def _number(params: Mapping[str, Any], name: str, least: int) -> int:
    given = number(params[name], f"--{name}", least)
    return int(getattr(_DEFAULT, name)) if given is None else given


def _targets(params: Mapping[str, Any]) -> tuple[list[Target], Any]:
    """The targets, each with its backend, and what joins an observation with what the linter says."""
    from compile_lint.confirm.join import Linter, join
    from compile_lint.confirm.targets.resolve import resolve

    file, broken = configuration(params["config"], params["isolated"], [target_file(t) for t in params["targets"]])
    if broken:
        raise ConfigError(f"{broken[0].path}: {broken[0].message.partition(';')[0]}")
    rulebook = rules({}, file)
    options = merge({}, file, {rule.code: rule.name for rule in rulebook.rules}, Path.cwd())
    targets = resolve(params["targets"], target_values(dict(params)), file, Path.cwd())
    targets = [
        replace(with_project(each, params["project"]), backend=each.backend or "inductor", fake=False)
        for each in targets
    ]
    configs = {target.name: dict[str, object](target.torch_config) for target in targets}
    linter = Linter(options, rulebook)
    return targets, lambda seen: join(seen, linter.predict(seen, configs.get(seen.name)))


def _measured(targets: Sequence[Target], options: Options, join: Any, shown: bool) -> tuple[BenchRecord, bool]:
    """The record of what was measured, and whether Ctrl-C ended it before the last target."""
    from compile_lint.bench.run import measure
    from compile_lint.report import safe

    record = BenchRecord(
        tool=__version__, began=datetime.now(timezone.utc).isoformat(timespec="seconds"), machine=Machine()
    )
    done: list[TargetBench] = []
    with Progress(shown) as progress:
        for count, target in enumerate(targets, 1):
            of = f"{count} of {len(targets)}: " if len(targets) > 1 else ""

            def show(words: str, of: str = of) -> None:
                progress.show(safe(f"{of}{words}")[:150])

            own = options
            if options.traffic is None and target.vary:
                own = replace(options, traffic=of_vary(target.vary))
            try:
                made, machine = measure(target, own, join, show)
            except KeyboardInterrupt:
                return replace(record, targets=tuple(done)), True
            done.append(made)
            if machine != Machine():
                record = replace(record, machine=machine)
    return replace(record, targets=tuple(done)), False


def _report(record: BenchRecord, params: Mapping[str, Any], form: str, color: str, interrupted: bool) -> int:
    from compile_lint.bench.report import render
    from compile_lint.bench.write import render as as_json
    from compile_lint.report import wants_color

    if interrupted and not record.targets:  # an older record at its place is worth more than an empty one
        say("error", "interrupted; nothing was measured")
        return INTERRUPTED
    if params["save"]:
        to_file(as_json(record), Path(params["save"]), "--save")
    file = Path(params["output_file"]) if params["output_file"] else None
    paint = form == "text" and file is None and wants_color(color, sys.stdout.isatty(), os.environ)
    text = render(record, form, paint)
    if file is not None:
        to_file(text, file)
    elif not params["quiet"]:
        to_stdout(text)
    if interrupted:
        say("error", "interrupted; what was measured before is in the report")
        return INTERRUPTED
    return exit_code(record)


def exit_code(record: BenchRecord) -> int:
    """0: all was measured. 1: a compiled call raised or gave another result. 2: a target could not be run."""
    if any(target.status != "ok" for target in record.targets):
        return 2
    return int(any(target.compiled_error or target.same_result is False for target in record.targets))


def _compare(params: Mapping[str, Any], form: str, color: str) -> int:
    from compile_lint.bench.compare import compare
    from compile_lint.bench.read import read_record
    from compile_lint.bench.report.compared import render
    from compile_lint.report import wants_color

    if params["targets"]:
        raise ConfigError("--compare: measures nothing; leave the targets out")
    old, new = (read_record(path) for path in params["compare"])
    found = compare(old, new)
    file = Path(params["output_file"]) if params["output_file"] else None
    paint = form == "text" and file is None and wants_color(color, sys.stdout.isatty(), os.environ)
    if file is not None:
        to_file(render(found, form), file)
    elif not params["quiet"]:
        to_stdout(render(found, form, paint))
    return int(params["fail_slower"] and found.worse)


def _color(params: Mapping[str, Any]) -> str:
    return _choice(params["color"], COLORS, "--color", "auto")


def _choice(value: str | None, choices: Sequence[str], place: str, default: str) -> str:
    if value is None:
        return default
    if value not in choices:
        raise ConfigError(f"{place}: {value!r} is not valid{hint(value, choices)}")
    return value
