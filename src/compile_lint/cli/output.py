"""Writing: the report to its place, and words to the user beside it."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from compile_lint.config.errors import ConfigError

_COLORS = {"error": "red", "note": "cyan"}


def say(label: str, words: str) -> None:
    """One line on standard error: an `error` or a `note`."""
    from compile_lint.report.paint import Paint, safe, wants_color

    paint = Paint(wants_color("auto", sys.stderr.isatty(), os.environ))
    line = " ".join(safe(part.strip()) for part in words.splitlines())
    with contextlib.suppress(OSError):  # nobody listens: the exit code still tells
        sys.stderr.write(f"{paint(label + ':', _COLORS[label], 'bold')} {line}\n")
        sys.stderr.flush()


def to_stdout(text: str) -> None:
    """Write to standard output. Not by click.echo: that would decide anew on colours and encoding.

    Raises:
        BrokenPipeError: the reader has gone.
        ConfigError: it cannot be written for another reason.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ConfigError(f"standard output: cannot be written: {error.strerror or error}") from error


def check_target(path: Path, place: str = "--output-file") -> None:
    """Tell early that a report cannot be written where it was asked for. ConfigError, naming the place, if so."""
    if path.is_dir():
        raise ConfigError(f"{place}: {path}: is a folder; name a file in it")
    if not path.parent.is_dir():
        raise ConfigError(f"{place}: {path}: the folder {path.parent} does not exist")


def to_file(text: str, path: Path, place: str = "--output-file") -> None:
    """Write a report to a file: whole or not at all. ConfigError, naming the place, if it cannot be written."""
    data = text.encode("utf-8", "backslashreplace")
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():  # a pipe or a device: there is nothing to replace
            target.write_bytes(data)
        else:
            replace_file(target, data)
    except OSError as error:
        raise ConfigError(f"{place}: {path}: cannot be written: {error.strerror or error}") from error


def replace_file(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all, through links and with the mode that it had. OSError if it cannot be."""
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name[:64]}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(data)
        if target.exists():
            if not os.access(target, os.W_OK):  # to replace it would go round its protection
                raise PermissionError(13, "Permission denied")
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
