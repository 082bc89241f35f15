"""Linting what is open in an editor, as the command line would lint it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compile_lint._data import rules_root
from compile_lint.cells import in_cell
from compile_lint.cli.lint import choose
from compile_lint.cli.setup import configuration
from compile_lint.config.errors import ConfigError
from compile_lint.config.file import ConfigFile
from compile_lint.config.file import read as read_config
from compile_lint.config.keys import BY_NAME
from compile_lint.config.options import Options, extend_rules, merge
from compile_lint.config.values import check
from compile_lint.discover.gitignore import Ignores
from compile_lint.discover.globs import Globs
from compile_lint.findings import Finding, Source
from compile_lint.rulebook import Rulebook, RuleError, load
from compile_lint.server.tree import Tree, inside
from compile_lint.suppress import may_hold

CONFIG = "config"
"""The editor's setting that names a configuration file."""
SETTINGS = (
    "select", "extend-select", "ignore", "extend-ignore", "per-file-ignores", "extend-rules", "min-confidence",
    "exclude", "extend-exclude", "respect-gitignore", "target-torch", "entry-points", "torch-config",
)  # fmt: skip
"""The keys of the configuration that an editor may set too; there they win over the file."""


class Cancelled(Exception):  # noqa: N818
    """The result is not wanted any more."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is shown: findings by path, with an entry for every open file; and what stood in the way."""

    findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    """In words for the user."""
    rulebook: Rulebook | None = None


class Linter:
    """Lints what is open in one folder. Not safe to use from two threads at once."""

    def __init__(self, folder: str) -> None:
        """`folder` is absolute: the configuration is looked for there and above."""
        self.folder = folder
        self._tree = Tree(folder)
        self._last: tuple[Options, Rulebook] | None = None

    def lint(self, opened: Mapping[str, Source], editor: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Result:
        """Analyse the open files and keep what the settings show of them.

        Suppressions that silence nothing are not looked for: what is reached only from files that are not open is not
        known here.

        Args:
            opened: what is open, by absolute path, as the editor has it.
            editor: settings of the editor, by key.
            is_cancelled: asked between files.

        Raises:
            Cancelled: as soon as `is_cancelled` says so.
        """
        from compile_lint.analysis import analyze_project
        from compile_lint.project.project import Project

        options, rulebook, problems = self.settings(editor)
        linted = {path: source for path, source in opened.items() if not self._left_out(path, options)}
        reached = self._tree.reached({path: self._rooted(source) for path, source in opened.items()})

        def progress(done: int, of: int) -> None:
            if is_cancelled():
                raise Cancelled

        project = Project(reached.sources.values())
        for name, path in reached.names.items():
            project.alias(name, path)
        report = analyze_project(project, list(linted), options.settings, rulebook, progress)
        progress(len(linted), len(linted))
        texts = {path: source.text for path, source in linted.items() if may_hold(source.text)}
        mine = [finding for finding in report.findings if finding.path in linted]
        _, shown, _ = choose(mine, texts, options.settings, rulebook, False)
        found: dict[str, list[Finding]] = {path: [] for path in opened}
        cells = {path: source.cells for path, source in reached.sources.items()}
        for finding in shown:
            found[finding.path].append(in_cell(finding, cells))
        problems += [f"{error.path}: {error.message}" for error in report.errors]
        return Result({path: tuple(inside) for path, inside in found.items()}, tuple(problems), rulebook)

    def settings(self, editor: Mapping[str, Any]) -> tuple[Options, Rulebook, list[str]]:
        """The settings in force, the rules, and what is wrong with either.

        While someone edits the configuration it may be wrong for a moment: the last good one stays in force.
        """
        problems: list[str] = []
        try:
            file, broken = self._file(editor)
            problems += [f"{error.path}: {error.message}" for error in broken]
            given = _given(editor, problems)
            self._last = self._merged(given, file)
        except ConfigError as error:
            problems.append(str(error))
        if self._last is None:
            self._last = self._merged({}, None)
        return *self._last, problems

    def _file(self, editor: Mapping[str, Any]) -> tuple[ConfigFile | None, tuple[Any, ...]]:
        named = editor.get(CONFIG)
        if isinstance(named, str) and named:
            path = Path(self.folder, os.path.expanduser(named))
            if not path.is_file():
                raise ConfigError(f"setting {CONFIG!r} of the editor: {path}: no such file")
            return read_config(path), ()
        return configuration(None, False, [self.folder])

    def _merged(self, given: Mapping[str, Any], file: ConfigFile | None) -> tuple[Options, Rulebook]:
        cwd = Path(self.folder)
        try:
            rulebook = load(rules_root(), extend_rules(given, file, cwd))
        except RuleError as error:
            raise ConfigError(str(error)) from error
        return merge(given, file, {rule.code: rule.name for rule in rulebook.rules}, cwd), rulebook

    def _rooted(self, source: Source) -> Source:
        return Source(source.path, source.text, source.encoding, self._tree.root_of(source.path), source.cells)

    def _left_out(self, path: str, options: Options) -> bool:
        """Whether a walk over the folder would leave the file out."""
        if not inside(path, self.folder):
            return False
        exclude = Globs(options.exclude)
        ignores = Ignores.above(self.folder) if options.respect_gitignore else Ignores()
        above = self.folder.rstrip(os.sep)
        parts = path[len(above) + 1 :].split(os.sep)
        for i, part in enumerate(parts):
            if options.respect_gitignore:
                ignores = ignores.inside(above)
            above = f"{above}/{part}"
            if exclude.match(part, above) or ignores.ignored(above, i + 1 < len(parts)):
                return True
        return False


def _given(editor: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    """The editor's settings, checked. One that is not valid is told of and left out: the others hold."""
    given = {}
    for name, value in editor.items():
        place = f"setting {name!r} of the editor"
        if name not in SETTINGS:
            if name not in (CONFIG, "debounce"):
                problems.append(f"{place}: unknown; there are {', '.join((CONFIG, 'debounce', *SETTINGS))}")
            continue
        try:
            given[name] = check(BY_NAME[name], value, place)
        except ConfigError as error:
            problems.append(str(error))
    return given
