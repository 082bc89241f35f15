"""`compile-lint ops --check`: operators are run on samples."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compile_lint.cli.confirm import check_torch
from compile_lint.cli.main import INTERRUPTED
from compile_lint.cli.output import check_target, say, to_file, to_stdout
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import COLORS
from compile_lint.config.nearest import hint

_APART = {"paths": "PATHS", "stub": "--stub", "names": "--name", "fail_on": "--fail-on"}


def check(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code: 1 if an operator does not stand up to its checks.

    Raises:
        ConfigError: an option or the samples cannot be used, or torch is not there.
    """
    from compile_lint.confirm.check_samples import DEFAULT_TIMEOUT, check_samples
    from compile_lint.confirm.report.operators import FORMATS, render
    from compile_lint.report import wants_color

    form = _choice(params["form"] or "text", FORMATS, "--format")
    color = _choice(params["color"] or "auto", COLORS, "--color")
    file = Path(params["output_file"]) if params["output_file"] else None
    if file is not None:
        check_target(file)
    for name, spelling in _APART.items():
        if params[name]:
            raise ConfigError(f"--check goes with no {spelling}: it runs all samples, and nothing else")
    timeout = _seconds(params["timeout"]) or DEFAULT_TIMEOUT
    check_torch("ops --check", "runs operators")
    try:
        seen = check_samples(params["check"], timeout=timeout)
    except KeyboardInterrupt:
        say("error", "interrupted")
        return INTERRUPTED
    verbosity = params["verbose"] - params["quiet"]
    if file is not None:
        to_file(render(seen, form), file)
    elif verbosity > -2:
        colored = form == "text" and wants_color(color, sys.stdout.isatty(), os.environ)
        to_stdout(render(seen, form, colored, verbosity))
    if any(one.status == "not-checked" for one in seen.operators):
        return 2
    return int(any(one.status != "passed" for one in seen.operators))


def _choice(value: str, choices: Sequence[str], place: str) -> str:
    if value not in choices:
        raise ConfigError(f"{place}: {value!r} is not valid{hint(value, choices)}")
    return value


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ConfigError(f"--timeout: {text!r} is no number of seconds above 0")
    return value
