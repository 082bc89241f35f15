"""Whether what was observed bears a finding out.

A finding and a break match when they lie in the same statement (of a compound statement: in its header). What nobody
saw is not reached, never refuted: lines that did not run, lines behind a break for which the whole frame fell back to
eager, and whatever follows the error or the read that ended the observation.
"""

from __future__ import annotations

import os

from compile_lint.confirm.join.code import Code, Span
from compile_lint.confirm.join.model import JoinedFinding, Verdict
from compile_lint.confirm.observation import Observation, Place
from compile_lint.findings import Finding

Site = tuple[str, Span]
"""A statement: real path, first and last line."""
_OF_OPERATORS = {
    "undeclared-mutation": "is changed, and the schema does not say so",
    "fake-differs": "by the fake kernel",
    "operator-returns-argument": "has the memory of argument",
    "operator-without-autograd": "autograd",
}
"""Rules of kind `wrong` about custom operators, with what the checks say where one of them is right."""
_OWN = "CL9"
"""Rules of the tool's own, which say nothing of TorchDynamo."""


class Judge:
    """Judges the findings of one target."""

    def __init__(self, seen: Observation, code: Code, cwd: str) -> None:
        self._seen = seen
        self._code = code
        self._cwd = cwd
        self._ran = {self._site(path, line) for path, lines in seen.covered.items() for line in lines}
        self._breaks: dict[Site, str] = {}
        self._named: set[Site] = set()
        self._lost: list[tuple[str, Span]] = []
        self._note_breaks()
        end = seen.seen_until or (seen.error.place if seen.error is not None and seen.error.call == 0 else None)
        self._end = end
        self._ended = seen.seen_until is not None or (seen.error is not None and seen.error.call == 0)

    def judge(self, finding: Finding) -> JoinedFinding:
        """The finding with its verdict."""
        verdict, because = self._verdict(finding)
        return JoinedFinding(finding, verdict, because)

    def sites(self, finding: Finding) -> set[Site]:
        """The statements that a finding lies in; one that spans several counts at each."""
        path = os.path.join(self._cwd, finding.path)
        return {self._site(path, line) for line in range(finding.line, max(finding.end_line, finding.line) + 1)}

    def site(self, place: Place) -> Site:
        """The statement of a place."""
        return self._site(place.path, place.line)

    def _site(self, path: str, line: int) -> Site:
        return os.path.realpath(path), self._code.statement(path, line)

    def _note_breaks(self) -> None:
        for one in self._seen.breaks:
            if one.project is None:
                continue
            site = self.site(one.project)
            if one.consequence_of:
                self._named.add(site)
            else:
                self._breaks.setdefault(site, one.graph_break_id or "a break")
            if one.frame_skipped or one.consequence_of:
                self._lose(one.project)
                if one.stack and one.frame_skipped:
                    self._lose(one.stack[0])
        self._named -= self._breaks.keys()

    def _lose(self, place: Place) -> None:
        behind = self._code.behind(place.path, place.line)
        if behind is not None:
            self._lost.append((os.path.realpath(place.path), behind))

    def _verdict(self, finding: Finding) -> tuple[Verdict, str]:
        if finding.code.startswith(_OWN) or finding.kind == "hazard":
            return "not-reached", "not a thing that one run can tell"
        if finding.kind == "recompile":
            return self._recompiles(finding)
        if finding.kind == "wrong":
            return self._differs(finding)
        return self._breaks_here(finding)

    def _breaks_here(self, finding: Finding) -> tuple[Verdict, str]:
        sites = self.sites(finding)
        for site in sorted(sites):
            if site in self._breaks:
                return "confirmed", f"{self._breaks[site]} at line {site[1][0]}"
        error = self._seen.error
        if error is not None and error.place is not None and self.site(error.place) in sites:
            return "confirmed", f"{error.kind} at line {error.place.line}"
        if sites & self._named:
            return "not-reached", "the frame was given up for another break"
        return self._unmatched(finding, "ran, and nothing broke there")

    def _unmatched(self, finding: Finding, otherwise: str) -> tuple[Verdict, str]:
        """Of a finding that nothing bears out: refuted if its line was seen."""
        sites = self.sites(finding)
        if not sites & self._ran:
            return "not-reached", "the line did not run"
        first = min(sites)
        if any(path == first[0] and span[0] <= first[1][0] <= span[1] for path, span in self._lost):
            return "not-reached", "the frame fell back to eager before it"
        if self._ended and not self._before_the_end(first):
            return "not-reached", "the observation ended before it"
        return "refuted", otherwise

    def _before_the_end(self, site: Site) -> bool:
        """Whether a statement certainly came before the place where the observation ended: above it, in its function.

        Of other functions nobody can tell when they ran.
        """
        if self._end is None or site[0] != os.path.realpath(self._end.path):
            return False
        function = self._code.function(self._end.path, self._end.line)
        behind = self._code.behind(self._end.path, self._end.line)
        if function is None or behind is None:
            return False
        return function[0] <= site[1][0] < min(behind[0], self._code.statement(self._end.path, self._end.line)[0])

    def _recompiles(self, finding: Finding) -> tuple[Verdict, str]:
        sites = self.sites(finding)
        for one in self._seen.recompiles:
            if one.guard_place is not None and self.site(one.guard_place) in sites:
                return "confirmed", f"call {one.call + 1} compiled again for it"
        for one in self._seen.recompiles:
            if not one.automatic_dynamic and self._same_function(finding, one.place):
                return "confirmed", f"call {one.call + 1} compiled `{one.place.function}` again"
        if not sites & self._ran:
            return "not-reached", "the line did not run"
        if self._seen.calls < 2:
            return "not-reached", "one call shows no recompilation; --vary or --inputs make several"
        return self._unmatched(finding, f"{self._seen.calls} calls, and nothing was compiled again for it")

    def _shown_by_checks(self, finding: Finding) -> str:
        """What the checks of a custom operator say that a finding about it says too; empty if they say nothing."""
        words = _OF_OPERATORS.get(finding.name)
        if words is None:
            return ""
        sites = self.sites(finding)
        for one in self._seen.operators:
            if one.name not in finding.message and (one.place is None or self.site(one.place) not in sites):
                continue
            said = [*one.differences, *(check.message for check in one.checks if check.result != "passed")]
            for text in said:
                if words in text:
                    return f"checks of {one.name}: {text}"
        return ""

    def _same_function(self, finding: Finding, place: Place) -> bool:
        """Whether it is the function that holds the finding, or the entry that it is reached through."""
        name = place.function.replace(".<locals>", "")
        path = os.path.realpath(os.path.join(self._cwd, finding.path))
        if path == os.path.realpath(place.path) and name == finding.function:
            return True
        entry = self._seen.entry
        return (
            name == finding.entry and entry is not None and os.path.realpath(entry.path) == os.path.realpath(place.path)
        )

    def _differs(self, finding: Finding) -> tuple[Verdict, str]:
        if not self.sites(finding) & self._ran:
            return "not-reached", "the line did not run"
        shown = self._shown_by_checks(finding)
        if shown:
            return "confirmed", shown
        if self._seen.same_result is None:
            return "not-reached", "results were not compared"
        if self._seen.same_result:
            return self._unmatched(finding, "ran, and results agree with eager")
        return "confirmed", "results differ from eager"
