"""Taking out what comments silence, and telling of comments that silence nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from compile_lint.config.selectors import Selectors, covers
from compile_lint.findings import Finding
from compile_lint.rulebook.model import Rule
from compile_lint.suppress.comments import LINE_END, Comment, comments
from compile_lint.suppress.statements import Statements


@dataclass(frozen=True, slots=True)
class Result:
    """`kept` findings, sorted by place, those about idle comments among them; and how many were `silenced`."""

    kept: tuple[Finding, ...]
    silenced: int


def apply(findings: Sequence[Finding], texts: Mapping[str, str], selectors: Selectors, rule: Rule | None) -> Result:
    """Take out the findings that comments silence, and add one for each comment that silences nothing.

    Args:
        findings: of any confidence and code: a comment against one that is not shown this time is no mistake.
        texts: path -> text, for the linted files that may hold a suppression.
        selectors: the rules that exist.
        rule: the rule of idle suppressions; None to look for none.
    """
    by_path: dict[str, list[Finding]] = {path: [] for path in texts}
    kept = []
    for finding in findings:
        if finding.path in by_path:
            by_path[finding.path].append(finding)
        else:
            kept.append(finding)
    silenced = 0
    for path, inside in by_path.items():
        found = comments(texts[path], selectors)
        if not found:
            kept.extend(inside)
            continue
        file = _File(texts[path], found)
        left = [finding for finding in inside if not file.silences(finding)]
        silenced += len(inside) - len(left)
        kept.extend(left)
        if rule is not None:
            kept.extend(finding for finding in _idle(path, found, rule) if not file.pardons(finding))
    return Result(tuple(sorted(kept, key=lambda finding: finding.place)), silenced)


class _File:
    """The suppressions of one file, by the lines that they stand on."""

    def __init__(self, text: str, found: Iterable[Comment]) -> None:
        self.text = text
        self.lines = LINE_END.split(text)
        self.whole: list[Comment] = []
        self.trailing: dict[int, list[Comment]] = {}
        self.above: dict[int, list[Comment]] = {}
        self.skips: dict[int, list[Comment]] = {}
        for comment in found:
            if comment.form == "file-ignore":
                self.whole.append(comment)
            elif comment.form == "skip-function":
                self.skips.setdefault(comment.line, []).append(comment)
            elif not comment.alone:
                self.trailing.setdefault(comment.line, []).append(comment)
            elif comment.form == "ignore":
                self.above.setdefault(comment.line, []).append(comment)
        self._statements: Statements | None = None

    def silences(self, finding: Finding) -> bool:
        """Whether a comment speaks of the finding. Every one that does is marked as used, not the first alone."""
        spoken = [comment.silences(finding.code) for comment in self.covering(finding)]
        return any(spoken)

    def pardons(self, finding: Finding) -> bool:
        """Whether a comment that names the code speaks of the finding. A blanket one would hide its own idleness."""
        return any(comment.names(finding.code) for comment in self.covering(finding))

    def covering(self, finding: Finding) -> Iterator[Comment]:
        """The comments that stand where one against this finding may stand, whatever rules they name."""
        yield from self.whole
        if not (self.trailing or self.above or self.skips):
            return
        statements = self._statements = self._statements or Statements(self.text)
        first = statements.first_line(finding.line)
        for line in sorted({first, *range(finding.line, finding.end_line + 1)}):
            yield from self.trailing.get(line, ())
        for line in sorted({above for start in (first, finding.line) for above in self.comment_lines_above(start)}):
            yield from self.above.get(line, ())
        if self.skips:
            starts = set(statements.functions(finding.line))
            for line in sorted(starts | {above for start in starts for above in self.comment_lines_above(start)}):
                yield from self.skips.get(line, ())

    def comment_lines_above(self, line: int) -> Iterator[int]:
        """The lines directly above that hold a comment and nothing else: a reason may take more than one."""
        line -= 1
        while 1 <= line <= len(self.lines) and self.lines[line - 1].lstrip().startswith("#"):
            yield line
            line -= 1


def _idle(path: str, found: Iterable[Comment], rule: Rule) -> Iterator[Finding]:
    """A finding for each suppression, or each code in one, that silenced nothing or means nothing."""
    for comment in found:
        for complaint in comment.complaints:
            yield _finding(path, comment, complaint, rule)
        if comment.blanket:
            if not comment.used and comment.form != "noqa":  # a bare noqa may be meant for another linter
                yield _finding(path, comment, _message(rule, "every rule", comment.text), rule)
            continue
        idle = [
            selector
            for selector in comment.selectors
            if selector not in comment.used and not covers(selector, rule.code)
        ]
        if idle and len(idle) == len(comment.selectors) and not comment.complaints:
            yield _finding(path, comment, _message(rule, ", ".join(idle), comment.text), rule)
        else:
            yield from (_finding(path, comment, _message(rule, code, comment.text), rule) for code in idle)


def _message(rule: Rule, codes: str, text: str) -> str:
    return rule.message.format(name=codes, subject=text, callee="")


def _finding(path: str, comment: Comment, message: str, rule: Rule) -> Finding:
    return Finding(
        code=rule.code,
        name=rule.name,
        kind=rule.kind,
        confidence=rule.confidence,
        path=path,
        line=comment.line,
        column=comment.column,
        end_line=comment.line,
        end_column=comment.column + len(comment.text),
        message=message,
        why=rule.why,
        instead=rule.instead,
        function="",
        entry="",
    )
