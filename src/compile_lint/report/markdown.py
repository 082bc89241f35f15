"""The report as Markdown: for a job summary or a comment on a pull request, no longer than those may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from compile_lint.findings import EntryScore, Finding
from compile_lint.report.markup import code, escaped, html, prose
from compile_lint.report.rule_page import paragraphs
from compile_lint.report.run import Run, plural, points

COMMENT = 60_000
"""Bytes of a report; GitHub takes 65,536 characters for a comment, GitLab a million."""
_ENTRIES = 20
_ERRORS = 20


def render(run: Run, most: int = COMMENT) -> str:
    """The whole report, in at most that many bytes: details that do not fit are counted only."""
    head = "\n".join(_head(run)) + "\n"
    return head + _fitting(list(_details(run)), most - len(head.encode()))


def _fitting(blocks: list[tuple[int, str]], room: int) -> str:
    """The blocks that fit, and how many findings are in those that do not."""
    room -= 100  # for the line on what is left out
    out: list[str] = []
    left = 0
    for findings, block in blocks:
        size = len(block.encode())
        if left or size > room:
            left += findings
        else:
            room -= size
            out.append(block)
    if left:
        out.append(f"\nThe details of {plural(left, 'more finding')} are left out: the report would be too long.\n")
    return "".join(out)


def _head(run: Run) -> Iterator[str]:
    yield "## compile-lint"
    yield ""
    if run.scores:
        entries = plural(len(run.scores), "entry", "entries")
        yield f"Readiness for torch {escaped(run.target_torch)}: **{points(run.score)} of 100** over {entries}."
    kinds = ", ".join(f"{number} {kind}" for kind, number in run.kinds())
    yield f"{plural(len(run.findings), 'finding') if kinds else 'No findings'} in {plural(run.files, 'file')}" + (
        f": {kinds}." if kinds else "."
    )
    hidden = [f"{run.hidden} less sure than min-confidence"] if run.hidden else []
    hidden += [f"{run.silenced} silenced by comments"] if run.silenced else []
    hidden += [f"{run.known} not new"] if run.known else []
    if hidden:
        yield f"Not shown: {', '.join(hidden)}."
    yield ""
    fatal = [error for error in run.errors if error.fatal]
    yield from (f"- :x: {code(error.path)}: {escaped(error.message)}" for error in fatal[:_ERRORS])
    if len(fatal) > _ERRORS:
        yield f"- and {plural(len(fatal) - _ERRORS, 'more error')}"
    if fatal:
        yield ""
    yield from _rules(run)
    yield from _entries(run.scores)


def _rules(run: Run) -> Iterator[str]:
    """A row a rule, in the order of codes."""
    if not run.findings:
        return
    yield "| rule | kind | findings | files |"
    yield "|---|---|---:|---:|"
    ordered = sorted(run.findings, key=lambda finding: (finding.code, finding.kind))
    for (rule, name, kind), group in groupby(ordered, key=lambda finding: (finding.code, finding.name, finding.kind)):
        findings = list(group)
        files = len({finding.path for finding in findings})
        yield f"| {escaped(rule)} {escaped(name)} | {kind} | {len(findings)} | {files} |"
    yield ""


def _entries(scores: Iterable[EntryScore]) -> Iterator[str]:
    """A row an entry, the lowest scores first."""
    ordered = sorted(scores, key=lambda entry: (entry.score, entry.path, entry.cell or 0, entry.line, entry.entry))
    worth = [entry for entry in ordered if entry.score < 100]
    if not worth:
        return
    yield "| entry | score | operations | graphs |"
    yield "|---|---:|---:|---:|"
    for entry in worth[:_ENTRIES]:
        place = code(f"{entry.where}:{entry.line}")
        yield f"| {code(entry.entry)} {place} | {points(entry.score)} | {entry.ops} | {entry.graphs} |"
    yield ""
    left = ordered[len(worth[:_ENTRIES]) :]
    if left:
        low, high = points(left[0].score), points(left[-1].score)
        span = low if low == high else f"{low} to {high}"
        yield f"and {plural(len(left), 'more entry', 'more entries')} at {span}."
        yield ""


def _details(run: Run) -> Iterator[tuple[int, str]]:
    """Blocks that are shown on demand, with the number of findings in each: the files, then the advice of each rule."""
    for path, group in groupby(run.findings, key=lambda finding: finding.where):
        findings = list(group)
        yield len(findings), _block(f"{path}: {plural(len(findings), 'finding')}", _table(findings))
    first: dict[str, Finding] = {}
    for finding in run.findings:
        first.setdefault(finding.code, finding)
    for _, finding in sorted(first.items()):
        if finding.instead.strip():
            yield 0, _block(f"{finding.code} {finding.name}: what to write instead", _advice(finding))


def _block(head: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines).rstrip("\n")
    return f"<details><summary>{html(head)}</summary>\n\n{body}\n\n</details>\n"


def _table(findings: list[Finding]) -> Iterator[str]:
    yield "| line | rule | kind | finding |"
    yield "|---:|---|---|---|"
    for finding in findings:
        sure = "" if finding.confidence == "certain" else f", {finding.confidence}"
        place = f"{finding.line}:{finding.column}"
        where = f" in {code(finding.function)}" if finding.function else ""
        yield f"| {place} | {escaped(finding.code)} | {finding.kind}{sure} | {prose(finding.message)}{where} |"


def _advice(finding: Finding) -> Iterator[str]:
    for text in (finding.why, finding.instead):
        yield from paragraphs(text)
        yield ""
