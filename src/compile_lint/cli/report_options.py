"""The options of `report`: those of `decide` that say what is decided on, and where the page goes."""

from __future__ import annotations

from typing import Any

import click

from compile_lint.cli.confirm_options import REPORT, applied, option
from compile_lint.cli.decide_options import decision_options
from compile_lint.cli.group import Option


def report_options(function: Any) -> Any:
    """All options of `report`, in the order that the help shows them."""
    options = [
        *decision_options(),
        option(
            "--format",
            "html|markdown",
            REPORT,
            "Form of the page. [default: by the name of the file, else html]",
            name="form",
        ),
        option("--lang", "en|zh", REPORT, "Language of the page. [default: en]"),
        click.option(
            "-o",
            "--output-file",
            metavar="FILE",
            type=click.Path(),
            default=None,
            cls=Option,
            section=REPORT,
            help="Write the page here, not to standard output.",
        ),
    ]
    return applied(options, function)
