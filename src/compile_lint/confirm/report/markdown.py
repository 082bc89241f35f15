"""The report as Markdown: for a job summary or a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from compile_lint.confirm.join.figures import by_rule
from compile_lint.confirm.join.model import Confirmation, ConfirmRun, JoinedBreak
from compile_lint.confirm.observation import OperatorSeen
from compile_lint.confirm.report import words
from compile_lint.confirm.report.text import missed_by_id
from compile_lint.report.markup import code, escaped, fenced, html
from compile_lint.report.run import plural, points

_SHOWN = 30


def render(run: ConfirmRun, failures: Sequence[str] = (), rules: bool = False) -> str:
    """The whole report."""
    lines = ["## compile-lint confirm", ""]
    lines += [f"- :x: {escaped(failure)}" for failure in failures]
    lines += [""] * bool(failures)
    lines += _summary(run)
    for target in run.targets:
        lines += ["", *_target(target)]
    if rules:
        lines += ["", *_rules(run)]
    return "\n".join(lines) + "\n"


def _summary(run: ConfirmRun) -> Iterator[str]:
    yield f"Measured readiness: **{words.run_score_words(run)}**, under torch {escaped(run.torch) or 'unknown'}"
    yield f"on {escaped(run.device) or 'an unknown device'}. Findings: {words.figures_words(run)}."
    yield ""
    yield "| target | score | predicted | breaks | recompilations | graphs |"
    yield "|---|---:|---:|---:|---:|---|"
    for target in run.targets:
        yield f"| {code(target.name)} | {' | '.join(_cells(target))} |"


def _cells(target: Confirmation) -> Iterator[str]:
    if target.score is None:
        yield f"{target.status}"
    else:
        yield points(target.score)
    yield "" if target.predicted_score is None else points(target.predicted_score)
    yield str(sum(not one.consequence_of for one in target.breaks))
    yield str(len(target.recompiles))
    yield words.graphs_words(target)


def _target(target: Confirmation) -> Iterator[str]:
    opened = " open" if len(target.breaks) and target.score is not None and target.score < 50 else ""
    yield f"<details{opened}><summary>{html(target.name)}: {html(_headline(target))}</summary>"
    yield ""
    if target.status != "ok":
        yield f"**{target.status}**: {escaped(target.message)}"
        yield from ["", *fenced(target.traceback)]
    if target.error is not None:
        at = target.error.place
        where = f" at {code(words.place(at.path, at.line))}" if at else ""
        yield f"**Raises only when compiled**{where}: {escaped(f'{target.error.kind}: {target.error.message}')[:500]}"
        yield ""
    for title, breaks in (
        ("Breaks", [one for one in target.breaks if one.in_project]),
        ("Breaks in libraries", [one for one in target.breaks if not one.in_project]),
    ):
        if breaks:
            yield from _table(title, breaks)
    yield from _recompiles(target)
    yield from operator_lines(target.operators)
    yield from (f"- results {escaped(line)}" for line in words.result_words(target))
    if target.score is not None:
        yield f"- score {escaped(words.score_words(target))}"
        yield from (
            f"  - -{points(cost.points)}: {escaped(words.cost_words(cost))}" for cost in target.deductions[:_SHOWN]
        )
    fix = words.fix_words(target)
    if fix:
        yield f"- **fix first** {escaped(fix)}"
    yield ""
    yield "</details>"


def _headline(target: Confirmation) -> str:
    if target.score is None:
        return target.status
    return f"{points(target.score)} of 100, {words.graphs_words(target)}"


def _table(title: str, breaks: Sequence[JoinedBreak]) -> Iterator[str]:
    yield f"{title}:"
    yield ""
    yield "| line | verdict | break | times | reason |"
    yield "|---|---|---|---:|---|"
    for one in breaks[:_SHOWN]:
        number = _number(one)
        where = code(words.place(one.path, one.line))
        if not one.in_project and one.charged_to is not None:
            where += f" from {code(words.place(one.charged_to.path, one.charged_to.line))}"
        reason = escaped(words.first_line(one.reason, 120))
        whole = ", whole frame eager" if one.frame_skipped else ""
        yield f"| {where} | {escaped(words.verdict_words(one))} | {number} | {one.times} | {reason}{whole} |"
    if len(breaks) > _SHOWN:
        yield ""
        yield f"and {plural(len(breaks) - _SHOWN, 'more line', 'more lines')}."
    yield ""


def _number(one: JoinedBreak) -> str:
    """The id, with a link to its page where the address is a plain one."""
    plain = re.fullmatch(r"https://[\w./#?=&%-]+", one.url, re.ASCII)
    return f"[{escaped(one.graph_break_id)}]({one.url})" if plain else escaped(one.graph_break_id)


def _recompiles(target: Confirmation) -> Iterator[str]:
    if target.recompiles:
        yield "Recompilations:"
        yield ""
        yield from (f"- {escaped(words.recompile_words(one))}" for one in target.recompiles[:_SHOWN])
        yield ""


def operator_lines(operators: Sequence[OperatorSeen]) -> Iterator[str]:
    """The custom operators, each with what stands against it."""
    if not operators:
        return
    yield "Custom operators:"
    yield ""
    for one in operators:
        name = one.name if one.overload == "default" else one.qualified
        yield f"- {code(name)} {escaped(words.operator_words(one))}"
        yield from (f"  - {escaped(line)}" for line in words.operator_problems(one))
    yield ""


def _rules(run: ConfirmRun) -> Iterator[str]:
    yield "| rule | confirmed | refuted |"
    yield "|---|---:|---:|"
    for rule in by_rule(run.targets):
        if rule.refuted:
            yield f"| {rule.code} {rule.name} | {rule.confirmed} | {rule.refuted} |"
    for number, count in missed_by_id(run):
        yield f"| no rule, {escaped(number) or 'no id'} | | {count} missed |"
