"""The page of a rule, made from its file alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compile_lint.report.paint import KIND_COLORS, Paint, safe_lines
from compile_lint.report.prose import fill
from compile_lint.report.rule_page import link, span
from compile_lint.rulebook import Rule
from compile_lint.rulebook.model import Example

_MARK = re.compile(r"#\s*<-")


def page(rule: Rule, paint: Paint) -> str:
    """The whole page: what, why, instead, examples, not flagged, graph breaks, versions."""
    lines = [f"{paint(f'{rule.code} {rule.name}', 'bold', KIND_COLORS[rule.kind])}"]
    for heading, body in _parts(rule, paint):
        if body:
            lines.extend(["", paint(heading, "bold"), *body])
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _parts(rule: Rule, paint: Paint) -> Iterator[tuple[str, list[str]]]:
    yield "What", [f"{rule.summary[:1].upper()}{rule.summary[1:]}.", f"Kind: {rule.kind}. At most {rule.confidence}."]
    yield "Why", fill(rule.why)
    yield "Instead", fill(rule.instead)
    yield "Examples", [line for example in rule.bad for line in _example(example, paint)]
    yield "Not flagged", [line for example in rule.good for line in _example(example, paint)]
    yield "Graph breaks", [f"{one}  {link(one)}" for one in rule.graph_break_ids]
    yield "Versions", [_versions(rule.since, rule.until)]


def _example(example: Example, paint: Paint) -> Iterator[str]:
    remarks = [f"torch {span(example.since, example.until)}"] if example.since or example.until else []
    remarks.extend(f"{name} = {str(value).lower()}" for name, value in example.torch_config.items())
    yield f"- {' '.join(safe_lines(example.title))}{' (' + ', '.join(remarks) + ')' if remarks else ''}"
    yield ""
    for line in safe_lines(example.source):
        yield "      " + (paint(line, "yellow") if _MARK.search(line) else line)
    yield ""


def _versions(since: str, until: str) -> str:
    return f"torch {span(since, until)}." if since or until else "Every torch that compile-lint knows."
