"""From the texts of a command line and of a configuration to targets with every setting resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compile_lint.config.errors import ConfigError
from compile_lint.config.file import ConfigFile
from compile_lint.config.nearest import hint
from compile_lint.config.target_keys import TARGET_BY_NAME, TARGET_KEYS
from compile_lint.config.target_values import check
from compile_lint.confirm.target import Target
from compile_lint.confirm.targets import grammar, settings
from compile_lint.confirm.targets.names import reference
from compile_lint.confirm.targets.vary import vary

OPTIONS = tuple(key.name for key in TARGET_KEYS if key.name not in ("name", "target"))
"""The keys that `given` may hold: each has an option of its name."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a value stands: how a complaint names it, and the folder that relative paths start at."""

    place: str
    base: Path


class _Values:
    """The values of one target: options over its table over defaults."""

    def __init__(self, given: Mapping[str, Any], table: Mapping[str, Any], option: _Source, file: _Source) -> None:
        self.given = given
        self.table = table
        self.option = option
        self.file = file

    def source(self, name: str) -> _Source:
        """Where the value that counts was given."""
        if name in self.given:
            return _Source(f"--{name}", self.option.base)
        return _Source(f"{self.file.place}: {name}", self.file.base)

    def one(self, name: str) -> Any:
        """The value that counts. Inputs of either kind replace those of the other kind below them."""
        if name in self.given:
            return self.given[name]
        if name in ("input", "inputs") and ("input" in self.given or "inputs" in self.given):
            return TARGET_BY_NAME[name].default
        return self.table.get(name, TARGET_BY_NAME[name].default)


def resolve(arguments: Sequence[str], given: Mapping[str, Any], file: ConfigFile | None, cwd: Path) -> list[Target]:
    """The targets that the arguments name, in their order; without arguments all of the configuration.

    Args:
        arguments: `path/file.py:name`, `package.module:name` or names of targets in the configuration.
        given: values of options by key (OPTIONS), as texts or already typed; None and () mean not given.
            `torch-config` holds KEY=VALUE texts. They count for every target, over the configuration.
        file: the configuration, if there is one.
        cwd: the working directory, absolute.

    Raises:
        ConfigError: a name that does not exist, two targets of one name, or a value that is not valid.
    """
    options = _options(given)
    tables = _tables(file)
    if not arguments and not tables:
        raise ConfigError(
            "no target: name one, such as file.py:name, or put [[tool.compile-lint.target]] tables with `name` and "
            "`target` into pyproject.toml (`compile-lint init` shows the keys)"
        )
    named = list(arguments) or list(tables)
    for name in named:
        if named.count(name) > 1:
            raise ConfigError(f"{name}: is given twice")
    return [_target(name, options, tables, file, cwd) for name in named]


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, checked."""
    values: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value == () or value == []:
            continue
        if name not in OPTIONS:
            raise ConfigError(f"--{name}: is no setting of a target{hint(name, OPTIONS)}")
        if name == "torch-config" and not isinstance(value, Mapping):
            value = settings.torch_config((value,) if isinstance(value, str) else value, f"--{name}")
        values[name] = check(TARGET_BY_NAME[name], value, f"--{name}")
    if "input" in values and "inputs" in values:
        raise ConfigError("--input: goes with no --inputs")
    return values


def _tables(file: ConfigFile | None) -> dict[str, Mapping[str, Any]]:
    return {} if file is None else {table["name"]: table for table in file.values.get("target", ())}


def _target(
    name: str, options: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]], file: ConfigFile | None, cwd: Path
) -> Target:
    option = _Source("", cwd)
    if file is not None and name in tables:
        source = _Source(f"{file.place('target')} {name!r}", file.path.parent)
        values = _Values(options, tables[name], option, source)
        found = reference(tables[name]["target"], source.base, f"{source.place}: target")
    elif ":" not in name and tables and not name.endswith(".py"):
        raise ConfigError(f"{name}: no target of that name is configured{hint(name, tables)}")
    else:
        values = _Values(options, {}, option, option)
        found = reference(name, cwd, "TARGET")
    return _filled(name, found.text, values, _config(values, file))


def _config(values: _Values, file: ConfigFile | None) -> dict[str, settings.Setting]:
    """Settings of torch: the configuration's, the target's own, the options', the later over the earlier."""
    merged: dict[str, settings.Setting] = {}
    if file is not None:
        merged.update(file.values.get("torch-config", {}))
    for source, layer in ((f"{values.file.place}: torch-config", values.table), ("--torch-config", values.given)):
        merged.update(settings.checked_config(layer.get("torch-config", {}), source))
    return merged


def _filled(name: str, target: str, values: _Values, torch_config: dict[str, settings.Setting]) -> Target:
    inputs, source = values.one("inputs"), values.source("inputs")
    return Target(
        name=name,
        target=target,
        input=_arguments(values, "input"),
        inputs=reference(inputs, source.base, source.place).text if inputs else "",
        init=_arguments(values, "init"),
        vary=_vary(values),
        device=settings.device(values.one("device"), values.source("device").place),
        dtype=settings.dtype(values.one("dtype"), values.source("dtype").place),
        train=values.one("train"),
        grad=values.one("grad"),
        dynamic=values.one("dynamic"),
        mode=values.one("mode"),
        backend=values.one("backend"),
        torch_config=torch_config,
        fake=values.one("fake"),
        seed=values.one("seed"),
        timeout=float(values.one("timeout")),
        memory_limit=values.one("memory-limit"),
        root=str(values.file.base),
    )


def _arguments(values: _Values, name: str) -> tuple[str, ...]:
    """The texts of `input` or `init`, each of the grammar and each name once."""
    texts: tuple[str, ...] = tuple(values.one(name))
    place = values.source(name).place
    parse = grammar.input_argument if name == "input" else grammar.init_argument
    seen: set[str] = set()
    for text in texts:
        argument = parse(text, place)
        if argument.name in seen:
            raise ConfigError(f"{place}: {text!r}: at 1: {argument.name!r} is given twice")
        seen |= {argument.name} - {""}
    return texts


def _vary(values: _Values) -> tuple[str, ...]:
    texts: tuple[str, ...] = tuple(values.one("vary"))
    for text in texts:
        vary(text, values.source("vary").place)
    return texts
