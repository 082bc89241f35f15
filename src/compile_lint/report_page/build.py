"""From decisions and records to what the page says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compile_lint import __version__
from compile_lint.decision.formulas import assumptions, formulas
from compile_lint.decision.model import Condition, Reason
from compile_lint.report_page import breaks as broken
from compile_lint.report_page import evidence
from compile_lint.report_page.breaks import RuleOf
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.charts import charts
from compile_lint.report_page.excerpt import LinesOf, lines_of
from compile_lint.report_page.facts import facts, tables
from compile_lint.report_page.method import method
from compile_lint.report_page.overview import overview, ranked
from compile_lint.report_page.sentence import sentence
from compile_lint.report_page.view import BreakView, Item, ModelView, PageView, ReasonView, Subject


def page(subjects: Sequence[Subject], catalogue: Catalogue, rule_of: RuleOf, read: LinesOf = lines_of) -> PageView:
    """The page on these targets, of which there is one at least; several are ranked.

    Args:
        subjects: the targets with their decisions.
        catalogue: the language.
        rule_of: a rule by its code, for what to write instead.
        read: the lines of a source file as it is now, for excerpts.
    """
    ordered = ranked(subjects)
    models = tuple(_model(one, f"model-{place}", catalogue, rule_of, read) for place, one in enumerate(ordered, 1))
    several = len(models) > 1
    title = catalogue.text("page.title.many") if several else catalogue.text("page.title.one", name=models[0].name)
    whole = catalogue.text("page.several", number=f"{len(models):,}", first=models[0].name) if several else ""
    return PageView(
        catalogue.language,
        title,
        whole or models[0].sentence,
        overview(ordered, models, catalogue) if several else None,
        models,
        catalogue.text("page.written-by", version=__version__),
    )


def _model(subject: Subject, anchor: str, catalogue: Catalogue, rule_of: RuleOf, read: LinesOf) -> ModelView:
    decision, bench = subject.decision, subject.bench
    return ModelView(
        anchor=anchor,
        name=decision.name,
        verdict=decision.verdict,
        verdict_name=catalogue.text(f"verdict.{decision.verdict}"),
        sentence=sentence(decision, catalogue),
        facts=tuple(facts(decision, catalogue)),
        reasons=tuple(_reason(one, anchor, catalogue) for one in decision.reasons),
        charts=charts(subject, catalogue),
        tables=tuple(tables(bench, catalogue)) if bench is not None else (),
        troubles=tuple(_troubles(subject, catalogue)),
        breaks=_breaks(subject, catalogue, rule_of, read),
        no_breaks=catalogue.text("page.no-breaks" if _looked(subject) else "page.not-looked"),
        checklist=tuple(_item(one, anchor, catalogue) for one in decision.conditions),
        method=tuple(method(subject, catalogue)),
        formulas=formulas(catalogue),
        assumptions=assumptions(decision, catalogue),
        notes=() if bench is None else bench.notes,
    )


def _reason(one: Reason, anchor: str, catalogue: Catalogue) -> ReasonView:
    text, weight = catalogue.text(one.text, **one.values), catalogue.text(f"weight.{one.weight}")
    source = evidence.words(one.evidence, catalogue)
    return ReasonView(one.weight, weight, text, source, evidence.link(one.evidence, anchor))


def _item(one: Condition, anchor: str, catalogue: Catalogue) -> Item:
    source = evidence.words(one.evidence, catalogue)
    return Item(catalogue.text(one.text, **one.values), source, evidence.link(one.evidence, anchor), one.code)


def _troubles(subject: Subject, catalogue: Catalogue) -> Iterator[str]:
    bench = subject.bench
    if bench is None:
        return
    if bench.status != "ok":
        yield catalogue.text("trouble.status", status=bench.status, message=broken.short(bench.message))
    if bench.compiled_error and (bench.confirmation is None or bench.confirmation.error is None):
        yield catalogue.text("trouble.error", error=broken.short(bench.compiled_error))
    if bench.confirmation is not None:
        yield from broken.troubles(bench.confirmation, catalogue)
    elif bench.same_result is False:
        yield catalogue.text("trouble.differs", what=broken.short("; ".join(bench.differences) or bench.tolerance))


def _breaks(subject: Subject, catalogue: Catalogue, rule_of: RuleOf, read: LinesOf) -> tuple[BreakView, ...]:
    seen = None if subject.bench is None else subject.bench.confirmation
    return () if seen is None else broken.breaks(seen, rule_of, read, catalogue)


def _looked(subject: Subject) -> bool:
    """Whether the compiled call was observed from its begin to its end."""
    seen = None if subject.bench is None else subject.bench.confirmation
    return seen is not None and seen.status == "ok"
