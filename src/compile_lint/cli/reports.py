"""The reports of one run: which there are, where each goes, and writing them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compile_lint.cli.output import check_target, say, to_file, to_stdout
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import COUNTED_FORMATS, TOOL_FORMATS
from compile_lint.config.options import Options
from compile_lint.report import LinesOf, Run, render, wants_color

_COLORED = ("text", "concise", "grouped")
_FINGERPRINTED = ("gitlab", "sarif")
_SUMMARY = "GITHUB_STEP_SUMMARY"
_SUMMARY_MOST = 1_000_000
"""Bytes that GitHub takes for the summary of one step are 1,048,576; a longer one is not shown at all."""


@dataclass(frozen=True, slots=True)
class Report:
    """One report: its form, and its file, None for one that is printed. `place` is the option that asked for it."""

    form: str
    path: Path | None
    place: str
    statistics: bool = False


def reports(options: Options) -> tuple[Report, ...]:
    """The reports that a run writes, the main one first.

    Raises:
        ConfigError: one cannot be written where it was asked for, or two of them would get into each other's way.
    """
    main = Report(options.format, options.output_file, "--output-file", options.statistics)
    found = (main, *(Report(form, path, "--output") for form, path in options.outputs))
    if options.statistics and main.form not in COUNTED_FORMATS:
        raise ConfigError(f"--statistics: goes with --format {', '.join(COUNTED_FORMATS)}, not with {main.form}")
    _check_files(found)
    _check_printed([report.form for report in found if report.path is None])
    return found


def need_fingerprints(given: Sequence[Report]) -> bool:
    """Whether a report tells what its findings are known by."""
    return any(report.form in _FINGERPRINTED for report in given)


def write(run: Run, given: Sequence[Report], color: str, verbosity: int, lines_of: LinesOf) -> list[str]:
    """Write all reports, files before what is printed. Gives what went wrong with files, in words.

    Raises:
        BrokenPipeError: the reader of standard output has gone.
        ConfigError: standard output cannot be written for another reason.
    """
    failed = []
    for report in given:
        if report.path is not None:
            try:
                to_file(_text(run, report, color == "always", verbosity, lines_of), report.path, report.place)
            except ConfigError as error:
                failed.append(str(error))
    if any(report.form == "github" and (report.path or verbosity > -2) for report in given):
        _add_summary(run, given, os.environ)
    if verbosity > -2:
        _print(run, [report for report in given if report.path is None], color, verbosity, lines_of)
    return failed


def _print(run: Run, given: Sequence[Report], color: str, verbosity: int, lines_of: LinesOf) -> None:
    from compile_lint.report.workflow import plain

    colored = wants_color(color, sys.stdout.isatty(), os.environ)
    commands = any(report.form == "github" for report in given)
    for report in given:
        text = _text(run, report, colored, verbosity, lines_of)
        to_stdout(plain(text) if commands and report.form != "github" else text)


def _text(run: Run, report: Report, color: bool, verbosity: int, lines_of: LinesOf) -> str:
    return render(run, report.form, lines_of, color and report.form in _COLORED, verbosity, report.statistics)


def _check_files(given: Sequence[Report]) -> None:
    seen: set[str] = set()
    for report in given:
        if report.path is None:
            continue
        check_target(report.path, report.place)
        real = os.path.realpath(report.path)
        if real in seen and not (os.path.exists(real) and not os.path.isfile(real)):
            raise ConfigError(f"{report.place}: {report.path}: another report goes to this file already")
        seen.add(real)


def _check_printed(forms: Sequence[str]) -> None:
    """What a program reads whole stands alone on standard output."""
    for form in forms:
        if form in TOOL_FORMATS and len(forms) > 1:
            other = next((one for one in forms if one != form), form)
            raise ConfigError(
                f"--output: {form} and {other} would both be printed, and what reads {form} could not; "
                f"name a file for one of them, such as --output {form}=FILE"
            )


def _add_summary(run: Run, given: Sequence[Report], environ: Mapping[str, str]) -> None:
    """Add the Markdown report to the summary of the job, which GitHub shows below its annotations."""
    from compile_lint.report import markdown

    path = environ.get(_SUMMARY, "")
    if not path or any(report.path and os.path.realpath(report.path) == os.path.realpath(path) for report in given):
        return
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(markdown.render(run, _SUMMARY_MOST - stream.tell()))
    except OSError as error:
        say("note", f"${_SUMMARY}: {path}: cannot be written: {error.strerror or error}")
