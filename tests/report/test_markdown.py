"""Markdown as it is shown: rendered, with tables as GitHub and GitLab have them."""

import re

import pytest
from markdown_it import MarkdownIt

from compile_lint.findings import Deduction, EntryScore, FileError
from compile_lint.report import Run, markdown, render
from compile_lint.report.markup import code, escaped, prose


def _markdown(run):
    return render(run, "markdown", lambda path: None)


def _html(text):
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


def _cells(text):
    """The cells of all tables, with the text that each shows."""
    return [_shown(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", _html(text), re.DOTALL)]


def _shown(html):
    from html import unescape

    return unescape(re.sub(r"<[^>]+>", "", html))


def test_a_report(finding):
    deductions = (Deduction("CL101", 2, 37.5, "splits the graph"),)
    scores = (EntryScore("f", "a.py", 1, 62.5, 2, 8, deductions), EntryScore("g", "a.py", 9, 100.0, 1, 8))
    run = Run((finding(), finding(kind="hazard", code="CL901", name="n")), scores, 81.25, (), 3, "2.13", 4, 5)
    assert _markdown(run) == (
        "## compile-lint\n"
        "\n"
        "Readiness for torch 2.13: **81.2 of 100** over 2 entries.\n"
        "2 findings in 3 files: 1 break, 1 hazard.\n"
        "Not shown: 5 less sure than min-confidence, 4 silenced by comments.\n"
        "\n"
        "| rule | kind | findings | files |\n"
        "|---|---|---:|---:|\n"
        "| CL101 tensor-branch | break | 1 | 1 |\n"
        "| CL901 n | hazard | 1 | 1 |\n"
        "\n"
        "| entry | score | operations | graphs |\n"
        "|---|---:|---:|---:|\n"
        "| `f` `a.py:1` | 62.5 | 8 | 2 |\n"
        "\n"
        "and 1 more entry at 100.\n"
        "\n"
        "<details><summary>a.py: 2 findings</summary>\n"
        "\n"
        "| line | rule | kind | finding |\n"
        "|---:|---|---|---|\n"
        "| 2:8 | CL101 | break | `if` needs the value of `x > 0`, a tensor in `Net.step` |\n"
        "| 2:8 | CL901 | hazard | `if` needs the value of `x > 0`, a tensor in `Net.step` |\n"
        "\n"
        "</details>\n"
        "<details><summary>CL101 tensor-branch: what to write instead</summary>\n"
        "\n"
        "`x` comes from `y.sum()`, line 1\n"
        "\n"
        "Use torch.where.\n"
        "\n"
        "\n"
        "```\n"
        "torch.where(a, b, c)\n"
        "```\n"
        "\n"
        "</details>\n"
        "<details><summary>CL901 n: what to write instead</summary>\n"
        "\n"
        "`x` comes from `y.sum()`, line 1\n"
        "\n"
        "Use torch.where.\n"
        "\n"
        "\n"
        "```\n"
        "torch.where(a, b, c)\n"
        "```\n"
        "\n"
        "</details>\n"
    )


def test_nothing_found():
    assert _markdown(Run(files=2)) == "## compile-lint\n\nNo findings in 2 files.\n\n"


def test_errors():
    run = Run(errors=(FileError("a|b.py", "<b> *no*"), FileError("c.py", "left out", False)))
    assert "- :x: `a\\|b.py`: \\<b\\> \\*no\\*\n" in _markdown(run)
    assert "c.py" not in _markdown(run)


def test_awkward_texts_are_shown_as_they_are(awkward):
    cells = _cells(_markdown(awkward))
    message = 'first a|b {x} fns[0](y) second\\x1b[2J \\u202e <b> & "q" 100%: ::error::no ##[warning]no'
    assert cells.count(f"{message} in f.<locals>.g") == len(awkward.findings)
    places = [cell.split(" ", 1)[1] for cell in cells if cell.startswith("f.<locals>.g ")]
    assert {"größe/模型.py:1", "`a`|<b>&[c](d).py:1", 'a b/it\'s "q".py:1', "a\\x1b[31m\\u202e b.py:1"} <= set(places)
    html = _html(_markdown(awkward))
    assert "<b>" not in html.replace("&lt;b&gt;", "")
    assert html.count("<details>") == html.count("</details>") == len(awkward.findings) + 1


@pytest.mark.parametrize("most", [markdown.COMMENT, 5000])
def test_a_long_report_is_cut_between_files(finding, most):
    findings = tuple(finding(path=f"{number:04}.py", line=line) for number in range(2000) for line in (1, 2))
    text = markdown.render(Run(findings, files=2000), most)
    assert most - 700 < len(text.encode()) <= most
    assert text.count("<details>") == text.count("</details>")
    shown = sum(int(number) for number in re.findall(r"<summary>\d+\.py: (\d+) findings</summary>", text))
    (left,) = re.findall(r"The details of (\d+) more findings are left out", text)
    assert shown + int(left) == len(findings)


@pytest.mark.parametrize("text", ["a*b*", "`x`", "a|b", "<b>", "[a](b)", "~~a~~", "@you", "#1", "a_b_", "&amp;", "\\*"])
def test_texts_are_escaped(text):
    assert _shown(_html(f"x {escaped(text)}")) == f"<p>x {text}</p>\n".replace("<p>", "").replace("</p>", "")
    assert _cells(f"| a |\n|---|\n| {code(text)} |\n") == [text]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`a*b*` and c*d*", "`a*b*` and c\\*d\\*"),
        ("an ` alone", "an \\` alone"),
        ("`if` needs `x`", "`if` needs `x`"),
        ("a\n  b", "a b"),
        ("``", "\\`\\`"),
    ],
)
def test_code_in_messages_stays_code(text, shown):
    assert prose(text) == shown
