"""The options of `ops`."""

from __future__ import annotations

from typing import Any

import click

from compile_lint.cli.declare import setting
from compile_lint.cli.group import Option

OPS_SETTINGS = {
    "exclude": "Choosing files",
    "extend-exclude": "Choosing files",
    "respect-gitignore": "Choosing files",
    "target-torch": "What is predicted",
    "entry-points": "What is predicted",
}
"""Settings that the command shares with `check`, each with the heading that the help shows its option under."""

_SHOWN = "Choosing operators"
_REPORT = "Report"
_CHECK = "Running operators"


def ops_options(function: Any) -> Any:
    """All options of `ops`, in the order that the help shows them."""
    options = [
        _option("--name", "names", metavar="GLOB", multiple=True, section=_SHOWN, help="Only operators of such names."),
        *(setting(name, section) for name, section in OPS_SETTINGS.items()),
        _option("--format", "form", metavar="text|json|markdown", section=_REPORT, help="Form. [default: text]"),
        _option(
            "--output-file",
            metavar="FILE",
            section=_REPORT,
            type=click.Path(),
            help="Write it here, not to the terminal.",
        ),
        _option("--color", metavar="auto|always|never", section=_REPORT, help="Colour the report. [default: auto]"),
        _option("-q", "--quiet", count=True, section=_REPORT, help="The summary only; twice: nothing."),
        _option("-v", "--verbose", count=True, section=_REPORT, help="Every place where an operator is called."),
        _option(
            "--stub", metavar="NAME", section="Writing", help="Print what the operator lacks, ready to be filled in."
        ),
        _option(
            "--check",
            metavar="FILE:SAMPLES",
            section=_CHECK,
            help="Run the operators on samples: a dict of names with lists of argument tuples, or what returns one.",
        ),
        _option("--timeout", metavar="SECONDS", section=_CHECK, help="Until an operator is given up. [default: 300]"),
        _option(
            "--fail-on",
            metavar="VERDICTS",
            multiple=True,
            section="Exit code",
            help="Verdicts that make the exit code 1: raises, risk, splits, unknown, any or none. [default: none]",
        ),
        _option(
            "--config",
            metavar="FILE",
            type=click.Path(),
            section="Configuration",
            help="Configuration to use in place of the nearest.",
        ),
        _option("--isolated", is_flag=True, section="Configuration", help="Use no configuration file."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def _option(*names: str, section: str, **kwargs: Any) -> Any:
    return click.option(*names, cls=Option, section=section, **kwargs)
