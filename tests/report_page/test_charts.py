"""What the charts show, in numbers and in words."""

import dataclasses
import math
import xml.etree.ElementTree as ET

import pytest

from compile_lint.bench.figures import Range
from compile_lint.bench.record import Latency, RemedyCost, Size
from compile_lint.decision.maths import figures
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.charts import break_even, charts, graphs, latency, sizes, traffic
from compile_lint.report_page.drawing import Drawing, Series
from compile_lint.report_page.numbers import whole
from compile_lint.report_page.svg import svg

EN = Catalogue("en")
TAGS = {"svg", "g", "rect", "path", "text", "circle"}


# Latency


def test_latency(made):
    one = made.bench()
    chart = latency.chart(one.eager, one.compiled, EN)
    assert chart.words == (
        "Half of the eager calls take up to 10 ms, of the compiled ones up to 7 ms; "
        "95% take up to 11.6 ms eager and 8.65 ms compiled."
    )
    assert chart.table.columns == ("from ms", "eager", "compiled")
    assert chart.table.rows[0] == ("6.5", "0%", "12%") and chart.table.rows[-1] == ("≥ 11.5", "12%", "0%")
    eager, compiled = chart.drawing.series
    assert (eager.part, compiled.part) == ("eager", "compiled")
    assert sum(eager.values) == sum(compiled.values) == 1


def test_latency_needs_both_and_numbers(made):
    one = made.bench()
    assert latency.chart(one.eager, Latency(), EN) is None
    assert latency.chart(Latency(((math.nan, math.inf),)), one.compiled, EN) is None


@pytest.mark.parametrize(
    ("values", "edges"),
    [
        ([5.0], [5.0]),
        ([0.0, 0.0], [0.0]),
        ([1.0, 14.0], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
        ([1.0, 2.0, 900.0, 1000.0] + [1.5] * 60, [1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5]),
    ],
)
def test_bins_are_round_and_leave_the_tail_to_the_last(values, edges):
    assert latency.bins(values) == edges


# Break-even


def test_break_even(made):
    chart = break_even.chart(made.decision(), EN)
    assert chart.words == (
        "A fresh process first spends 60.5 s on warm-up. After 20,200 requests, 3.36 min of work in eager mode, "
        "compiling has earned that back."
    )
    eager, cold, warm, mark = chart.drawing.series
    assert [one.part for one in (eager, cold, warm, mark)] == ["eager", "compiled", "warm", "mark"]
    assert mark.points[0] == (20_167.0, pytest.approx(20_167 * 10 / 60_000))
    assert cold.points[0] == (0, pytest.approx(60.5 / 60)) and eager.points[0] == (0, 0)
    assert chart.table.rows[3] == ("20,200", "3.36 min", "3.36 min", "2.5 min")  # the lines cross


def test_break_even_that_never_comes(made):
    slower = made.evidence(compiled_ms=Range(11.0, 11.0, 11.0), saving=None, warm_s=None)
    chart = break_even.chart(made.decision(break_even_requests=None, evidence=slower), EN)
    assert chart.words == "A fresh process first spends 60.5 s on warm-up and never earns it back."
    assert [one.part for one in chart.drawing.series] == ["eager", "compiled"]


@pytest.mark.parametrize("missing", [("eager_ms",), ("compiled_ms", "saving"), ("cold_s", "warm_s")])
def test_break_even_needs_its_figures(made, missing):
    assert break_even.chart(made.decision(evidence=made.evidence(**dict.fromkeys(missing))), EN) is None


def test_break_even_of_an_assumed_saving_and_a_full_cache(made):
    figures = made.evidence(compiled_ms=None, cold_s=None, saving=Range(0.5, 0.5, 0.5))
    chart = break_even.chart(made.decision(evidence=figures, break_even_requests=1800.0), EN)
    assert [one.part for one in chart.drawing.series] == ["eager", "warm", "mark"]
    assert chart.table.rows[3] == ("1,800", "18 s", "18 s")


# Graphs


def test_graphs(made):
    chart = graphs.chart(made.confirmation(), EN)
    assert chart.words == "46 of 48 operations of a call run in 3 graphs; the largest holds 30."
    assert chart.table.rows == (("1", "12"), ("2", "30"), ("3", "4"), ("outside graphs", "2"))
    assert [one.values for one in chart.drawing.series] == [(12, 30, 4, None), (None, None, None, 2)]


def test_many_graphs_share_a_bar_and_none_is_told(made):
    many = graphs.chart(made.confirmation(graphs=(1,) * 40, ops_outside_graphs=0), EN)
    assert many.table.rows[-1] == ("31-40", "10") and len(many.drawing.series) == 1
    none = graphs.chart(made.confirmation(graphs=(), ops_outside_graphs=7), EN)
    assert none.words == "None of 7 operations of a call runs in a graph."
    assert graphs.chart(made.confirmation(graphs=(), ops_outside_graphs=0), EN) is None


# Sizes


def test_sizes(made):
    chart = sizes.by_size(made.traffic(), EN)
    assert chart.words == "1,000 requests of 5 sizes; the most common size is 3, with 50% of them."
    assert chart.table.columns == ("x.0", "requests", "share")
    assert chart.table.rows[0] == ("3", "500", "50%")


def test_many_sizes_share_bars(made):
    many = made.traffic(sizes=tuple(Size((size, 8), 2) for size in range(100)), dimensions=("x.0", "x.1"))
    chart = sizes.by_size(many, EN)
    assert len(chart.drawing.labels) == 20
    assert (chart.drawing.labels[0], chart.table.rows[0]) == ("0x8-4x8", ("0x8-4x8", "10", "5%"))
    assert sizes.by_size(made.traffic(sizes=()), EN) is None


def test_remedies(made):
    chart = sizes.by_remedy(made.traffic(), EN)
    assert chart.words == (
        "Cheapest for this traffic is padding to buckets: 7.6 s for all requests, with 2 compilations. "
        "Sizes are padded to x.0: 4, 40."
    )
    assert chart.drawing.labels == ("as it is", "dynamic=True", "padding to buckets")
    running, compiling = chart.drawing.series
    assert [a + b for a, b in zip(running.values, compiling.values, strict=True)] == pytest.approx([9.0, 8.0, 7.6])
    assert [row[0] for row in chart.table.rows] == [
        "as it is",
        "dynamic=True",
        "dynamic=False (cannot be used: ValueError: five sizes are too many)",
        "padding to buckets (estimated)",
    ]
    limit = made.traffic(remedies=(RemedyCost("as-is", 9.0, limit_hit=True),), cheapest="")
    assert sizes.by_remedy(limit, EN).table.rows[0][0] == "as it is (recompile limit reached)"
    assert sizes.by_remedy(made.traffic(remedies=()), EN) is None


def test_recompiles(made):
    chart = sizes.recompiles(made.traffic(), EN)
    assert chart.words == (
        "As it is, 2 of 3 sizes that were run meet 3 compilations. With padding to buckets: 2 compilations."
    )
    assert chart.drawing.labels == ("3", "4", "40")
    assert [one.values for one in chart.drawing.series] == [(2, 1, 0), (None, 1, 1)]
    assert chart.table.columns == ("x.0", "as it is", "padding to buckets")
    assert chart.table.rows == (("3", "2", ""), ("4", "1", "1"), ("40", "0", "1"))
    assert sizes.recompiles(made.traffic(remedies=(RemedyCost("as-is", 9.0, compiles=2),)), EN) is None


# Traffic


def test_saving_by_traffic(made):
    one = made.decision()
    chart = traffic.chart(one, EN)
    assert [row[0] for row in chart.table.rows][::3] == ["1,000", "30,000", "1,000,000"]
    least, likely, most = (series.values for series in chart.drawing.series)
    assert all(a <= b <= c for a, b, c in zip(least, likely, most, strict=True))
    assert list(likely) == sorted(likely)  # more traffic never saves less
    here = figures(one.evidence, one.business).saving_per_month
    assert (least[4], likely[4], most[4]) == (here.low, here.value, here.high)
    assert chart.words == (
        "With 100,000 requests a day the saving is likely 2,758 USD; with 1,000 it is -7,000 USD, with 1,000,000 it "
        "is 2,976 USD. With 3,000 a day or fewer it may be none."
    )


def test_what_saves_nothing_is_told_in_words(made):
    slower = made.evidence(saving=Range(-0.5, -0.6, -0.4))
    chart = traffic.chart(made.decision(evidence=slower), EN)
    assert chart.words == "With 1,000 to 1,000,000 requests a day nothing is saved."


def test_saving_by_traffic_without_a_bill_is_a_share_and_without_traffic_nothing(made):
    shares = traffic.chart(made.decision(business=made.business(gpu_cost_per_month=None)), EN)
    assert all(cell.endswith("%") for row in shares.table.rows for cell in row[1:])
    assert traffic.chart(made.decision(business=made.business(requests_per_day=None)), EN) is None
    unknown = made.evidence(eager_ms=None, compiled_ms=None, saving=None)
    assert traffic.chart(made.decision(evidence=unknown), EN) is None


# Pictures


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pictures_are_the_same_every_time_and_bring_nothing_along(made, language):
    for chart in charts(made.subject(), Catalogue(language)):
        text = svg(chart.drawing, chart.title, "words")
        assert text == svg(chart.drawing, chart.title, "words")
        root = ET.fromstring(text)
        assert {one.tag for one in root.iter()} <= TAGS
        names = {name for one in root.iter() for name in one.attrib} - {
            "role",
            "aria-label",
            "aria-describedby",
            "viewBox",
        }
        assert names <= {"class", "transform", "d", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r"}
        parts = {part for one in root.iter() for part in one.get("class", "").split()}
        assert {series.part for series in chart.drawing.series} <= parts


@pytest.mark.parametrize(
    ("kind", "values", "ticks"),
    [
        ("bars", ((2.0, 1.0), (1.0, 0.0)), ["0", "1", "2"]),
        ("stacked", ((2.0, 1.0), (2.0, 9.0)), ["0", "2", "4", "6", "8", "10"]),
        ("bars", ((0.0,), (None,)), ["0", "1"]),
        ("bars", ((1234.0,), (7.0,)), ["0", "500", "1,000", "1,500"]),
    ],
)
def test_counts_have_no_fractions_on_their_axis(kind, values, ticks):
    series = tuple(Series("a", "eager", one) for one in values)
    drawing = Drawing(kind, series, ("x", "y")[: len(values[0])], y_shown=whole, counts=True)
    root = ET.fromstring(svg(drawing, "t", "w"))
    axis = next(one for one in root.iter("g") if one.get("class", "").startswith("axis y"))
    assert [one.text for one in axis.iter("text")] == ticks


def test_pictures_of_awkward_numbers():
    for values in ((0.0, 0.0), (1e9, 1e-9), (-1.0, 2.0), (None, 3.0), (None, None)):
        assert svg(Drawing("bars", (Series("a", "eager", values),), ("x", "y")), "t", "w").startswith("<svg")
    flat = Series("a", "eager", points=((0, 0), (0, 0)))
    assert svg(Drawing("lines", (flat,)), "t", "w").startswith("<svg")


def test_letters_of_labels_are_shown_as_they_are(made):
    text = svg(Drawing("bars", (Series(made.HOSTILE, "eager", (1.0,)),), (made.HOSTILE,)), made.HOSTILE, "w")
    labels = [one.text for one in ET.fromstring(text).iter("text")]
    assert any("</script><script>" in (label or "") for label in labels)


def test_charts_of_a_decision_from_assumptions_alone(made):
    alone = dataclasses.replace(made.subject(), bench=None, record=None)
    assert [chart.title for chart in charts(alone, EN)] == [
        "Time since a process began, with warm-up",
        "Saving if traffic is less or more",
    ]
