"""`compile-lint rules` and `compile-lint rule`."""

from __future__ import annotations

import json
import os
import sys

from compile_lint.cli.output import to_stdout
from compile_lint.cli.page import page
from compile_lint.cli.setup import configuration
from compile_lint.cli.setup import rules as read_rules
from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.report.paint import KIND_COLORS, Paint, wants_color
from compile_lint.rulebook import Rule, Rulebook

FORMS = ("text", "json")


def list_rules(form: str, config: str | None, isolated: bool) -> None:
    """Print every rule. ConfigError for another form, or a configuration or rule file that cannot be used."""
    if form not in FORMS:
        raise ConfigError(f"--format: {form!r} is not valid{hint(form, FORMS)}")
    rulebook = _rulebook(config, isolated)
    if form == "json":
        to_stdout(json.dumps([_plain(rule) for rule in rulebook.rules], indent=2) + "\n")
        return
    paint = _paint()
    to_stdout("".join(f"{_row(rule, paint)}\n" for rule in rulebook.rules))


def show_rule(code: str, config: str | None, isolated: bool) -> None:
    """Print the page of one rule. ConfigError if there is none of that code or name."""
    rulebook = _rulebook(config, isolated)
    rule = rulebook.get(code)
    if rule is None:
        known = [word for one in rulebook.rules for word in (one.code, one.name)]
        raise ConfigError(f"rule: unknown rule {code!r}{hint(code, known)}")
    paint = _paint()
    to_stdout(page(rule, paint))


def _rulebook(config: str | None, isolated: bool) -> Rulebook:
    file, _ = configuration(config, isolated, ())
    return read_rules({}, file)


def _paint() -> Paint:
    return Paint(wants_color("auto", sys.stdout.isatty(), os.environ))


def _row(rule: Rule, paint: Paint) -> str:
    kind = paint(f"{rule.kind:<9}", KIND_COLORS[rule.kind])
    return f"{paint(rule.code, 'bold')}  {kind}  {rule.confidence:<8}  {rule.name}: {rule.summary}"


def _plain(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "kind": rule.kind,
        "confidence": rule.confidence,
        "summary": rule.summary,
        "message": rule.message,
        "why": rule.why,
        "instead": rule.instead,
        "graph_break_ids": list(rule.graph_break_ids),
        "since": rule.since,
        "until": rule.until,
        "bad": [{"title": example.title, "source": example.source} for example in rule.bad],
        "good": [{"title": example.title, "source": example.source} for example in rule.good],
    }
