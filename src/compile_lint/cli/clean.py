"""`compile-lint clean`, and the cache that `check` uses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from compile_lint.cli.output import say
from compile_lint.cli.setup import configuration
from compile_lint.config.errors import ConfigError
from compile_lint.config.file import shown
from compile_lint.config.options import Options, cache_dir

if TYPE_CHECKING:
    from compile_lint.cache import Folder


def remove_cache(folder: str | None, config: str | None, isolated: bool) -> None:
    """Remove the cache of `check` in this folder. ConfigError where that is not possible."""
    from compile_lint.cache import CacheError, clean

    file, _ = configuration(config, isolated, ["."])
    path = cache_dir({} if folder is None else {"cache-dir": folder}, file, Path.cwd())
    try:
        removed = clean(path)
    except CacheError as error:
        raise ConfigError(str(error)) from error
    click.echo(f"removed {shown(path)}" if removed else f"nothing to remove: {shown(path)} is not there")


def cache_of(options: Options, verbosity: int) -> Folder | None:
    """The cache of a run; None, and a note, where it cannot be used: a run needs none."""
    if options.cache_dir is None:
        return None
    from compile_lint.cache import CacheError, Folder

    try:
        return Folder(options.cache_dir)
    except CacheError as error:
        if verbosity > 0:
            say("note", f"{error}; nothing is remembered")
        return None
