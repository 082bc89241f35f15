"""Each line at which a graph ends: where, why, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from compile_lint.confirm.join.model import Confirmation, JoinedBreak, JoinedRecompile
from compile_lint.report.run import points
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.excerpt import LinesOf, excerpt
from compile_lint.report_page.view import BreakView, Remedy
from compile_lint.rulebook.model import Rule

RuleOf = Callable[[str], Rule | None]
"""A rule by its code; None where there is no such rule."""
_PLAIN_LINK = re.compile(r"https://[\w.-]+/[\w./#?=&%-]*", re.ASCII)
_MOST = 300
"""Characters of a reason that are shown."""
_MOST_HINT = 800


def breaks(seen: Confirmation, rule_of: RuleOf, lines_of: LinesOf, catalogue: Catalogue) -> tuple[BreakView, ...]:
    """All of them: those in the user's own code first, and none that only follows from another."""
    own = [one for one in seen.breaks if not one.consequence_of]
    ordered = sorted(own, key=lambda one: not one.in_project)
    told: dict[str, str] = {}
    return tuple(_view(one, rule_of, lines_of, told, catalogue) for one in ordered)


def troubles(seen: Confirmation, catalogue: Catalogue) -> Iterator[str]:
    """What compiling does besides breaks, a sentence each."""
    if seen.error is not None:
        yield catalogue.text("trouble.error", error=short(f"{seen.error.kind}: {seen.error.message}"))
    if seen.same_result is False:
        yield catalogue.text("trouble.differs", what=short("; ".join(seen.differences) or seen.tolerance))
    if seen.fix_first is not None and seen.score is not None:
        fix, score = seen.fix_first, points(seen.score)
        at = place(fix.path, fix.line)
        yield catalogue.text("trouble.fix-first", place=at, score=score, then=points(fix.score))
    for again in seen.recompiles:
        yield _recompile(again, catalogue)
    if seen.recompile_limit_hit:
        yield catalogue.text("trouble.limit")


def short(text: str, most: int = _MOST) -> str:
    """A text in one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def place(path: str, line: int) -> str:
    """`path:line`, or the path alone."""
    return f"{path}:{line}" if line else path


def _view(
    one: JoinedBreak, rule_of: RuleOf, lines_of: LinesOf, told: dict[str, str], catalogue: Catalogue
) -> BreakView:
    plain = _PLAIN_LINK.fullmatch(one.url) is not None
    where = place(one.path, one.line)
    return BreakView(
        where,
        one.function,
        tuple(_facts(one, catalogue)),
        short(one.reason),
        short(one.hint, _MOST_HINT),
        excerpt(one.path, one.line, one.source, lines_of),
        tuple(_remedy(rule, where, told) for code in one.codes if (rule := rule_of(code)) is not None),
        one.url if plain else "",
        one.graph_break_id,
    )


def _facts(one: JoinedBreak, catalogue: Catalogue) -> Iterator[str]:
    if one.predicted:
        yield catalogue.text("break.predicted", codes=", ".join(one.codes))
    elif one.in_project:
        yield catalogue.text("break.missed")
    if not one.in_project and one.charged_to is not None:
        yield catalogue.text("break.library", place=place(one.charged_to.path, one.charged_to.line))
    yield catalogue.count("break.times", one.times)
    if one.frame_skipped:
        yield catalogue.text("break.skipped")


def _remedy(rule: Rule, where: str, told: dict[str, str]) -> Remedy:
    """The texts of a rule, once on a page; `told` has the breaks that told them."""
    if rule.code in told:
        return Remedy(rule.code, rule.name, told_at=told[rule.code])
    told[rule.code] = where
    return Remedy(rule.code, rule.name, rule.why.strip("\n"), rule.instead.strip("\n"))


def _recompile(again: JoinedRecompile, catalogue: Catalogue) -> str:
    where = {"function": again.function, "place": place(again.path, again.line), "call": f"{again.call + 1:,}"}
    key = "trouble.recompile-free" if again.automatic_dynamic else "trouble.recompile"
    return catalogue.text(key, **where, reason=short(again.reason or again.guard))
