"""`compile-lint init`."""

from __future__ import annotations

from pathlib import Path

import click

from compile_lint.config.errors import ConfigError
from compile_lint.config.file import OWN_NAME, shown
from compile_lint.config.template import template


def write_configuration(folder: str, force: bool) -> None:
    """Write a commented compile-lint.toml into the folder. ConfigError if it cannot be, or would replace one."""
    path = Path(folder) / OWN_NAME
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as stream:
            stream.write(template())
    except FileExistsError:
        raise ConfigError(f"{path}: is there already; --force replaces it") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror or error}") from error
    click.echo(f"wrote {shown(path.absolute())}")
