"""What `confirm` and `merge` do with a run: report it, hold it against gate and baseline, give the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compile_lint.cli.output import check_target, say, to_file, to_stdout
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import COLORS
from compile_lint.config.nearest import hint
from compile_lint.confirm.baseline import Baseline
from compile_lint.confirm.gate import DEFAULT, Gate
from compile_lint.confirm.join.model import ConfirmRun

_BREAK = "break"


@dataclass(frozen=True, slots=True)
class Output:
    """Where the report goes, in which form, and what makes the exit code."""

    form: str
    file: Path | None
    color: str
    verbosity: int
    rules: bool
    gate: Gate
    baseline: Path | None
    write_baseline: bool


def output(params: Mapping[str, Any]) -> Output:
    """The options of report and gate, checked. ConfigError if one cannot be used."""
    from compile_lint.confirm.report import FORMATS

    form = _choice(params["form"], FORMATS, "--format", "text")
    file = Path(params["output_file"]) if params["output_file"] else None
    if file is not None:
        check_target(file)
    baseline = Path(params["baseline"]) if params["baseline"] else None
    if params["write_baseline"] and baseline is None:
        raise ConfigError("--write-baseline: needs --baseline FILE, which it writes")
    color = _choice(params["color"], COLORS, "--color", "auto")
    verbosity = params["verbose"] - params["quiet"]
    rules = bool(params.get("update_confidence"))
    return Output(form, file, color, verbosity, rules, _gate(params), baseline, params["write_baseline"])


def finish(run: ConfirmRun, out: Output, whole: bool = True) -> int:
    """Write the report and give the exit code. A run that was interrupted is not `whole`: nothing is judged then."""
    from compile_lint.confirm.gate import exit_code, failures
    from compile_lint.confirm.report import render
    from compile_lint.report import wants_color

    baseline = _baseline(run, out) if whole else None
    failed = failures(run.targets, out.gate, baseline) if whole else []
    environ = os.environ if out.file is None else {}
    color = out.form == "text" and wants_color(out.color, out.file is None and sys.stdout.isatty(), environ)
    if out.file is not None:
        to_file(render(run, out.form, color, out.verbosity, failed, out.rules), out.file)
    elif out.verbosity > -2:
        to_stdout(render(run, out.form, color, out.verbosity, failed, out.rules))
    if out.file is not None or out.form == "json":
        for failure in failed:
            say("error", failure)
    return exit_code(run.targets, failed)


def _baseline(run: ConfirmRun, out: Output) -> Baseline | None:
    from compile_lint.confirm import baseline

    if out.baseline is None:
        return None
    if out.write_baseline:
        _write(run, out.baseline)
    found = baseline.read(out.baseline)
    if out.verbosity >= 0 and all(target.status == "ok" for target in run.targets) and not run.shard:
        for path, function, source, number in found.gone(run.targets):
            where = ", ".join(part for part in (function, number) if part)
            say("note", f"{out.baseline}: accepted, and gone: {path} ({where}): {source}")
    return found


def _write(run: ConfirmRun, path: Path) -> None:
    from compile_lint.confirm import baseline

    lost = [target.name for target in run.targets if target.status != "ok"]
    if lost:
        raise ConfigError(f"--write-baseline: {', '.join(lost)} could not be observed; {path} is left as it was")
    if run.shard:
        raise ConfigError(f"--write-baseline: shard {run.shard} sees a part only; write it with `compile-lint merge`")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"--baseline: {path}: the folder {path.parent} does not exist")
    to_file(baseline.text(run.targets, path), path, "--baseline")
    say("note", f"wrote {path}")


def _gate(params: Mapping[str, Any]) -> Gate:
    from compile_lint.cli.confirm import number
    from compile_lint.confirm.gate import kinds

    most = number(params["max_breaks"], "--max-breaks")
    recompiles = number(params["max_recompiles"], "--max-recompiles")
    under = _score(params["fail_under"])
    own = most is not None or under is not None
    default = tuple(kind for kind in DEFAULT if not (own and kind == _BREAK))
    fail_on = kinds(params["fail_on"]) if params["fail_on"] else default
    within = tuple(_scope(one) for one in params["within"])
    return Gate(fail_on, within, most, recompiles, under)


def _scope(text: str) -> str:
    """A package or a path; one that is written as a path must be there."""
    if not text.strip():
        raise ConfigError("--in: names nothing; give a package or a path")
    if ("/" in text or os.sep in text) and not os.path.exists(text):
        raise ConfigError(f"--in: {text}: no such file or folder")
    return text


def _score(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ConfigError(f"--fail-under: must be a number from 0 to 100, not {text!r}")
    return value


def _choice(value: str | None, choices: Sequence[str], place: str, default: str) -> str:
    if value is None:
        return default
    if value not in choices:
        raise ConfigError(f"{place}: {value!r} is not valid{hint(value, choices)}")
    return value
