"""Checks that every setting shares, of the linter and of targets alike: flags, choices and strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint


def plain(shape: str, choices: Sequence[str], value: object, place: str) -> bool | str:
    """A value of the shape `flag`, `choice`, or any other that is a string.

    Raises:
        ConfigError: it is of another type or no valid choice. `place` says where it stands.
    """
    if shape == "flag":
        if not isinstance(value, bool):
            raise wrong(place, "true or false", value)
        return value
    if not isinstance(value, str):
        raise wrong(place, "a string", value)
    if shape == "choice" and value not in choices:
        raise ConfigError(f"{place}: {value!r} is not valid{hint(value, choices)}")
    return value


def wrong(place: str, expected: str, value: object) -> ConfigError:
    """The error for a value of another kind."""
    return ConfigError(f"{place}: must be {expected}, not {_shown(value)}")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_shown(item) for item in value) + "]"
    return "a table" if isinstance(value, Mapping) else repr(value)
