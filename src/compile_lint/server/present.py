"""What a client shows of a finding: the diagnostic, the page under the pointer, the actions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from compile_lint.cli.page import page
from compile_lint.findings import Finding
from compile_lint.report.paint import Paint, safe, safe_lines
from compile_lint.report.rule_page import link
from compile_lint.report.words import reach
from compile_lint.rulebook import Rule, Rulebook
from compile_lint.rulebook.model import Example
from compile_lint.server.actions import Action
from compile_lint.server.documents import Part
from compile_lint.server.positions import Positions

SOURCE = "compile-lint"
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "wrong": types.DiagnosticSeverity.Error,
    "break": types.DiagnosticSeverity.Warning,
    "hazard": types.DiagnosticSeverity.Warning,
    "recompile": types.DiagnosticSeverity.Information,
}
_CODE_SPAN = re.compile(r"(`[^`]*`)")
_SPECIAL = re.compile(r"([\\*_\[\]<>#|~])")


def diagnostic(finding: Finding, positions: Positions) -> types.Diagnostic:
    """A finding as the protocol has it; `code_description` leads to PyTorch's page of the graph break."""
    ids = finding.graph_break_ids
    return types.Diagnostic(
        range=positions.range(finding),
        message="\n".join(safe_lines(finding.message)),
        severity=SEVERITIES[finding.kind],
        code=finding.code,
        code_description=types.CodeDescription(link(ids[0])) if ids else None,
        source=SOURCE,
        data={"name": finding.name, "kind": finding.kind, "confidence": finding.confidence},
    )


def code_action(
    action: Action, part: Part, positions: Positions, about: list[types.Diagnostic], versions: bool
) -> types.CodeAction:
    """An action as the protocol has it; with `versions` the edit names the version of the text that it is for."""
    at = positions.position(action.insertion.line, action.insertion.column)
    edit = types.TextEdit(types.Range(at, at), action.insertion.text)
    if versions:
        named = types.OptionalVersionedTextDocumentIdentifier(part.uri, part.version)
        change = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(named, [edit])])
    else:
        change = types.WorkspaceEdit(changes={part.uri: [edit]})
    return types.CodeAction(action.title, types.CodeActionKind.QuickFix, about, edit=change)


def hover(findings: Sequence[Finding], rulebook: Rulebook, markdown: bool) -> types.MarkupContent:
    """Each finding with why it is one (where the tensor comes from, how the line is reached), and its rule's page."""
    write = _markdown if markdown else _plain
    text = ("\n\n---\n\n" if markdown else "\n\n").join(write(one, rulebook.get(one.code)) for one in findings)
    return types.MarkupContent(types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText, text)


def _plain(finding: Finding, rule: Rule | None) -> str:
    lines = [*safe_lines(finding.message), *([f"In {reach(finding)}."] if reach(finding) else [])]
    return "\n".join([*lines, "", page(rule, Paint()).rstrip() if rule is not None else ""]).rstrip()


def _markdown(finding: Finding, rule: Rule | None) -> str:
    sure = "" if finding.confidence == "certain" else f", {finding.confidence}"
    parts = [
        f"**{finding.code} {finding.name}** ({finding.kind}{sure})",
        " ".join(_escaped(line) for line in safe_lines(finding.message)),
    ]
    if reach(finding):
        parts.append(f"In {_escaped(reach(finding))}.")
    parts += [
        f"**{heading}:** {_prose(text)}"
        for heading, text in (("Why", finding.why), ("Instead", finding.instead))
        if text
    ]
    if rule is not None:
        parts += _examples("For example", rule.bad[:1])
        parts += _examples("Not flagged", rule.good[:1])
    if finding.graph_break_ids:
        parts.append("Graph breaks: " + ", ".join(f"[{one}]({link(one)})" for one in finding.graph_break_ids))
    return "\n\n".join(parts)


def _examples(heading: str, examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        yield f"**{heading}:** {_escaped(' '.join(safe_lines(example.title)))}"
        code = safe_lines(example.source)
        fence = "`" * max(3, *(len(run) + 1 for line in code for run in re.findall("`+", line)), 0)
        yield "\n".join([f"{fence}python", *code, fence])


def _prose(text: str) -> str:
    """A text of a rule. Its indented lines are code in Markdown too."""
    lines = safe_lines(text)
    return "\n".join(line if line.startswith("    ") else _escaped(line) for line in lines)


def _escaped(text: str) -> str:
    """Text whose backticks mark code, and in which nothing else means anything."""
    if text.count("`") % 2:
        return _SPECIAL.sub(r"\\\1", safe(text).replace("`", "\\`"))
    parts = _CODE_SPAN.split(safe(text))
    return "".join(part if part.startswith("`") else _SPECIAL.sub(r"\\\1", part) for part in parts)
