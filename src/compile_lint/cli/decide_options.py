"""The options of `decide`, of which `report` shares those that say what is decided on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from compile_lint.cli.confirm_options import CONFIG, GATE, REPORT, Decorator, applied, flag, option
from compile_lint.cli.group import Option
from compile_lint.config.business_keys import BUSINESS_KEYS

MONEY = "Money and traffic"
BASIS = "What it rests on"


def decide_options(function: Any) -> Any:
    """All options of `decide`, in the order that the help shows them."""
    options = [
        *decision_options(),
        option("--format", "text|json|markdown", REPORT, "Form of the report. [default: text]", name="form"),
        option("--lang", "en|zh", REPORT, "Language of the report. [default: en]"),
        option("--output-file", "FILE", REPORT, "Write the report here, not to the terminal.", path=True),
        option("--color", "auto|always|never", REPORT, "Colour the report. [default: auto]"),
        click.option(
            "-q", "--quiet", count=True, cls=Option, section=REPORT, help="No checklist and formulas; twice: nothing."
        ),
        option(
            "--fail-on",
            "VERDICT",
            GATE,
            "Exit with 1 where a verdict is no-go, or is no-go or conditions. [default: none]",
        ),
    ]
    return applied(options, function)


def decision_options() -> Sequence[Decorator]:
    """What is decided on: business figures, assumptions and the configuration that holds such figures."""
    return [
        *(option(f"--{key.name}", key.metavar, MONEY, _help(key.help, key.default)) for key in BUSINESS_KEYS),
        option(
            "--assume",
            "NAME=VALUE",
            BASIS,
            "A figure that was not measured: eager_ms, compiled_ms, saving, cold_s, warm_s and others; "
            "VALUE is such as 5000, 30%, 0.28..0.32 or 0.3+-0.02; TARGET:NAME=VALUE is for one target.",
            multiple=True,
        ),
        option("--name", "NAME", BASIS, "What the model is called, where no record is given. [default: model]"),
        option("--config", "FILE", CONFIG, "Configuration to use in place of the nearest.", path=True),
        flag("--isolated", CONFIG, "Use no configuration file."),
    ]


def _help(words: str, default: object) -> str:
    return words if default is None else f"{words} [default: {default}]"
