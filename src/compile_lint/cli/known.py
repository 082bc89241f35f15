"""Findings that a baseline holds: leaving them out, writing the baseline, and telling what in it has gone stale."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from compile_lint.baseline.file import PLACE, named
from compile_lint.baseline.known import Baseline, named_identities, read, text
from compile_lint.cli.output import say, to_file
from compile_lint.config.errors import ConfigError
from compile_lint.discover import Found, Sources
from compile_lint.findings import Finding
from compile_lint.fingerprints import Identity

_SYNTAX_ERROR = "CL900"
"""In no baseline: it hides all that a file would hold otherwise."""
_LISTED = 20


class NotKnown:
    """Keeps the findings that the baseline does not hold, after bringing it up to date as it is asked to."""

    def __init__(self, path: Path, found: Found, *, write: bool, prune: bool, judge: bool, verbosity: int) -> None:
        """`judge`: whether a run like this one can tell that a finding is no more."""
        self.path = path
        self.found = found
        self.write = write
        self.prune = prune
        self.judge = judge
        self.verbosity = verbosity
        if not path.absolute().parent.is_dir():
            raise ConfigError(f"{PLACE}: {path}: the folder {path.parent} does not exist")
        self.baseline = Baseline(path) if write and not path.exists() else read(path)

    def __call__(self, all_found: Sequence[Finding], shown: Sequence[Finding], sources: Sources) -> list[Finding]:
        """Of the findings that would be shown, those that are not known, in the order given.

        Args:
            all_found: all that the analysis found, for the ordinals.
            shown: those of them that no comment and no setting leaves out; and those about idle comments.
            sources: the texts.
        """
        names = named_identities({*all_found, *shown}, sources.text, self.path)
        looked_at = self._looked_at(all_found, sources)
        known = self.baseline.known
        if self.write:
            others = {one for one in known if one.path not in looked_at and self._exists(one)}
            known = frozenset({names[finding] for finding in shown if finding.code != _SYNTAX_ERROR} | others)
            self._save(known)
        elif self.judge:
            known = self._without_stale(known, set(names.values()), looked_at)
        return [finding for finding in shown if finding.code == _SYNTAX_ERROR or names[finding] not in known]

    def _looked_at(self, all_found: Sequence[Finding], sources: Sources) -> set[str]:
        """The files of which the run saw all, as the baseline names them."""
        failed = {error.path for error in (*self.found.errors, *sources.errors)}
        failed |= {finding.path for finding in all_found if finding.code == _SYNTAX_ERROR}
        return {named(path, self.path) for path in sources.paths if path not in failed}

    def _without_stale(
        self, known: frozenset[Identity], seen: set[Identity], looked_at: set[str]
    ) -> frozenset[Identity]:
        stale = {one for one in known - seen if one.path in looked_at or not self._exists(one)}
        if stale and self.prune:
            self._save(known - stale)
        elif stale and self.verbosity >= 0:
            self._tell(stale)
        return known - stale

    def _tell(self, stale: Iterable[Identity]) -> None:
        ordered = sorted(stale, key=lambda one: (one.path, one.function, one.code, one.source, one.ordinal))
        listed = ordered if self.verbosity > 0 else ordered[:_LISTED]
        for one in listed:
            where = f"{one.path} ({one.function})" if one.function else one.path
            say("note", f"{self.path}: stale, for it is no more: {where}: {one.code} {one.source}")
        more = f"{len(ordered) - len(listed)} more are stale; " if len(ordered) > len(listed) else ""
        say("note", f"{self.path}: {more}--prune-baseline takes out what is stale")

    def _save(self, known: frozenset[Identity]) -> None:
        to_file(text(known), self.path, PLACE)
        if self.verbosity >= 0:
            number = len(known)
            say("note", f"wrote {self.path}: {number} known finding{'' if number == 1 else 's'}")

    def _exists(self, one: Identity) -> bool:
        return os.path.exists(os.path.join(os.path.dirname(os.path.abspath(self.path)), one.path))
