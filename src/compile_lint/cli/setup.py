"""What every command starts from: the configuration and the rules."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compile_lint._data import rules_root
from compile_lint.config.errors import ConfigError
from compile_lint.config.file import BrokenFileError, ConfigFile, find, read
from compile_lint.config.options import extend_rules
from compile_lint.findings import FileError
from compile_lint.rulebook import Rulebook, RuleError, load


def configuration(
    config: str | None, isolated: bool, paths: Sequence[str]
) -> tuple[ConfigFile | None, tuple[FileError, ...]]:
    """The configuration for these paths, and what stood in the way of finding it.

    A file on the way up that is no TOML does not keep the rest from being linted; one that was named, or says something
    that is not valid, does.

    Raises:
        ConfigError: it cannot be used.
    """
    if config and isolated:
        raise ConfigError("--isolated: goes with no --config")
    if isolated:
        return None, ()
    if config:
        path = Path(os.path.abspath(config))
        if not path.is_file():
            raise ConfigError(f"--config: {config}: no such file")
        return read(path), ()
    try:
        found = find(start_folder(paths))
        return (None if found is None else read(found)), ()
    except BrokenFileError as error:
        return None, (FileError(error.path, f"{error.words}; linted with the default settings"),)


def start_folder(paths: Sequence[str]) -> Path:
    """The folder that the search for a configuration goes up from: the one that all paths lie in."""
    absolute = [os.path.abspath(path) for path in paths if path != "-"] or [os.getcwd()]
    try:
        common = os.path.commonpath(absolute)
    except ValueError:  # paths on several drives
        common = absolute[0]
    return Path(common if os.path.isdir(common) else os.path.dirname(common))


def rules(given: Mapping[str, Any], file: ConfigFile | None, examples: bool = True) -> Rulebook:
    """The shipped rules, with their `examples` or without, and the user's own. ConfigError if one cannot be read."""
    extra = extend_rules(given, file, Path.cwd())
    for path in extra:
        if not path.exists():
            place = "--extend-rules" if "extend-rules" in given or file is None else file.place("extend-rules")
            raise ConfigError(f"{place}: {path}: no such file or folder")
    try:
        return load(rules_root(), extra, examples)
    except RuleError as error:
        raise ConfigError(str(error)) from error
