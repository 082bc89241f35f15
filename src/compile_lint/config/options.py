"""All that one run is told, merged: options over configuration over defaults."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lint.config import torch_version
from compile_lint.config.file import ConfigFile
from compile_lint.config.keys import BY_NAME, CACHE, DEFAULT_EXCLUDE
from compile_lint.config.selectors import ALL, Selectors
from compile_lint.settings import Settings


@dataclass(frozen=True, slots=True)
class Options:
    """The merged settings of a run: those of the analysis, and those of the command line alone."""

    settings: Settings
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    """Globs; those with a slash are absolute."""
    respect_gitignore: bool = True
    force_exclude: bool = False
    follow_imports: bool = False
    format: str = "text"
    output_file: Path | None = None
    outputs: tuple[tuple[str, Path | None], ...] = ()
    """More reports: the form of each, and its file, None for one that is printed."""
    statistics: bool = False
    exit_zero: bool = False
    baseline: Path | None = None
    diff_scope: str = "line"
    color: str = "auto"
    cache_dir: Path | None = None
    """Where results are remembered; None for nowhere."""
    jobs: int | None = None
    """How many processes share the work; None for as many as pay."""
    config_file: Path | None = None
    targets: tuple[str, ...] = ()
    """Names of the targets that the configuration holds; `compile-lint confirm` runs them."""
    business: Mapping[str, Any] = field(default_factory=dict)
    """Money and traffic that the configuration holds; `compile-lint decide` reckons with them."""
    remarks: tuple[str, ...] = ()
    """What the user should know about the settings, though it is no mistake."""


class _Merge:
    """Looks values up: the options given, then the configuration, then the default."""

    def __init__(self, given: Mapping[str, Any], file: ConfigFile | None, cwd: Path) -> None:
        self.given = given
        self.file = file
        self.cwd = cwd

    def one(self, name: str) -> Any:
        """The value that counts."""
        if name in self.given:
            return self.given[name]
        if self.file is not None and name in self.file.values:
            return self.file.values[name]
        return BY_NAME[name].default

    def layers(self, name: str) -> list[tuple[Any, str, Path]]:
        """What was said of a key, the option first: value, place, and the folder that relative paths start at."""
        found = []
        if name in self.given:
            found.append((self.given[name], f"--{name}", self.cwd))
        if self.file is not None and name in self.file.values:
            found.append((self.file.values[name], self.file.place(name), self.file.path.parent))
        return found

    def counting(self, name: str) -> list[tuple[Any, str, Path]]:
        """The layers that count: all of them for a key that adds up, else the first."""
        layers = self.layers(name)
        return layers if BY_NAME[name].adds_up else layers[:1]

    def globs(self, name: str) -> tuple[str, ...]:
        """Globs with a slash made absolute."""
        return tuple(absolute(item, base) for value, _, base in self.counting(name) for item in value)


def extend_rules(given: Mapping[str, Any], file: ConfigFile | None, cwd: Path) -> tuple[Path, ...]:
    """Paths of the user's own rule files, which must be read before codes can be checked."""
    layers = _Merge(given, file, cwd).counting("extend-rules")
    return tuple(dict.fromkeys(base / os.path.expanduser(item) for value, _, base in layers for item in value))


def merge(given: Mapping[str, Any], file: ConfigFile | None, rules: Mapping[str, str], cwd: Path) -> Options:
    """All settings of a run.

    Args:
        given: values of the options that were given, by key, already of the right type (`values.check`).
        file: the configuration, if there is one.
        rules: code -> name of every rule there is.
        cwd: the working directory, absolute.

    Raises:
        ConfigError: a rule or a torch version that does not exist.
    """
    look = _Merge(given, file, cwd)
    selectors = Selectors(rules)
    select, ignore = _enabled(look, selectors)
    target, remark = _target(look)
    settings = Settings(
        select=select,
        ignore=ignore,
        per_file_ignores=_per_file_ignores(look, selectors),
        entry_points=tuple(look.one("entry-points")),
        target_torch=target,
        torch_config=dict(look.one("torch-config")),
        min_confidence=look.one("min-confidence"),
        fail_on=tuple(look.one("fail-on")),
        fail_under=float(look.one("fail-under")) or None,
        extend_rules=tuple(str(path) for path in extend_rules(given, file, cwd)),
    )
    exclude = look.globs("exclude") if look.layers("exclude") else DEFAULT_EXCLUDE
    return Options(
        settings=settings,
        exclude=tuple(dict.fromkeys((*exclude, *look.globs("extend-exclude")))),
        respect_gitignore=look.one("respect-gitignore"),
        force_exclude=look.one("force-exclude"),
        follow_imports=look.one("follow-imports"),
        format=look.one("format"),
        output_file=_output(look),
        outputs=_outputs(look),
        statistics=look.one("statistics"),
        exit_zero=look.one("exit-zero"),
        baseline=_baseline(look),
        diff_scope=look.one("diff-scope"),
        color=look.one("color"),
        cache_dir=cache_dir(given, file, cwd) if look.one("cache") else None,
        jobs=look.one("jobs") or None,
        config_file=file.path if file is not None else None,
        targets=tuple(table["name"] for table in look.one("target")),
        business=dict(look.one("business")),
        remarks=(remark,) if remark else (),
    )


def cache_dir(given: Mapping[str, Any], file: ConfigFile | None, cwd: Path) -> Path:
    """The folder of remembered results."""
    look = _Merge(given, file, cwd)
    for value, _, base in look.counting("cache-dir"):
        if value:
            return Path(os.path.abspath(base / os.path.expanduser(value)))
    return (file.path.parent if file is not None else cwd) / CACHE


def absolute(pattern: str, base: Path) -> str:
    """A glob with a slash (`./` counts), made to start at `base`; one without matches a name anywhere and stays."""
    anchored = pattern.startswith("./") or pattern == "."
    trimmed = (pattern[2:] if anchored else pattern).rstrip("/")
    if os.path.isabs(trimmed) or not (anchored or "/" in trimmed):
        return trimmed
    return f"{glob.escape(base.as_posix())}/{trimmed}".rstrip("/")


def _enabled(look: _Merge, selectors: Selectors) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The codes shown and those left out, spelt out; both empty for all. Options are laid over the configuration."""
    if not any(look.layers(name) for name in ("select", "extend-select", "ignore", "extend-ignore")):
        return (), ()
    enabled: frozenset[str] = frozenset(selectors.codes)
    for select, ignore, anew in reversed(list(_layers(look, selectors))):
        enabled = selectors.enabled(select, ignore, () if anew else enabled)
    return tuple(sorted(enabled)), tuple(code for code in selectors.codes if code not in enabled)


def _layers(look: _Merge, selectors: Selectors) -> Iterable[tuple[Sequence[str], Sequence[str], bool]]:
    """For the options and then for the configuration: what is selected, what is ignored, and whether it starts anew."""
    names = ("select", "extend-select", "ignore", "extend-ignore")
    option = {name: selectors.check(look.given.get(name, ()), f"--{name}") for name in names}
    yield (
        (*option["select"], *option["extend-select"]),
        (*option["ignore"], *option["extend-ignore"]),
        bool(option["select"]),
    )
    if look.file is None:
        return
    file = {name: selectors.check(look.file.values.get(name, ()), look.file.place(name)) for name in names}
    anew = "select" in look.file.values
    base = () if anew else (ALL,)
    yield (*base, *file["select"], *file["extend-select"]), (*file["ignore"], *file["extend-ignore"]), anew


def _per_file_ignores(look: _Merge, selectors: Selectors) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = []
    for value, place, base in look.counting("per-file-ignores"):
        for pattern, codes in value:
            canonical = selectors.check(codes, f"{place}: {pattern!r}")
            found.append((absolute(pattern, base), selectors.expand(canonical)))
    return tuple(found)


def _target(look: _Merge) -> tuple[str, str]:
    for value, place, _ in look.counting("target-torch"):
        version = torch_version.parse(value, place)
        return version, torch_version.remark(version)
    return torch_version.default()


def _baseline(look: _Merge) -> Path | None:
    for value, _, base in look.counting("baseline"):
        return None if not value else Path(value) if base == look.cwd else base / value
    return None


def _output(look: _Merge) -> Path | None:
    for value, _, base in look.counting("output-file"):
        return base / value if value else None
    return None


def _outputs(look: _Merge) -> tuple[tuple[str, Path | None], ...]:
    for value, _, base in look.counting("output"):
        return tuple((form, base / path if path else None) for form, path in value)
    return ()
