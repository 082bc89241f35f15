"""The options of `confirm` and `merge`. Those of targets come from the table of their keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from compile_lint.cli.group import Option
from compile_lint.config.target_keys import TARGET_BY_NAME, TargetKey

INPUTS = "What it is called with"
RUN = "How it runs"
WORKERS = "Workers"
REPORT = "Report"
GATE = "Exit code"
CONFIG = "Configuration"

FORMATS = "text|json|github|markdown"

TARGET_SETTINGS = {
    "input": INPUTS,
    "inputs": INPUTS,
    "init": INPUTS,
    "vary": INPUTS,
    "seed": INPUTS,
    "device": RUN,
    "dtype": RUN,
    "train": RUN,
    "grad": RUN,
    "dynamic": RUN,
    "mode": RUN,
    "backend": RUN,
    "torch-config": RUN,
    "fake": RUN,
    "timeout": WORKERS,
    "memory-limit": WORKERS,
}
"""Keys of a target, each with the heading that the help shows its option under."""

_METAVARS = {
    "input": "SPEC",
    "inputs": "FILE:FUNCTION",
    "init": "NAME=VALUE",
    "vary": "NAME.DIM=SIZES",
    "seed": "N",
    "device": "DEVICE",
    "dtype": "DTYPE",
    "mode": "MODE",
    "backend": "NAME",
    "torch-config": "KEY=VALUE",
    "timeout": "SECONDS",
    "memory-limit": "SIZE",
}
_REPEATED = ("input", "init", "vary", "torch-config")

Decorator = Callable[[Any], Any]


def confirm_options(function: Any) -> Any:
    """All options of `confirm`, in the order that the help shows them."""
    options = [option for name, section in TARGET_SETTINGS.items() for option in target_option(name, section)]
    options += [
        option("--project", "PATH", RUN, "Another folder or file that counts as your own code.", multiple=True),
        option("--jobs", "N", WORKERS, "Workers at a time. [default: 1]", name="jobs"),
        option("--shard", "I/N", WORKERS, "Run only the I-th of N shares of the targets; `merge` joins the results."),
        *_report_options(),
        flag("--update-confidence", REPORT, "Say which rules were wrong here. Nothing is written."),
        *_gate_options(),
        option("--config", "FILE", CONFIG, "Configuration to use in place of the nearest.", path=True),
        flag("--isolated", CONFIG, "Use no configuration file."),
    ]
    return applied(options, function)


def merge_options(function: Any) -> Any:
    """All options of `merge`."""
    return applied([*_report_options(), *_gate_options()], function)


def target_values(params: dict[str, Any]) -> dict[str, Any]:
    """The values of the options of targets that were given, by key."""
    values = {name: params[name.replace("-", "_")] for name in TARGET_SETTINGS}
    return {name: value for name, value in values.items() if value is not None and value != ()}


def target_option(name: str, section: str) -> list[Decorator]:
    """The option, or the options, of one key of a target."""
    key = TARGET_BY_NAME[name]
    if name == "train":
        return [
            switch("--train/--eval", "train", section, "Training or evaluation mode. Default: as the target has it.")
        ]
    if name == "dynamic":
        return [switch("--dynamic/--no-dynamic", "dynamic", section, key.help)]
    if name == "fake":
        return [flag("--fake", section, key.help, unset=None)]
    if name == "grad":
        words = {"grad": "Record gradients. The default.", "no-grad": "Under torch.no_grad()."}
        words["inference-mode"] = "Under torch.inference_mode()."
        return [
            click.option(f"--{value}", "grad", flag_value=value, default=None, cls=Option, section=section, help=text)
            for value, text in words.items()
        ]
    return [option(f"--{name}", _metavar(key), section, _help(key), multiple=name in _REPEATED)]


def _metavar(key: TargetKey) -> str:
    return _METAVARS[key.name]


def _help(key: TargetKey) -> str:
    choices = f" One of: {', '.join(key.choices)}." if key.choices else ""
    default = f" [default: {key.default}]" if key.default else ""
    return f"{key.help}{choices}{default}"


def _report_options() -> Sequence[Decorator]:
    return [
        option("--format", FORMATS, REPORT, "Form of the report. [default: text]", name="form"),
        option("--output-file", "FILE", REPORT, "Write the report here, not to the terminal.", path=True),
        option("--color", "auto|always|never", REPORT, "Colour the report. [default: auto]"),
        click.option("-q", "--quiet", count=True, cls=Option, section=REPORT, help="The summary only; twice: nothing."),
        click.option("-v", "--verbose", count=True, cls=Option, section=REPORT, help="Every finding with its verdict."),
    ]


def _gate_options() -> Sequence[Decorator]:
    return [
        option(
            "--fail-on",
            "KINDS",
            GATE,
            "error, wrong, break, recompile, operator, any or none. "
            "[default: error,wrong,break; without break where --max-breaks or --fail-under is given]",
            multiple=True,
        ),
        option("--in", "PACKAGE|PATH", GATE, "Count only what lies there in your code.", name="within", multiple=True),
        option("--max-breaks", "N", GATE, "So many lines may break the graph."),
        option("--max-recompiles", "N", GATE, "So many recompilations are allowed."),
        option("--fail-under", "SCORE", GATE, "Exit with 1 if the measured score of the run is lower, 0 to 100."),
        option("--baseline", "FILE", GATE, "Breaks in this file are accepted.", path=True),
        flag("--write-baseline", GATE, "Accept the breaks of this run: write them to the --baseline file."),
    ]


def option(
    spelling: str, metavar: str, section: str, words: str, name: str = "", multiple: bool = False, path: bool = False
) -> Decorator:
    """An option that takes a value."""
    names = [spelling, name] if name else [spelling]
    kind: Any = click.Path() if path else str
    return click.option(
        *names, metavar=metavar, type=kind, default=None, multiple=multiple, cls=Option, section=section, help=words
    )


def flag(spelling: str, section: str, words: str, unset: Any = False) -> Decorator:
    """An option without a value."""
    return click.option(
        spelling, is_flag=True, flag_value=True, type=bool, default=unset, cls=Option, section=section, help=words
    )


def switch(spelling: str, name: str, section: str, words: str) -> Decorator:
    """Two spellings, for true and for false; None where neither is given."""
    return click.option(spelling, name, default=None, cls=Option, section=section, help=words)


def applied(options: Sequence[Decorator], function: Any) -> Any:
    """The function with all these options."""
    for option in reversed(options):
        function = option(function)
    return function
