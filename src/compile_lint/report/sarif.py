"""SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html.

Columns count characters (`columnKind` unicodeCodePoints) from 1, and the end column is exclusive, as findings have
them. Files are named from the folder of the repository, `%SRCROOT%`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import Any

from compile_lint import __version__
from compile_lint.findings import FileError, Finding, Step
from compile_lint.report import sarif_rules
from compile_lint.report.levels import LEVELS, RANK
from compile_lint.report.paint import safe
from compile_lint.report.paths import uri
from compile_lint.report.run import LastLines, LinesOf, Run
from compile_lint.report.words import clean, one_line, reach

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "compileLint/v1"
"""Which kind of fingerprint; its number changes when fingerprints.py makes others."""
_ROOT = "%SRCROOT%"
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")


def render(run: Run, lines_of: LinesOf) -> str:
    """The whole log, with one run."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_Log(run, lines_of).run()]}
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


class _Log:
    """One run, and the numbers of the rules and files in it."""

    def __init__(self, run: Run, lines_of: LinesOf) -> None:
        self._run = run
        self._source = LastLines(lines_of)
        self._rules = {rule.code: number for number, rule in enumerate(run.rules)}
        steps = (step.path for finding in run.findings for step in finding.steps)
        paths = dict.fromkeys(sorted({*(finding.path for finding in run.findings), *steps}))
        self._files = {path: number for number, path in enumerate(paths)}

    def run(self) -> dict[str, Any]:
        """The `run` object."""
        fatal = [error for error in self._run.errors if error.fatal]
        invocation: dict[str, Any] = {"executionSuccessful": not fatal}
        if self._run.errors:
            invocation["toolExecutionNotifications"] = [self._notification(error) for error in self._run.errors]
        return {
            "tool": {
                "driver": {
                    "name": "compile-lint",
                    "version": __version__,
                    "semanticVersion": __version__,
                    "rules": [sarif_rules.descriptor(rule) for rule in self._run.rules],
                }
            },
            "invocations": [invocation],
            "originalUriBaseIds": {
                _ROOT: {"uri": self._root(), "description": {"text": "The folder of the repository."}}
            },
            "artifacts": [{"location": self._artifact(path), "sourceLanguage": "python"} for path in self._files],
            "columnKind": "unicodeCodePoints",
            "newlineSequences": ["\r\n", "\n", "\r"],
            "results": [self._result(finding) for finding in self._run.findings],
            "properties": self._properties(),
        }

    def _root(self) -> str:
        return uri(self._run.base.replace(os.sep, "/")).rstrip("/") + "/"

    def _result(self, finding: Finding) -> dict[str, Any]:
        result: dict[str, Any] = {
            "ruleId": finding.code,
            "kind": "fail",
            "level": LEVELS[finding.kind].sarif,
            "rank": RANK[finding.confidence],
            "message": {"text": message(finding.message)},
            "locations": [self._location(finding)],
            "properties": _bag(finding),
        }
        if finding.code in self._rules:
            result["ruleIndex"] = self._rules[finding.code]
        if finding in self._run.fingerprints:
            result["partialFingerprints"] = {FINGERPRINT: self._run.fingerprints[finding]}
        if finding.steps:
            result["codeFlows"] = [self._flow(finding)]
        return result

    def _location(self, finding: Finding) -> dict[str, Any]:
        location: dict[str, Any] = {
            "physicalLocation": {
                "artifactLocation": self._file(finding.path),
                "region": self._region(finding),
                **self._context(finding),
            }
        }
        if finding.function:
            name = {"fullyQualifiedName": one_line(finding.function), "kind": "function"}
            location["logicalLocations"] = [name]
        return location

    def _region(self, finding: Finding) -> dict[str, Any]:
        start, end = finding.line, max(finding.line, finding.end_line)
        last = max(finding.end_column, finding.column + (start == end))
        region: dict[str, Any] = {
            "startLine": start,
            "startColumn": finding.column,
            "endLine": end,
            "endColumn": last,
        }
        lines = self._source.lines(finding.path)[start - 1 : end]
        if len(lines) == end - start + 1:
            lines[-1] = lines[-1][: last - 1]
            lines[0] = lines[0][finding.column - 1 :]
            region["snippet"] = {"text": _shown(lines)}
        return region

    def _context(self, finding: Finding) -> dict[str, Any]:
        """The lines of the finding with one before and after, as whole lines."""
        lines = self._source.lines(finding.path)
        start, end = max(1, finding.line - 1), min(max(finding.line, finding.end_line) + 1, len(lines))
        if end < finding.line:
            return {}
        snippet = {"text": _shown(lines[start - 1 : end])}
        return {"contextRegion": {"startLine": start, "endLine": end, "snippet": snippet}}

    def _flow(self, finding: Finding) -> dict[str, Any]:
        """How the value came to be a tensor, and the finding last."""
        steps = [self._step(step) for step in finding.steps]
        last = {**self._location(finding), "message": {"text": message(finding.message)}}
        locations = [*({"location": step} for step in steps), {"location": last, "importance": "essential"}]
        return {
            "message": {"text": "Why it is a tensor."},
            "threadFlows": [{"locations": locations}],
        }

    def _step(self, step: Step) -> dict[str, Any]:
        place = {"startLine": step.line, "startColumn": step.column}
        return {
            "physicalLocation": {"artifactLocation": self._file(step.path), "region": place},
            "message": {"text": message(step.text)},
        }

    def _file(self, path: str) -> dict[str, Any]:
        return {**self._artifact(path), "index": self._files[path]}

    def _artifact(self, path: str) -> dict[str, Any]:
        address = uri(self._run.named(path))
        return {"uri": address} if address.startswith("file:") else {"uri": address, "uriBaseId": _ROOT}

    def _notification(self, error: FileError) -> dict[str, Any]:
        return {
            "level": "error" if error.fatal else "note",
            "message": {"text": message(f"{error.path}: {error.message}")},
            "locations": [{"physicalLocation": {"artifactLocation": self._artifact(error.path)}}],
        }

    def _properties(self) -> dict[str, Any]:
        """What SARIF has no place for: the scores."""
        entries = [
            {"entry": one.entry, "uri": uri(self._run.named(one.path)), "line": one.line, "score": round(one.score, 4)}
            for one in self._run.scores
        ]
        return {"targetTorch": self._run.target_torch, "score": round(self._run.score, 4), "entries": entries}


def message(text: str) -> str:
    """A text as a SARIF message shows it: braces are placeholders there unless doubled, and `[a](b)` is a link."""
    return _LINK.sub(r"\\[", clean(text)).replace("{", "{{").replace("}", "}}")


def _shown(lines: Sequence[str]) -> str:
    return "\n".join(safe(line) if "\t" not in line else "\t".join(map(safe, line.split("\t"))) for line in lines)


def _bag(finding: Finding) -> dict[str, Any]:
    return {
        "findingKind": finding.kind,
        "confidence": finding.confidence,
        "entry": one_line(finding.entry),
        "reach": one_line(reach(finding)),
        "inLoop": finding.in_loop,
        "frameSkipped": finding.frame_skipped,
        "graphBreakIds": list(finding.graph_break_ids),
    }
