import re

import pytest

from compile_lint.findings import Deduction, EntryScore, FileError
from compile_lint.report import Run, render

CODE = ["def f(y):", "    if (x > 0).any():", "        pass", "", "    return y"]


def _text(run, lines=CODE, **kwargs):
    return render(run, "text", lambda path: lines, **kwargs)


def test_a_finding(finding):
    assert _text(Run((finding(frame_skipped=True, in_loop=True),), files=3, target_torch="2.13")) == (
        "a.py:2:8: CL101 tensor-branch [break] `if` needs the value of `x > 0`, a tensor\n"
        "  |\n"
        "1 | def f(y):\n"
        "2 |     if (x > 0).any():\n"
        "  |        ^^^^^\n"
        "3 |         pass\n"
        "  = why: `x` comes from `y.sum()`, line 1\n"
        "  = in: `Net.step`, reached from `Net.forward`, inside a loop, the whole function falls back to eager\n"
        "  = instead: Use torch.where.\n"
        "\n"
        "        torch.where(a, b, c)\n"
        "\n"
        "Found 1 finding in 1 of 3 files: 1 break.\n"
        "No entry found: nothing here is compiled or an nn.Module; --entry names what you compile.\n"
    )


def test_confidence_is_said_when_it_is_not_certain(finding):
    assert "[break, likely]" in _text(Run((finding(confidence="likely"),)))


def test_advice_is_given_whole_once(finding):
    run = Run((finding(), finding(line=5, end_line=5)), files=1)
    assert _text(run).count("torch.where(a, b, c)") == 1
    assert "= instead: Use torch.where.\n  = more: compile-lint rule CL101\n" in _text(run)
    assert _text(run, verbosity=1).count("torch.where(a, b, c)") == 2


def test_where_nothing_is_known_nothing_is_said(finding):
    text = _text(Run((finding(function="", entry="", why="", instead=""),)))
    assert "=" not in text.partition("\n\n")[0].replace("x = ", "")


@pytest.mark.parametrize(
    ("line", "column", "end_column", "shown", "under"),
    [
        ("\tif x:", 5, 6, "    if x:", "       ^"),
        ("a\tb\tc", 3, 4, "a   b   c", "    ^"),
        ("s = '\u4e2d\u6587' + x", 12, 13, "s = '\u4e2d\u6587' + x", "             ^"),
        ("s = 'e\u0301' + x", 12, 13, "s = 'e\u0301' + x", "          ^"),
        ("s = '\x1b[31m' + x", 1, 10, "s = '\\x1b[31m' + x", "^^^^^^^^^^^^"),
        ("a = '\u202e' # x", 1, 2, "a = '\\u202e' # x", "^"),
        ("abc", 2, 99, "abc", " ^^"),
        ("abc", 99, 100, "abc", "   ^"),
        ("", 1, 1, "", "^"),
        ("abc", 2, 2, "abc", " ^"),
    ],
)
def test_underline(finding, line, column, end_column, shown, under):
    text = _text(Run((finding(line=1, end_line=1, column=column, end_column=end_column),)), [line])
    frame = text.split("\n")[1:4]
    assert frame == ["  |", f"1 | {shown}".rstrip(), f"  | {under}"]


def test_a_span_of_several_lines(finding):
    lines = ["y = foo(", "    a,", "    b,", ")", "z = 1"]
    text = _text(Run((finding(line=1, column=5, end_line=4, end_column=2),)), lines)
    assert text.split("\n")[1:10] == [
        "  |",
        "1 | y = foo(",
        "  |     ^^^^",
        "2 |     a,",
        "  |     ^^",
        "3 |     b,",
        "  |     ^^",
        "4 | )",
        "  | ^",
    ]


def test_a_long_span_is_cut(finding):
    lines = [f"line {number}" for number in range(1, 31)]
    text = _text(Run((finding(line=3, column=1, end_line=29, end_column=3),)), lines)
    numbers = [int(number) for number in re.findall(r"(?m)^ *(\d+) \|", text)]
    assert numbers == [1, 2, 3, 4, 5, 6, 29, 30]
    assert "   ...\n" in text


@pytest.mark.parametrize("at", [1, 500, 4990])
def test_a_long_line_is_cut_around_the_span(finding, at):
    line = "x" * (at - 1) + "SPAN" + "y" * (5000 - at)
    text = _text(Run((finding(line=1, end_line=1, column=at, end_column=at + 4),)), [line])
    shown, under = text.split("\n")[2:4]
    assert len(shown) < 200
    assert shown[under.index("^") : under.rindex("^") + 1] == "SPAN"


@pytest.mark.parametrize("lines", [None, [], ["one line"]])
def test_a_file_that_has_changed(finding, lines):
    assert "CL101" in _text(Run((finding(),)), lines)


def test_nothing_steers_the_terminal(finding):
    evil = "\x1b]0;t\x07\r\n\x9b31m\u202e\ud800"
    one = finding(path=evil, message=evil, why=evil, instead=evil, function=evil, entry=evil + "x")
    score = EntryScore(evil, evil, 1, 10.0, 2, 3)
    for form in ("text", "concise"):
        text = render(Run((one,), (score,), 10.0), form, lambda path: [evil, evil])
        assert all(char == "\n" or char.isprintable() for char in text)
    document = render(Run((one,), (score,), 10.0), "json", lambda path: None)
    assert document.isascii()
    assert all(char == "\n" or char.isprintable() for char in document)


def test_color(finding):
    run = Run((finding(),), (EntryScore("f", "a.py", 1, 100.0, 1, 1),), 100.0, files=1)
    colored = _text(run, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == _text(run)


def test_summary(finding):
    kinds = ["break", "error", "break", "hazard", "wrong", "recompile"]
    findings = tuple(finding(kind=kind, path=f"{number % 2}.py") for number, kind in enumerate(kinds))
    text = _text(Run(findings, files=9, silenced=1, hidden=2), verbosity=0)
    assert "\nFound 6 findings in 2 of 9 files: 1 error, 1 wrong, 2 break, 1 recompile, 1 hazard.\n" in text
    assert "2 findings less sure than min-confidence not shown.\n" in text
    assert "1 finding silenced by comments.\n" in text


def _scores(number):
    return tuple(
        EntryScore(f"f{i}", "a.py", i + 1, 99.0 - i, 2, 10, (Deduction("CL101", 4, i + 1.0, "r"),))
        for i in range(number)
    )


def test_scores():
    perfect = EntryScore("ok", "b.py", 3, 100.0, 1, 1)
    text = _text(Run((), (*_scores(2), perfect), 62.25, files=1, target_torch="2.13"))
    assert text == (
        "No findings in 1 file.\n"
        "Readiness for torch 2.13: 62.2 of 100 over 3 entries\n"
        "     98  f1  a.py:2  10 operations in 2 graphs; CL101 line 4 -2\n"
        "     99  f0  a.py:1  10 operations in 2 graphs; CL101 line 4 -1\n"
        "        and 1 more entry at 100; -v lists them\n"
    )


def test_the_lowest_scores_are_listed_unless_verbose():
    run = Run((), _scores(30), 80.0, files=1)
    assert _text(run).count("operations in") == 20
    assert "  f29  " in _text(run)
    assert "and 10 more entries at 90 to 99; -v lists them" in _text(run)
    assert _text(run, verbosity=1).count("operations in") == 30


@pytest.mark.parametrize(
    ("score", "shown"), [(100.0, "100"), (99.99, "99.9"), (0.0, "0"), (0.001, "0.1"), (50.04, "50"), (33.333, "33.3")]
)
def test_points(score, shown):
    assert f"\n  {shown:>5}  f" in _text(
        Run((), (EntryScore("f", "a.py", 1, score, 1, 2),), score, files=1), verbosity=1
    )


def test_deductions_are_the_worst_three():
    costs = tuple(Deduction("CL101", line, float(line), "r") for line in range(1, 6))
    text = _text(Run((), (EntryScore("f", "a.py", 1, 10.0, 6, 12, costs),), 10.0, files=1))
    assert "CL101 line 5 -5, CL101 line 4 -4, CL101 line 3 -3 and 2 more\n" in text


def test_no_files():
    assert _text(Run()) == "No Python files found.\n"
    assert _text(Run(errors=(FileError("a", "m"),))) == "No Python files found (1 error).\n"


def test_concise(finding):
    run = Run((finding(), finding(line=3, code="CL102")), files=1)
    assert render(run, "concise", lambda path: None, verbosity=-1) == (
        "a.py:2:8: CL101 `if` needs the value of `x > 0`, a tensor\n"
        "a.py:3:8: CL102 `if` needs the value of `x > 0`, a tensor\n"
    )
    assert render(run, "concise", lambda path: None).endswith("compile.\n")
