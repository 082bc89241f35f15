"""`--add-ignore`: suppressions written into the files that hold the findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from compile_lint.cli.output import replace_file, say
from compile_lint.config.selectors import Selectors
from compile_lint.discover import File, Found, read
from compile_lint.findings import FileError, Finding
from compile_lint.suppress import OWN_CODE
from compile_lint.suppress.add import Added, add

if TYPE_CHECKING:
    from compile_lint.report import Run
    from compile_lint.rulebook import Rulebook

_LEFT_ALONE = ("CL900", OWN_CODE)
"""A file that cannot be parsed, and comments that silence nothing: to silence those helps nobody."""
_NOTEBOOK = ".ipynb"
_MARK = b"\xef\xbb\xbf"


def add_ignores(run: Run, found: Found, reason: str, rulebook: Rulebook, verbosity: int) -> Run:
    """Write a suppression for each finding of the run into its file; the run with those that are left."""
    selectors = Selectors({rule.code: rule.name for rule in rulebook.rules})
    files = {file.path: file for file in found.files}
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in run.findings:
        by_path[finding.path].append(finding)
    left: list[Finding] = []
    errors: list[FileError] = []
    written: dict[str, Added] = {}
    for path, findings in by_path.items():
        added = _add(files.get(path), findings, reason, selectors)
        if isinstance(added, FileError):
            errors.append(added)
            left.extend(findings)
            continue
        left.extend(added.left)
        if added.silenced:
            written[path] = added
    _tell(written, left, verbosity)
    return replace(
        run,
        findings=tuple(sorted(left, key=lambda finding: finding.place)),
        scores=tuple(
            replace(score, line=written[score.path].moved(score.line)) if score.path in written else score
            for score in run.scores
        ),
        errors=tuple(sorted((*run.errors, *errors), key=lambda error: (error.path, error.message))),
        silenced=run.silenced + sum(added.silenced for added in written.values()),
    )


def _add(file: File | None, findings: Sequence[Finding], reason: str, selectors: Selectors) -> Added | FileError:
    mine = [finding for finding in findings if finding.code not in _LEFT_ALONE]
    others = [finding for finding in findings if finding.code in _LEFT_ALONE]
    if file is None or not mine or file.path.endswith(_NOTEBOOK):
        return Added("", 0, tuple(findings))
    source = read(file)
    if isinstance(source, FileError):
        return source
    added = add(source.text, mine, reason, selectors)
    if added.silenced:
        failed = _write(file, source.text, added.text, source.encoding)
        if failed:
            return FileError(file.path, failed)
    return replace(added, left=(*added.left, *(_moved(finding, added) for finding in others)))


def _write(file: File, before: str, after: str, encoding: str) -> str:
    """Write the text as the file is encoded, byte-order mark and all. What stood in the way; empty if nothing did."""
    plain = encoding.removesuffix("-sig")
    try:
        with open(file.real, "rb") as stream:
            data = stream.read()
        mark = _MARK if data.startswith(_MARK) else b""
        if mark + before.encode(plain) != data:
            return "has changed since it was linted, or is in an encoding that cannot be written; no suppression added"
        replace_file(file.real, mark + after.encode(plain))
    except UnicodeEncodeError as error:
        letters = error.object[error.start : error.end]
        return f"is {plain}, which cannot hold {letters!r} of --reason; no suppression added"
    except OSError as error:
        return f"cannot be written: {error.strerror or error}"
    return ""


def _moved(finding: Finding, added: Added) -> Finding:
    return replace(finding, line=added.moved(finding.line), end_line=added.moved(finding.end_line))


def _tell(written: dict[str, Added], left: Sequence[Finding], verbosity: int) -> None:
    if verbosity < 0:
        return
    number = sum(added.silenced for added in written.values())
    say("note", f"{_plural(number, 'finding')} silenced by new comments in {_plural(len(written), 'file')}")
    notebooks = sum(finding.path.endswith(_NOTEBOOK) for finding in left)
    if notebooks:
        say("note", f"{_plural(notebooks, 'finding')} in notebooks left: --add-ignore writes to Python files only")


def _plural(number: int, one: str) -> str:
    return f"{number} {one if number == 1 else one + 's'}"
