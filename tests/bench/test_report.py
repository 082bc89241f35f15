import pytest

from compile_lint.bench.record import Latency
from compile_lint.bench.report import render, words
from compile_lint.bench.report.markdown import render as markdown

NASTY = "a|b\n`c` <i>%25 \x1b[31m\x07 \udc80"


def test_the_report_for_people(records):
    text = render(records.record(records.target(traffic=records.traffic(), notes=("no artifacts",))), "text")
    assert text.splitlines() == [
        "model (inductor; no-grad; seed 0; x=float32[2,3]; 61 s)",
        "  eager       10.2 ms (10 ms to 10.5 ms), 97.6 calls/s",
        "              p50 10.2 ms, p95 11.8 ms, p99 11.9 ms; peak memory 300.0 MiB",
        "  compiled    6.1 ms (6 ms to 6.2 ms), 164 calls/s",
        "              p50 6.05 ms, p95 6.35 ms, p99 6.39 ms; peak memory 400.0 MiB",
        "  saving      40 % saved (40 % to 41 %)",
        "  first call  cold: 9.25 s (9 s to 9.5 s, 2 processes)",
        "                Dynamo 100 ms, AOTAutograd 400 ms, Inductor 8 s; steady after 1 call",
        "              warm cache: 1.5 s (1 process)",
        "                Dynamo 100 ms, AOTAutograd 100 ms, Inductor 900 ms; not steady within 3 calls",
        "              eager: 40 ms",
        "  results     agree with eager (float32: rtol 1.3e-05, atol 0.0001)",
        "  traffic     803 requests of 3 sizes, sizes.csv",
        "              remedy        total  compiling  compiled  requests that wait  padding",
        "              as-is          20 s        9 s         2               0.2 %    0.0 %  estimated",
        "              static         40 s       27 s         3               0.4 %    0.0 %  "
        "recompile limit reached: the rest runs in eager mode",
        "              mark-dynamic                                                           "
        "ConstraintViolationError: x.size(0)",
        "              buckets        15 s        9 s         1               0.1 %     25 %",
        "  cheapest    buckets",
        "              buckets for x.0: 12, 30",
        "  note        no artifacts",
        "",
        "measured on A processor, 4 cores, 16.00 GiB, on cpu, torch 2.13.0+cpu, Python 3.11.7, 4 threads, "
        "g++ (g++ 12.2.0)",
    ]


def test_a_table_of_all_targets_in_markdown(records):
    failed = records.target("gone", status="user-error", message="no", eager=Latency(), compiled=Latency(), warm_ups=())
    text = markdown(records.record(records.target(traffic=records.traffic()), failed))
    lines = text.splitlines()
    assert (
        "| `model` | 10.2 ms | 6.1 ms | 40 % saved (40 % to 41 %) | 9.25 s (9 s to 9.5 s, 2 processes) | agree |"
        in lines
    )
    assert "| `gone` | user-error |  |  |  | agree |" in lines
    assert "| buckets | 15 s | 9 s | 1 | 0.1 % | 25 % |  |" in lines


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_nothing_from_outside_steers_what_shows_it(records, form):
    bad = records.target(
        NASTY, target=NASTY, status="crashed", message=NASTY, compiled_error=NASTY, same_result=False,
        differences=(NASTY,), tolerance=NASTY, inputs=(NASTY,), notes=(NASTY,), backend=NASTY,
        traffic=records.traffic(source=NASTY, dimensions=(NASTY,)),
    )  # fmt: skip
    machine = records.replace(records.MACHINE, cpu=NASTY)
    text = render(records.replace(records.record(bad), machine=machine), form)
    assert "\x1b" not in text and "\x07" not in text and "\udc80" not in text
    assert "\n`c`" not in text
    if form == "markdown":
        markdown_it = pytest.importorskip("markdown_it")
        html = markdown_it.MarkdownIt("commonmark").enable("table").render(text)
        assert "<i>" not in html and html.count("<table>") == 2
        assert html.count("<tr>") == 2 + 5, "each row is one row"


def test_colours_only_where_asked_for(records):
    one = records.record(records.target())
    assert "\x1b" not in render(one, "text") and "\x1b[1mmodel\x1b[0m" in render(one, "text", color=True)


@pytest.mark.parametrize(
    ("eager", "compiled", "said"),
    [
        (((10.0,), (10.0,)), ((5.0,), (6.0,)), "45 % saved (40 % to 50 %)"),
        (((10.0,), (10.0,)), ((9.5,), (10.2,)), "no difference beyond the spread (-2.0 % to 5.0 % saved)"),
        (((10.0,), (10.0,)), ((12.0,), (13.0,)), "slower when compiled: 25 % more (20 % to 30 %)"),
        (((10.0,),), (), ""),
    ],
)
def test_a_saving_in_words(records, eager, compiled, said):
    assert words.saving_words(records.target(eager=Latency(eager), compiled=Latency(compiled))) == said


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0123, "12.3 us"), (0.1, "0.1 ms"), (12.345, "12.3 ms"), (999.6, "1 s"), (61_234, "61.2 s"), (4e6, "4000 s")],
)
def test_times(value, text):
    assert words.ms(value) == text
