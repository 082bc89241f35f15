"""Finding and reading the configuration file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import ALIASES, BY_NAME, ONLY_OPTIONS
from compile_lint.config.nearest import hint
from compile_lint.config.values import check

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OWN_NAME = "compile-lint.toml"
PYPROJECT = "pyproject.toml"
SECTION = "tool.compile-lint"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file, checked: values by key. Relative globs and paths in it start at its folder."""

    path: Path
    shown: str
    prefix: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)

    def place(self, key: str) -> str:
        """How a complaint names a key of it."""
        return f"{self.shown}: {self.prefix}{key}"


class BrokenFileError(ConfigError):
    """A file that is no TOML: nobody can tell whether it configures anything."""

    def __init__(self, path: Path, words: str) -> None:
        super().__init__(f"{shown(path)}: {words}")
        self.path = shown(path)
        self.words = words


def find(start: Path) -> Path | None:
    """The nearest configuration at or above `start`: compile-lint.toml, or a pyproject.toml that has the section.

    Raises:
        BrokenFileError: a pyproject.toml on the way cannot be read or is no TOML.
    """
    for folder in (start, *start.parents):
        own = folder / OWN_NAME
        if own.is_file():
            return own
        project = folder / PYPROJECT
        if project.is_file() and _section(_toml(project)) is not None:
            return project
    return None


def read(path: Path) -> ConfigFile:
    """The configuration at `path`: the section of a pyproject.toml, or the whole of any other file.

    Raises:
        BrokenFileError: it cannot be read or is no TOML.
        ConfigError: a key or a value in it is not valid.
    """
    table = _toml(path)
    section = _section(table)
    prefix = f"{SECTION}."
    if section is None:
        if path.name == PYPROJECT:
            raise ConfigError(f"{shown(path)}: has no section [{SECTION}]")
        section, prefix = table, ""
    if not isinstance(section, Mapping):
        raise ConfigError(f"{shown(path)}: {SECTION}: must be a table")
    found = ConfigFile(path, shown(path), prefix)
    return ConfigFile(path, found.shown, prefix, _values(section, found))


def shown(path: Path) -> str:
    """A path as short as it can be said from the working directory."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _values(section: Mapping[str, Any], file: ConfigFile) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in section.items():
        name = ALIASES.get(key, key)
        if name in ONLY_OPTIONS:
            raise ConfigError(f"{file.place(key)}: is an option of the command line only")
        if name not in BY_NAME:
            raise ConfigError(f"{file.place(key)}: unknown key{hint(key, [*BY_NAME, *ALIASES])}")
        if name in values:
            raise ConfigError(f"{file.place(key)}: is another name of {name!r}, which is given too")
        values[name] = check(BY_NAME[name], value, file.place(key))
    return values


def _toml(path: Path) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        return table
    except OSError as error:
        raise BrokenFileError(path, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BrokenFileError(path, "is not UTF-8 text") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenFileError(path, f"is not valid TOML: {error}") from error


def _section(table: Mapping[str, Any]) -> Any:
    tool = table.get("tool")
    return tool.get("compile-lint") if isinstance(tool, Mapping) else None
