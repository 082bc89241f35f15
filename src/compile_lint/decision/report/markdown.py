"""The report as Markdown: for a ticket, a pull request or a page of a wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compile_lint.decision.formulas import assumptions, formulas
from compile_lint.decision.model import Decision
from compile_lint.decision.report import words
from compile_lint.report.markup import escaped, fenced, prose
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.facts import facts


def render(decisions: Sequence[Decision], catalogue: Catalogue, brief: bool = False) -> str:
    """The whole report. `brief` leaves out the checklists and the formulas."""
    lines = ["## compile-lint decide", ""]
    if len(decisions) > 1:
        lines += [*_overview(decisions, catalogue), ""]
    for one in decisions:
        lines += _target(one, catalogue, brief)
    if not brief:
        lines += _basis(decisions[0], catalogue)
    return "\n".join(lines).rstrip("\n") + "\n"


def _target(decision: Decision, catalogue: Catalogue, brief: bool) -> Iterator[str]:
    yield f"### {escaped(decision.name)}: {escaped(catalogue.text(f'verdict.{decision.verdict}'))}"
    yield ""
    yield from _table(("", ""), _facts(decision, catalogue))
    yield ""
    yield f"**{escaped(catalogue.text('page.why'))}**"
    yield ""
    for reason in decision.reasons:
        weight = escaped(catalogue.text(f"weight.{reason.weight}"))
        yield f"- **{weight}**: {prose(words.filled(reason.text, reason.values, catalogue))}"
        yield f"  *{escaped(catalogue.text('page.evidence', evidence=reason.evidence))}*"
    yield ""
    if brief or not decision.conditions:
        return
    yield f"**{escaped(catalogue.text('page.checklist'))}**"
    yield ""
    for one in decision.conditions:
        yield f"- [ ] {prose(words.filled(one.text, one.values, catalogue))}"
        if one.code:
            yield ""
            yield from (f"  {line}".rstrip() for line in fenced(one.code))
    yield ""


def _facts(decision: Decision, catalogue: Catalogue) -> Iterator[tuple[str, ...]]:
    for fact in facts(decision, catalogue):
        mark = f" ({catalogue.text('page.assumed')})" if fact.assumed else ""
        yield fact.name, fact.value + mark


def _overview(decisions: Sequence[Decision], catalogue: Catalogue) -> Iterator[str]:
    yield f"{escaped(catalogue.text('overview.caption'))}:"
    yield ""
    yield from _table(words.columns(catalogue), (words.row(one, catalogue) for one in decisions))


def _basis(decision: Decision, catalogue: Catalogue) -> Iterator[str]:
    yield f"### {escaped(catalogue.text('decide.assumptions'))}"
    yield ""
    yield from (f"- {escaped(line)}" for line in assumptions(decision, catalogue))
    yield ""
    yield f"### {escaped(catalogue.text('page.formulas'))}"
    yield ""
    yield from (f"- {escaped(line)}" for line in formulas(catalogue))


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(map(escaped, head))} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(map(escaped, row))} |" for row in rows)
