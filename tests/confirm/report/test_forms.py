"""Text, github, markdown and HTML: what they say, and that nothing in a target upsets what shows them."""

import re

import pytest

from compile_lint.confirm.observation import Place
from compile_lint.confirm.report import FORMATS, github, markdown, render, words

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("verbosity", [-1, 0, 1])
def test_the_worst_texts_reach_no_terminal(made, form, verbosity):
    bad = made.failed(made.NASTY)
    run = made.run(made.nasty(), made.replace(bad, message=made.NASTY, traceback=made.NASTY))
    text = render(run, form, False, verbosity, [made.NASTY], True)
    assert CONTROL.search(text) is None
    text.encode("utf-8")


# text


def test_text(made):
    one = made.target(
        entry=Place("m.py", 5, "fn"),
        graphs=(3, 1),
        breaks=(
            made.joined_break(codes=("CL101",), predicted=True),
            made.joined_break(line=9, number="", times=2, frame_skipped=True, source="y.item()", reason="x\ny"),
            made.joined_break("lib.py", 3, in_project=False, source="", consequence_of="lib.py:2"),
        ),
        recompiles=(made.joined_recompile(),),
        score=62.5,
        predicted_score=70.04,
        seconds={"total": 1.25},
    )
    assert render(made.run(one), "text").splitlines() == [
        "model (fn m.py:5, cpu, 1 call, 1.2 s)",
        "  breaks",
        "    m.py:7  predicted CL101  GB0170  x1  Data-dependent branching",
        "      fn: if x.sum() > 0:",
        "    m.py:9  missed                   x2  x; the whole frame falls back to eager",
        "      fn: y.item()",
        "  breaks in libraries",
        "    lib.py:3  follows  GB0170  x1  Data-dependent branching",
        "      from lib.py:3",
        "      follows from lib.py:2",
        "  graphs   [##############################|##########] 4 operations in 2 graphs",
        "  recompilations",
        "    m.py:5  call 2 compiled `fn` again: n was 3 and is 4",
        "  results  agree with eager",
        "  score    62.5 measured, 70 predicted",
        "",
        "1 target under torch 2.13.0.",
        "Findings: 0 confirmed, 0 refuted, 0 not reached; 1 break missed.",
        "Measured readiness: 62.5 of 100",
    ]


def test_text_of_a_target_that_failed(made):
    assert render(made.run(made.failed()), "text").splitlines() == [
        "gone",
        "  user-error: ValueError: no",
        "    Traceback",
        "      ValueError: no",
        "",
        "1 target under torch unknown, 1 target could not be confirmed.",
        "Findings: 0 confirmed, 0 refuted, 0 not reached; 0 breaks missed.",
        "Measured readiness: none, as no target was measured",
    ]


def test_text_of_several_targets_ends_with_a_line_for_each(made):
    follows = made.joined_break(line=8, consequence_of="m.py:7")
    one = made.target("long-name", breaks=(made.joined_break(), follows), graphs=(2, 2), score=50.0)
    lines = render(made.run(one, made.failed()), "text", verbosity=-1).splitlines()
    assert lines[:2] == [
        "long-name     50  1 break, 0 recompilations, 4 operations in 2 graphs",
        "gone       user-error  ValueError: no",
    ]


def test_text_names_what_fails_and_the_rules_that_were_wrong(made):
    lines = render(made.run(made.target()), "text", failures=["2 breaks"], rules=True).splitlines()
    assert lines[-5:] == [
        "",
        "Rules that were wrong here (confirmed, refuted):",
        "  none",
        "",
        "fails: 2 breaks",
    ]


def test_colors_only_when_asked_for(made):
    assert "\x1b[" in render(made.run(made.target()), "text", color=True)
    assert "\x1b[" not in render(made.run(made.target()), "text")


@pytest.mark.parametrize(
    ("graphs", "outside", "drawn"),
    [
        ((), 0, ""),
        ((4,), 0, "########"),
        ((3, 1), 0, "######|##"),
        ((2,), 2, "####...."),
        ((), 4, "........"),
        ((1, 100), 0, "#|########"),
        ((1, 2, 3, 4, 5), 0, "#|##|##|###+"),
    ],
)
def test_bar(graphs, outside, drawn):
    assert words.bar(graphs, outside, 8) == drawn


# github


def test_github(made):
    one = made.target(
        breaks=(
            made.joined_break("a,b:c.py", codes=("CL101",), reason="100% sure", hint="x\r\ny"),
            made.joined_break("lib.py", 3, in_project=False, charged_to=Place("m.py", 4, "f")),
            made.joined_break(line=8, consequence_of="m.py:7"),
        ),
        recompiles=(made.joined_recompile(), made.joined_recompile(automatic_dynamic=True)),
    )
    assert render(made.run(one), "github", failures=["2 breaks"]).splitlines()[:4] == [
        "::warning file=a%2Cb%3Ac.py,line=7,title=graph break GB0170::model: 100%25 sure [CL101]%0Ax%0Ay",
        "::warning file=m.py,line=4,title=graph break GB0170::model: Data-dependent branching in lib.py:3",
        "::warning file=m.py,line=5,title=recompilation::model: call 2 compiled `fn` again: n was 3 and is 4",
        "::error title=compile-lint confirm::compile-lint: 2 breaks",
    ]


def test_no_text_becomes_a_workflow_command(made):
    name = "::error::x"
    lines = render(made.run(made.target(name), made.failed(name + "2")), "github").splitlines()
    assert [line for line in lines if line.startswith("::")] == [
        "::error title=%3A%3Aerror%3A%3Ax2%3A user-error::user-error: ValueError: no"
    ]
    assert "\n" not in github.command("error", "a\nb", "p\n.py", 1)


# markdown


def test_markdown_tables_keep_their_columns(made):
    text = render(made.run(made.nasty()), "markdown")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    columns = [len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows]
    assert columns == [6, 6, 6, 5, 5, 5, 5, 5, 5]
    assert "<i>" not in re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)  # in code it is harmless


def test_markdown(made):
    one = made.target(breaks=(made.joined_break(codes=("CL101",), predicted=True),), graphs=(2, 2), score=50.0)
    assert render(made.run(one, made.failed()), "markdown", failures=["1 break: a_b"]).splitlines()[:13] == [
        "## compile-lint confirm",
        "",
        "- :x: 1 break: a\\_b",
        "",
        "Measured readiness: **50 of 100**, under torch 2.13.0",
        "on cpu. Findings: 0 confirmed, 0 refuted, 0 not reached; 0 breaks missed.",
        "",
        "| target | score | predicted | breaks | recompilations | graphs |",
        "|---|---:|---:|---:|---:|---|",
        "| `model` | 50 |  | 1 | 0 | 4 operations in 2 graphs |",
        "| `gone` | user-error |  | 0 | 0 | 0 operations in 0 graphs |",
        "",
        "<details><summary>model: 50 of 100, 4 operations in 2 graphs</summary>",
    ]


def test_markdown_links_only_plain_addresses(made):
    breaks = (made.joined_break(), made.joined_break(line=8, url="javascript:x"))
    text = markdown.render(made.run(made.target(breaks=breaks)))
    assert f"| [GB0170]({made.URL}) |" in text
    assert "javascript" not in text


def test_markdown_code(made):
    assert markdown.code("a`b") == "`` a`b ``"
    assert markdown.code("a|b\nc") == "`a\\|b c`"
    assert markdown.code(" ") == ""


# HTML


def test_html_escapes(made):
    text = made.nasty()._repr_html_()
    assert "<i>" not in text and "&lt;i&gt;" in text
    assert re.findall('href="(.*?)"', text) == [made.URL]
    assert CONTROL.search(text) is None
    link = made.target(breaks=(made.joined_break(url='https://x/"><script>'),))._repr_html_()
    assert '<a href="https://x/&quot;&gt;&lt;script&gt;">GB0170</a>' in link


def test_str_is_the_text_report(made):
    assert str(made.failed()).splitlines()[:2] == ["gone", "  user-error: ValueError: no"]
