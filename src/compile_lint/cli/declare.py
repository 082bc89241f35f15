"""Options made from the table of settings, so that names, defaults and help are said once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from compile_lint.cli.group import Option
from compile_lint.config.errors import ConfigError
from compile_lint.config.keys import BY_NAME, Key

F = TypeVar("F", bound=Callable[..., Any])

OPTION_NAMES = {"entry-points": "entry"}
"""Settings whose option has another name."""

_REPEATED = ("codes", "globs", "strings", "paths", "kinds", "ignores", "outputs")
_SPLIT = ("codes", "globs", "paths", "kinds")
"""Shapes whose option takes a list with commas."""
_SPELT = 6
"""Choices that are spelt out in place of a value's name; more of them stand in the help."""
_METAVARS = {
    "codes": "CODES",
    "globs": "GLOBS",
    "strings": "PATTERN",
    "paths": "PATHS",
    "ignores": "GLOB:CODES",
    "version": "VERSION",
    "score": "SCORE",
    "path": "FILE",
    "outputs": "FORM[=FILE]",
    "count": "N",
}


def setting(name: str, section: str) -> Callable[[F], F]:
    """The option of one setting. Its value is None, or empty, where it is not given."""
    key = BY_NAME[name]
    option = OPTION_NAMES.get(name, name)
    spelling = f"--{option}"
    kwargs: dict[str, Any] = {"help": _help(key), "default": None, "cls": Option, "section": section}
    if key.shape == "flag":
        if key.default:
            spelling += f"/--no-{option}"
        else:
            kwargs["is_flag"] = True
            kwargs["flag_value"] = True
            kwargs["type"] = bool
    else:
        kwargs["metavar"] = _METAVARS.get(key.shape) or _choices(key)
        kwargs["multiple"] = key.shape in _REPEATED
        kwargs["shell_complete"] = completer(key)
        kwargs["type"] = click.Path() if key.shape in ("path", "paths") else str
    return click.option(spelling, name.replace("-", "_"), **kwargs)


def given(names: Sequence[str], params: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the options that were given, of the right types. ConfigError if one is not valid."""
    from compile_lint.config.values import check

    values: dict[str, Any] = {}
    for name in names:
        value = params.get(name.replace("-", "_"))
        if value is None or value == ():
            continue
        key = BY_NAME[name]
        place = f"--{OPTION_NAMES.get(name, name)}"
        values[name] = check(key, _typed(key, value, place), place)
    return values


def completer(key: Key) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Completes the value of an option: its choices, or the codes of rules."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        head, comma, word = incomplete.rpartition(",") if key.shape in _SPLIT else ("", "", incomplete)
        if key.shape in ("path", "paths"):
            return [CompletionItem(incomplete, type="file")]
        words = key.choices or (rule_codes() if key.shape == "codes" else ())
        return [CompletionItem(head + comma + choice) for choice in words if choice.startswith(word)]

    return complete


def rule_codes() -> tuple[str, ...]:
    """The codes of the shipped rules; none if they cannot be read, for completion must not fail."""
    from compile_lint._data import rules_root
    from compile_lint.rulebook import RuleError, load

    try:
        return load(rules_root()).codes
    except RuleError:
        return ()


def _choices(key: Key) -> str:
    return "|".join(key.choices) if len(key.choices) <= _SPELT else "FORM"


def _help(key: Key) -> str:
    if key.shape == "flag" or not key.default or key.shape == "globs" or key.name == "select":
        return key.help
    words = f"{key.help} One of: {', '.join(key.choices)}." if len(key.choices) > _SPELT else key.help
    default = ",".join(key.default) if isinstance(key.default, list) else key.default
    return f"{words} [default: {default}]"


def _typed(key: Key, value: Any, place: str) -> Any:
    """What TOML would have held: lists split, numbers read."""
    if key.shape in _SPLIT:
        return [part for item in value for part in split(item)]
    if key.shape == "ignores":
        return _ignores(value, place)
    if key.shape in ("score", "count"):
        return _number(value, float if key.shape == "score" else int)
    return value


def _number(value: Any, kind: Callable[[Any], Any]) -> Any:
    try:
        return kind(value)
    except ValueError:
        return value


def _ignores(values: Sequence[str], place: str) -> dict[str, list[str]]:
    """`glob:CODE,CODE` pairs, several to a value or a value each: a part without a colon is one more code."""
    found: dict[str, list[str]] = {}
    for value in values:
        glob = ""
        for part in split(value):
            before, colon, code = part.rpartition(":")
            if colon and before:
                glob = before
            elif not glob:
                raise ConfigError(f"{place}: {value!r} is not of the form GLOB:CODES, such as 'tests/**:CL6,CL7'")
            found.setdefault(glob, []).append(code.strip())
    return found


def split(text: str) -> list[str]:
    """A list with commas; those inside braces belong to a glob."""
    parts, depth, start = [], 0, 0
    for i, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth <= 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
