"""The options of `bench`."""

from __future__ import annotations

from typing import Any

import click

from compile_lint.cli.confirm_options import (
    CONFIG,
    INPUTS,
    REPORT,
    RUN,
    WORKERS,
    applied,
    flag,
    option,
    switch,
    target_option,
)
from compile_lint.cli.group import Option

MEASURED = "What is measured"
SIZES = "Input sizes"
COMPARE = "Comparing two records"
FORMATS = "text|json|markdown"

_TARGET = {
    "input": INPUTS,
    "inputs": INPUTS,
    "init": INPUTS,
    "seed": INPUTS,
    "device": RUN,
    "dtype": RUN,
    "train": RUN,
    "grad": RUN,
    "mode": RUN,
    "torch-config": RUN,
    "timeout": WORKERS,
    "memory-limit": WORKERS,
}


def bench_options(function: Any) -> Any:
    """All options of `bench`, in the order that the help shows them."""
    options = [each for name, section in _TARGET.items() for each in target_option(name, section)]
    options += [
        switch("--dynamic/--no-dynamic", "dynamic", RUN, "`dynamic` of torch.compile."),
        option("--backend", "NAME", RUN, "`backend` of torch.compile. [default: inductor]"),
        option("--project", "PATH", RUN, "Another folder or file that counts as your own code.", multiple=True),
        option("--repeats", "N", MEASURED, "Repeats of eager and of compiled calls, which take turns. [default: 5]"),
        option("--calls", "N", MEASURED, "Calls of a repeat. Default: as many as --seconds allow, 3 to 200."),
        option("--seconds", "SECONDS", MEASURED, "Time for eager and compiled calls together. [default: 4]"),
        option("--starts", "N", MEASURED, "Fresh processes for each kind of start. [default: 2]"),
        flag("--no-cold", MEASURED, "Make one cold start only, however many --starts say."),
        flag("--no-warm", MEASURED, "Make no start with a full compile cache."),
        flag("--no-artifacts", MEASURED, "Make no start with portable cache artifacts."),
        flag("--no-confirm", MEASURED, "Do not look for graph breaks."),
        option("--traffic", "FILE", SIZES, "CSV of requests by input size.", path=True),
        option("--vary", "NAME.DIM=SIZES", SIZES, "Sizes of one request each, such as x.0=1,2,4,8.", multiple=True),
        option("--sizes", "N", SIZES, "Distinct sizes that are run under each remedy. [default: 6]"),
        option("--buckets", "N", SIZES, "Bucket edges that may be proposed, in each dimension. [default: 8]"),
        flag("--no-remedies", SIZES, "Measure the traffic as it is, and no remedy."),
        click.option(
            "--compare",
            nargs=2,
            metavar="OLD NEW",
            type=click.Path(),
            default=None,
            cls=Option,
            section=COMPARE,
            help="Measure nothing: say what changed from one record to the other, beyond the noise.",
        ),
        flag("--fail-slower", COMPARE, "Exit with 1 if something got worse beyond the noise."),
        option("--format", FORMATS, REPORT, "Form of the report. [default: text]", name="form"),
        option("--output-file", "FILE", REPORT, "Write the report here, not to the terminal.", path=True),
        option("--save", "FILE", REPORT, "Write the record (JSON) here, besides the report.", path=True),
        option("--color", "auto|always|never", REPORT, "Colour the report. [default: auto]"),
        click.option("-q", "--quiet", count=True, cls=Option, section=REPORT, help="No report on standard output."),
        option("--config", "FILE", CONFIG, "Configuration to use in place of the nearest.", path=True),
        flag("--isolated", CONFIG, "Use no configuration file."),
    ]
    return applied(options, function)


def target_values(params: dict[str, Any]) -> dict[str, Any]:
    """The values of the options of targets that were given, by key."""
    values = {name: params[name.replace("-", "_")] for name in (*_TARGET, "dynamic", "backend")}
    return {name: value for name, value in values.items() if value is not None and value != ()}
