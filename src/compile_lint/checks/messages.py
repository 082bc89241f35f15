"""The sentences of a finding: what stands there, and why it is a tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.cells import line_in_words

if TYPE_CHECKING:
    from compile_lint.checks.candidate import Candidate
    from compile_lint.inference.frame import Event
    from compile_lint.rulebook.model import Rule


def message(rule: Rule, candidate: Candidate) -> str:
    """The rule's message with the candidate's names, and the reason for the kind it rests on."""
    subject = f"`{candidate.subject}`" if candidate.subject else "this"
    callee = (candidate.callee or candidate.subject).removeprefix("builtins.").removesuffix("()")
    values = {"subject": subject, "callee": callee, "name": candidate.subject or callee}
    text = rule.message
    for name, value in values.items():
        # a rule may quote a placeholder itself
        text = text.replace("`{" + name + "}`", value if value.startswith("`") else f"`{value}`")
        text = text.replace("{" + name + "}", value)
    return f"{text} ({candidate.reason})" if candidate.reason else text


def subject_of(event: Event) -> str:
    """The source text of what an event is about."""
    subject = event.subject
    return subject if isinstance(subject, str) else event.module.source(subject) if subject is not None else ""


def because(event: Event, subject: str) -> str:
    """Where the tensor comes from; empty where the expression itself shows it."""
    origin = event.origin
    if origin is None:
        return ""
    node, reason = origin.node, origin.reason
    line = getattr(node, "lineno", 0)
    at = line_in_words(origin.module.cells, line)
    if reason == "annotation":
        return f"annotated as `{origin.module.source(node)}`, {at}"
    if reason == "argument" and isinstance(node, ast.arg):
        return f"`{node.arg}` is the first argument of the compile region"
    if reason.startswith("used ") and isinstance(node, ast.arg):
        return f"`{node.arg}` is used as a tensor: `{node.arg}.{reason.removeprefix('used ')}`"
    if reason == "sizes":
        return ""
    if reason == "buffer":
        return f"a registered buffer or parameter, {at}"
    if reason == "isinstance":
        return f"checked to be a tensor, {at}"
    if reason.startswith("method "):
        return f"`.{reason.removeprefix('method ')}` is a method of tensors"
    same = line == getattr(event.node, "lineno", -1) and origin.module.path == event.module.path
    text = origin.module.source(node)
    if same or text == subject:
        return ""
    place = at if origin.module.path == event.module.path else f"{origin.module.path}:{line}"
    return f"comes from `{text}`, {place}"
