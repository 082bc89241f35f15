"""The page as Markdown, for a wiki or a pull request: the same words; of each chart its sentence and its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compile_lint.report.markup import code, escaped, fenced, html, prose
from compile_lint.report.rule_page import paragraphs
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.view import BreakView, Chart, Excerpt, Fact, ModelView, PageView, Table


def render(page: PageView, catalogue: Catalogue) -> str:
    """The whole text."""
    lines = [f"# {escaped(page.title)}", ""]
    if page.overview is not None:
        lines += [escaped(page.sentence), "", *_table(page.overview)]
    for model in page.models:
        lines += _model(model, catalogue)
    lines += ["---", "", escaped(page.written_by)]
    return "\n".join(lines) + "\n"


def _model(model: ModelView, catalogue: Catalogue) -> Iterator[str]:
    yield from (f"## {escaped(model.name)}", "", f"**{prose(model.sentence)}**", "")
    if model.reasons:
        yield from _heading("page.why", catalogue)
        for place, reason in enumerate(model.reasons, 1):
            source = f"{catalogue.text('page.evidence')} {reason.evidence}"
            yield f"{place}. *{escaped(reason.weight_name)}*: {prose(reason.text)} ({escaped(source)})"
        yield ""
    yield from _heading("page.figures", catalogue)
    yield from _facts(model.facts, catalogue)
    if any(fact.assumed for fact in model.facts):
        yield from (escaped(catalogue.text("page.measured")), "")
    for table in model.tables:
        yield from (f"{escaped(table.caption)}:", "", *_table(table))
    if model.charts:
        yield from _heading("page.charts", catalogue)
        for chart in model.charts:
            yield from _chart(chart, catalogue)
    yield from _checklist(model, catalogue)
    yield from _engineers(model, catalogue)
    yield from _method(model, catalogue)


def _heading(key: str, catalogue: Catalogue) -> Iterator[str]:
    yield from (f"### {escaped(catalogue.text(key))}", "")


def _facts(facts: Sequence[Fact], catalogue: Catalogue) -> Iterator[str]:
    for fact in facts:
        mark = f" *({escaped(catalogue.text('page.assumed'))})*" if fact.assumed else ""
        yield f"- {escaped(fact.name)}: {escaped(fact.value)}{mark}"
    yield ""


def _table(table: Table) -> Iterator[str]:
    """The rows, without the caption."""
    yield f"| {' | '.join(escaped(column) for column in table.columns)} |"
    yield f"|{''.join('---|' if place < table.numbers else '---:|' for place in range(len(table.columns)))}"
    yield from (f"| {' | '.join(escaped(cell) for cell in row)} |" for row in table.rows)
    yield ""


def _chart(chart: Chart, catalogue: Catalogue) -> Iterator[str]:
    yield from (f"#### {escaped(chart.title)}", "", escaped(chart.words), "")
    yield from ("<details>", f"<summary>{html(catalogue.text('page.data'))}</summary>", "")
    yield from (*_table(chart.table), "</details>", "")


def _checklist(model: ModelView, catalogue: Catalogue) -> Iterator[str]:
    if not model.checklist:
        return
    yield from _heading("page.checklist", catalogue)
    for item in model.checklist:
        source = f"{catalogue.text('page.evidence')} {item.evidence}"
        yield f"- [ ] {prose(item.text)} ({escaped(source)})"
        if item.code:
            yield ""
            yield from (f"  {line}" if line else "" for line in fenced(item.code))
    yield ""


def _engineers(model: ModelView, catalogue: Catalogue) -> Iterator[str]:
    yield from _heading("page.engineers", catalogue)
    yield from (f"- {prose(trouble)}" for trouble in model.troubles)
    if model.troubles:
        yield ""
    if not model.breaks:
        yield from (prose(model.no_breaks), "")
    for one in model.breaks:
        yield from _break(one, catalogue)


def _break(one: BreakView, catalogue: Catalogue) -> Iterator[str]:
    where = f"{code(one.place)} {escaped(one.function)}".strip()
    yield from (f"#### {where}", "", f"{'; '.join(prose(fact) for fact in one.facts)}.", "")
    if one.excerpt is not None:
        yield from fenced("\n".join(_source(one.excerpt)))
    link = f" [{escaped(one.link_name)}]({one.link})" if one.link else ""
    yield from (f"{prose(one.reason)}{link}", "")
    if one.hint:
        yield from (f"{escaped(catalogue.text('page.hint'))}: {prose(one.hint)}", "")
    for remedy in one.remedies:
        yield from (f"**{escaped(remedy.code)} {escaped(remedy.name)}**", "")
        if remedy.told_at:
            yield from (prose(catalogue.text("break.told", place=remedy.told_at)), "")
            continue
        yield from (*paragraphs(remedy.why), "")
        yield from (f"{escaped(catalogue.text('page.rule-instead'))}:", "", *paragraphs(remedy.instead), "")


def _source(excerpt: Excerpt) -> Iterator[str]:
    width = len(str(excerpt.first + len(excerpt.lines)))
    for number, line in enumerate(excerpt.lines, excerpt.first):
        yield f"{'>' if number == excerpt.marked else ' '} {number:>{width}} | {line}"


def _method(model: ModelView, catalogue: Catalogue) -> Iterator[str]:
    yield from _heading("page.method", catalogue)
    yield from _facts(model.method, catalogue)
    given = (("page.formulas", model.formulas), ("page.assumptions", model.assumptions), ("page.notes", model.notes))
    for key, texts in given:
        if texts:
            yield from (f"#### {escaped(catalogue.text(key))}", "")
            yield from (f"- {prose(text)}" for text in texts)
            yield ""
