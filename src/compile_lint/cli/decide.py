"""`compile-lint decide`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compile_lint.cli.decisions import subjects
from compile_lint.cli.output import check_target, to_file, to_stdout
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import COLORS
from compile_lint.config.nearest import hint

FAIL_ON = ("no-go", "conditions", "none")
_FAILS = {"no-go": ("no-go",), "conditions": ("no-go", "conditions"), "none": ()}


def decide(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code.

    Raises:
        ConfigError: an option, a record or the configuration cannot be used.
    """
    from compile_lint.decision.report import FORMATS, render
    from compile_lint.report import wants_color
    from compile_lint.report_page.catalogue import LANGUAGES

    form = _choice(params["form"], FORMATS, "--format", "text")
    language = _choice(params["lang"], LANGUAGES, "--lang", "en")
    color = _choice(params["color"], COLORS, "--color", "auto")
    fails = _FAILS[_choice(params["fail_on"], FAIL_ON, "--fail-on", "none")]
    file = Path(params["output_file"]) if params["output_file"] else None
    if file is not None:
        check_target(file)
    decisions = [one.decision for one in subjects(params)]
    colored = form == "text" and wants_color(
        color, file is None and sys.stdout.isatty(), os.environ if file is None else {}
    )
    if file is not None:
        to_file(render(decisions, form, language, colored, params["quiet"] > 0), file)
    elif params["quiet"] < 2:
        to_stdout(render(decisions, form, language, colored, params["quiet"] > 0))
    return int(any(one.verdict in fails for one in decisions))


def _choice(value: str | None, choices: Sequence[str], place: str, default: str) -> str:
    if value is None:
        return default
    if value not in choices:
        raise ConfigError(f"{place}: {value!r} is not valid{hint(value, choices)}")
    return value
