"""The texts of a finding that reports for other tools share."""

from __future__ import annotations

from compile_lint.findings import Finding
from compile_lint.report.paint import safe
from compile_lint.report.prose import first_sentence


def clean(text: str) -> str:
    """A text of several lines without what could steer a terminal that it ends up on."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    return "\n".join(safe(line.expandtabs(4).rstrip()) for line in lines)


def one_line(text: str) -> str:
    """A text in one line."""
    return " ".join(safe(part) for part in text.split())


def title(finding: Finding) -> str:
    """The rule, and how sure it is where it is not certain."""
    sure = "" if finding.confidence == "certain" else f" ({finding.confidence})"
    return f"{finding.code} {finding.name}{sure}"


def in_short(finding: Finding) -> str:
    """The message, then in a line each why and what to write instead, the first sentence of each."""
    lines = [clean(finding.message)]
    for label, text in (("Why", finding.why), ("Instead", finding.instead)):
        short = one_line(first_sentence(text.split("\n\n")[0]))
        if short:
            lines.append(f"{label}: {short}")
    return "\n".join(lines)


def reach(finding: Finding) -> str:
    """The function that holds the finding, the entry that it is reached through, and what makes it worse."""
    words = []
    if finding.function:
        words.append(f"`{finding.function}`")
    if finding.entry and finding.entry != finding.function:
        words.append(f"reached from `{finding.entry}`")
    if finding.in_loop:
        words.append("inside a loop")
    if finding.frame_skipped:
        words.append("the whole function falls back to eager")
    return ", ".join(words)
