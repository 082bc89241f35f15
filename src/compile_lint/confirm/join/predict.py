"""What the linter says of a target's files: findings and scores, as `check` would, with the target's own entry."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from compile_lint.cli.lint import choose
from compile_lint.config.options import Options
from compile_lint.config.torch_version import parse
from compile_lint.confirm.join.declared import declared
from compile_lint.confirm.join.files import judged, with_imports
from compile_lint.confirm.observation import Observation, Place
from compile_lint.discover import File, Sources, shown
from compile_lint.findings import EntryScore, Finding, Report, Source
from compile_lint.rulebook import Rulebook
from compile_lint.settings import OLDEST_TORCH, Settings
from compile_lint.suppress import may_hold


@dataclass(frozen=True, slots=True)
class Prediction:
    """Of one target: the findings that the settings show, all there are, and the score of its entry."""

    shown: tuple[Finding, ...] = ()
    all: tuple[Finding, ...] = ()
    """Silenced ones and those of rules that are left out too: they were predicted all the same."""
    score: EntryScore | None = None
    declared: Mapping[str, Place] = field(default_factory=dict)
    """Where custom operators that the target called are declared, by `namespace::operator`."""


class Linter:
    """Lints the files of targets, each set of files once, with the user's settings for the torch that was observed."""

    def __init__(self, options: Options, rulebook: Rulebook, cwd: str | None = None) -> None:
        self._options = options
        self._rulebook = rulebook
        self._cwd = cwd or os.getcwd()
        self._reports: dict[tuple[object, ...], tuple[Report, dict[str, str]]] = {}

    def predict(self, seen: Observation, torch_config: dict[str, object] | None = None) -> Prediction:
        """What the linter says of the files that ran.

        Args:
            seen: the observation of the target.
            torch_config: settings of torch._dynamo.config that the target ran with.
        """
        paths = judged(seen)
        if not paths:
            return Prediction()
        settings = self._settings(seen.torch, torch_config or {})
        files = with_imports(paths, seen.project)
        places = declared(seen, files)
        report, texts = self._report(files, settings)
        found = list(report.findings)
        score = _entry_score(report, seen.entry, self._cwd)
        if seen.entry is not None and seen.entry.path in files and score is None:
            named = replace(settings, entry_points=(entry_name(seen.entry),))
            other, _ = self._report(files, named)
            score = _entry_score(other, seen.entry, self._cwd)
            mine = {finding.place: finding for finding in other.findings}
            found = list({**mine, **{finding.place: finding for finding in found}}.values())
        names = {shown(path, self._cwd) for path in paths}
        found = sorted((finding for finding in found if finding.path in names), key=lambda finding: finding.place)
        _, visible, _ = choose(found, texts, settings, self._rulebook, False)
        return Prediction(visible, tuple(found), score, places)

    def _settings(self, torch: str, torch_config: dict[str, object]) -> Settings:
        settings = self._options.settings
        config = {**settings.torch_config, **torch_config}
        return replace(settings, target_torch=_release(torch, settings.target_torch), torch_config=config)

    def _report(self, paths: Sequence[str], settings: Settings) -> tuple[Report, dict[str, str]]:
        from compile_lint.analysis import analyze

        key = (tuple(paths), settings.entry_points, settings.target_torch, str(sorted(settings.torch_config.items())))
        if key not in self._reports:
            texts: dict[str, str] = {}

            def watch(source: Source) -> None:
                if may_hold(source.text):
                    texts[source.path] = source.text

            sources = Sources([File(shown(path, self._cwd), path) for path in paths], (), watch)
            self._reports[key] = analyze(sources, settings, self._rulebook), texts
        return self._reports[key]


def entry_name(entry: Place) -> str:
    """The qualified name as the linter writes it."""
    return entry.function.replace(".<locals>", "")


def _entry_score(report: Report, entry: Place | None, cwd: str) -> EntryScore | None:
    """The score of the entry: by its name in its file, else the one that begins at its line.

    A `forward` that a class inherits is named after that class by the linter and after the base by Python.
    """
    if entry is None:
        return None
    path = shown(entry.path, cwd)
    mine = [score for score in report.scores if score.path == path]
    named = [score for score in mine if score.entry == entry_name(entry)]
    near = [score for score in mine if entry.line and score.line == entry.line]
    return next(iter(named or near), None)


def _release(torch: str, fallback: str) -> str:
    """`major.minor` of the torch that was observed, as the linter can take it."""
    if not torch:
        return fallback
    try:
        return parse(torch, "torch")
    except ValueError:
        return OLDEST_TORCH
