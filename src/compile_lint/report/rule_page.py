"""The page of a rule as Markdown: what, why, instead, examples, what is not flagged, graph breaks, versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from compile_lint.report.markup import escaped, fenced, prose
from compile_lint.report.words import clean
from compile_lint.rulebook.model import Example, Rule

GRAPH_BREAK_SITE = "https://meta-pytorch.github.io/compile-graph-break-site/gb/"
"""Where PyTorch explains its graph breaks; torch's own messages link there."""


def link(graph_break_id: str) -> str:
    """The address of the page of a graph break, as torch._dynamo.exc forms it."""
    return f"{GRAPH_BREAK_SITE}gb{graph_break_id.removeprefix('GB')}.html"


def page(rule: Rule) -> str:
    """The whole page below its title, which is left to the reader of it."""
    return "\n".join(_lines(rule)).strip("\n") + "\n"


def paragraphs(text: str) -> Iterator[str]:
    """The lines of a rule's text: prose with its backticks as code, indented lines as blocks of code."""
    lines = clean(text).split("\n") if text.strip() else []
    for indented, group in groupby(lines, key=lambda line: line.startswith("    ")):
        part = list(group)
        if indented:
            yield from ("", *fenced("\n".join(line[4:] for line in part)))
        else:
            yield from (prose(line) for line in part)


def span(since: str, until: str) -> str:
    """The releases of torch from one to another, either of which may be empty."""
    if since and until:
        return since if since == until else f"{since} to {until}"
    return f"{since} and newer" if since else f"up to {until}"


def _lines(rule: Rule) -> Iterator[str]:
    yield f"{prose(rule.summary[:1].upper() + rule.summary[1:])}. Kind: {rule.kind}. At most {rule.confidence}."
    yield from ("", "### Why", "", *paragraphs(rule.why))
    yield from ("", "### Instead", "", *paragraphs(rule.instead))
    yield from _examples("Examples", rule.bad)
    yield from _examples("Not flagged", rule.good)
    if rule.graph_break_ids:
        yield from ("", "### Graph breaks", "", *(f"- [{one}]({link(one)})" for one in rule.graph_break_ids))
    if rule.since or rule.until:
        yield from ("", f"torch {span(rule.since, rule.until)}.")


def _examples(title: str, examples: Iterable[Example]) -> Iterator[str]:
    for number, example in enumerate(examples):
        if not number:
            yield from ("", f"### {title}")
        yield from ("", f"{escaped(example.title)}:", "")
        first, *rest = fenced(example.source.strip("\n"))
        yield from (f"{first}python", *rest)
