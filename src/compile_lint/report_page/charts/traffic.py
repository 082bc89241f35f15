"""What compiling saves if traffic is less or more than it was said to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compile_lint.bench.figures import Range
from compile_lint.decision.maths import Figures, figures
from compile_lint.decision.model import Decision
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.charts.assumed import marked
from compile_lint.report_page.drawing import Drawing, Part, Series
from compile_lint.report_page.numbers import money, number, percent, short
from compile_lint.report_page.view import Chart, Table

_TIMES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Of the requests that were said to come; the one without change is among them."""
_ENDS: tuple[tuple[str, Part], ...] = (("low", "least"), ("value", "likely"), ("high", "most"))


def chart(decision: Decision, catalogue: Catalogue) -> Chart | None:
    """Money a month by requests a day, or the share of machine time where no cost is known; None without traffic."""
    said = decision.business.requests_per_day
    if not said:
        return None
    requests = [said * times for times in _TIMES]
    found = [_saved(decision, one) for one in requests]
    ranges = [one for one in found if one is not None]
    if len(ranges) < len(found):
        return None
    shown = _shown(decision)
    names = [catalogue.text(f"chart.traffic.{end}") for end, _ in _ENDS]
    series = [
        Series(name, part, tuple(getattr(one, end) for one in ranges))
        for name, (end, part) in zip(names, _ENDS, strict=True)
    ]
    labels = tuple(short(one) for one in requests)
    x = catalogue.text("chart.traffic.x")
    drawing = Drawing("bars", tuple(series), labels, x, _axis(decision, catalogue), y_shown=short)
    rows = [
        (number(amount), *(shown(getattr(one, end)) for end, _ in _ENDS))
        for amount, one in zip(requests, ranges, strict=True)
    ]
    title = catalogue.text("chart.traffic.title")
    words = marked(_words(requests, ranges, shown, catalogue), "saving-per-month", decision, catalogue)
    return Chart(title, words, drawing, Table(title, (x, *names), tuple(rows)))


def _saved(decision: Decision, requests: float) -> Range | None:
    found: Figures = figures(decision.evidence, replace(decision.business, requests_per_day=requests))
    if decision.business.gpu_cost_per_month is not None:
        return found.saving_per_month
    if found.net is None:
        return None
    return Range(*(100 * share for share in (found.net.value, found.net.low, found.net.high)))


def _axis(decision: Decision, catalogue: Catalogue) -> str:
    if decision.business.gpu_cost_per_month is None:
        return catalogue.text("chart.traffic.share")
    return catalogue.text("chart.traffic.money", currency=decision.business.currency)


def _shown(decision: Decision) -> Callable[[float], str]:
    if decision.business.gpu_cost_per_month is None:
        return lambda share: percent(share / 100)
    return lambda amount: money(amount, decision.business.currency)


def _words(requests: list[float], ranges: list[Range], shown: Callable[[float], str], catalogue: Catalogue) -> str:
    if all(one.high <= 0 for one in ranges):
        ends = {"few": number(requests[0]), "many": number(requests[-1])}
        return catalogue.text("chart.traffic.never", **ends)
    at = _TIMES.index(1.0)
    words = catalogue.text(
        "chart.traffic.words",
        requests=number(requests[at]),
        saved=shown(ranges[at].value),
        least=shown(ranges[0].value),
        few=number(requests[0]),
        most=shown(ranges[-1].value),
        many=number(requests[-1]),
    )
    losing = [amount for amount, one in zip(requests, ranges, strict=True) if one.low <= 0]
    if not losing:
        return words
    second = catalogue.text("chart.traffic.loses", requests=number(losing[-1]))
    return catalogue.text("chart.then", first=words, second=second)
