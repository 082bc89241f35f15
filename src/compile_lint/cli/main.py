"""The way in and out: arguments to exit code, and no traceback in between."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from compile_lint.cli.commands import cli
from compile_lint.config.errors import ConfigError

MANY_OBJECTS = 50_000
"""How many objects are made before the collector looks at them: rules and options alone are that many, and stay."""
FAILED = 2
"""The tool could not do its job."""
INTERRUPTED = 130
"""As shells say of a program that was stopped by Ctrl-C."""
BROKEN_PIPE = 141
"""As shells say of a program whose reader has gone."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    arguments = list(sys.argv[1:] if args is None else args)
    gc.set_threshold(MANY_OBJECTS)
    try:
        code = run(arguments)
    except BrokenPipeError:
        code = BROKEN_PIPE
    except KeyboardInterrupt:
        code = _interrupted()
    try:
        sys.stdout.flush()
    except OSError:
        _silence_stdout()
    sys.exit(code)


def run(args: list[str]) -> int:
    """Run the command line. Nothing but BrokenPipeError and KeyboardInterrupt is raised."""
    _prepare_streams()
    try:
        code = cli.main(args, prog_name="compile-lint", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except ConfigError as error:
        return _failed(str(error))
    except click.ClickException as error:
        error.show()
        return FAILED
    except click.Abort:
        return _interrupted()
    except BrokenPipeError:
        raise
    except Exception as error:
        return _internal(error, args)


def _prepare_streams() -> None:
    """Make writing safe: a closed stream swallows, and what an encoding lacks is spelt out and stops nothing."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _failed(words: str) -> int:
    from compile_lint.cli.output import say

    say("error", words)
    return FAILED


def _interrupted() -> int:
    click.echo("compile-lint: interrupted", err=True)
    return INTERRUPTED


def _internal(error: Exception, args: Sequence[str]) -> int:
    """A fault of the tool itself: one line, and the traceback for those who ask for it."""
    if os.environ.get("COMPILE_LINT_TRACEBACK") or _asks_for_traceback(args):
        import traceback

        traceback.print_exception(error)
    from compile_lint import __version__
    from compile_lint.cli.output import say

    kind = type(error).__name__
    say("error", f"compile-lint {__version__}, internal error: {kind}: {error}")
    say("note", "please report it, with what COMPILE_LINT_TRACEBACK=1 adds")
    return FAILED


def _asks_for_traceback(args: Sequence[str]) -> bool:
    short = sum(
        arg.count("v") for arg in args if arg.startswith("-") and not arg.startswith("--") and set(arg[1:]) <= set("vq")
    )
    return short + sum(arg == "--verbose" for arg in args) >= 2


def _silence_stdout() -> None:
    """Keep the interpreter from complaining, at its end, about output that nobody reads."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
