import ast

import pytest

from compile_lint.suppress.insert import Insertion, in_file, on_line


def applied(text, made):
    """The text with the insertion made."""
    lines = text.splitlines(True) or [""]
    if made.line > len(lines):
        lines.append("")
    line = lines[made.line - 1]
    lines[made.line - 1] = line[: made.column - 1] + made.text + line[made.column - 1 :]
    return "".join(lines)


@pytest.mark.parametrize(
    ("text", "line", "end", "after"),
    [
        ("x = 1\n", 1, 1, "x = 1  # compile-lint: ignore[CL101]\n"),
        ("x = 1", 1, 1, "x = 1  # compile-lint: ignore[CL101]"),
        ("x = 1   \r\ny\r\n", 1, 1, "x = 1  # compile-lint: ignore[CL101]   \r\ny\r\n"),
        ("x = 1  # why\n", 1, 1, "x = 1  # why  # compile-lint: ignore[CL101]\n"),
        ("x = 1  # type: ignore\n", 1, 1, "x = 1  # type: ignore  # compile-lint: ignore[CL101]\n"),
        ("x = 1  # compile-lint: ignore[CL2] y\n", 1, 1, "x = 1  # compile-lint: ignore[CL2, CL101] y\n"),
        ("x = f(\n    a,\n    b,\n)\n", 2, 2, "x = f(\n    a,  # compile-lint: ignore[CL101]\n    b,\n)\n"),
        ("x = f(a, '''\n1\n''')\n", 1, 3, "x = f(a, '''\n1\n''')  # compile-lint: ignore[CL101]\n"),
        (
            "def f():\n    x = 1 + \\\n        b\n",
            2,
            2,
            "def f():\n    # compile-lint: ignore[CL101]\n    x = 1 + \\\n        b\n",
        ),
        ("x = 1 + \\\n    b\n", 2, 2, "x = 1 + \\\n    b  # compile-lint: ignore[CL101]\n"),
        (
            "x = f('''\n''', a,\n '''\n''')\n",
            3,
            3,
            "# compile-lint: ignore[CL101]\nx = f('''\n''', a,\n '''\n''')\n",
        ),
        ("@d(\n    a)\ndef f(): ...\n", 2, 2, "@d(\n    a)  # compile-lint: ignore[CL101]\ndef f(): ...\n"),
        ("if x:\n    pass\n", 1, 1, "if x:  # compile-lint: ignore[CL101]\n    pass\n"),
        (
            "x = '#'; y = \"# compile-lint: ignore[CL1]\"\n",
            1,
            1,
            "x = '#'; y = \"# compile-lint: ignore[CL1]\"  # compile-lint: ignore[CL101]\n",
        ),
    ],
)
def test_where_it_goes(outcome, text, line, end, after):
    made = on_line(text, line, end, "CL101")
    new = applied(text, made)
    assert new == after
    assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(text)), "the code is the same"
    moved = 1 if made.line <= line and made.text.endswith(("\n", "\r")) else 0
    left, told = outcome(new, (line + moved, "CL101", end + moved), (line + moved, "CL201", end + moved))
    assert (line + moved, "CL101") not in left
    assert not told or "CL101" not in str(told)


def test_a_reason():
    assert on_line("x\n", 1, 1, "CL101", "known:\n  # once").text == "  # compile-lint: ignore[CL101] known: once"
    made = on_line("x  # compile-lint: ignore[CL2]\n", 1, 1, "CL101", "known")
    assert made.text == "  # compile-lint: ignore[CL101] known", "a reason goes with its own comment"


@pytest.mark.parametrize("text", ["x = (\n", "  x\n y\n", "'''\n", ""])
def test_code_that_cannot_be_read(text):
    made = on_line(text, 1, 1, "CL101")
    assert made is None or text == ""


def test_a_line_that_is_not_there():
    assert on_line("x\n", 9, 9, "CL101") is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\n", 1),
        ("", 1),
        ('"""Doc."""\n', 1),
        ("#!/usr/bin/env python\nx\n", 2),
        ("# -*- coding: latin-1 -*-\nx\n", 2),
        ("#!/usr/bin/python\n# vim: set fileencoding=utf-8 :\nx\n", 3),
        ("# Copyright\n# coding: latin-1\nx\n", 3),
        ("# Copyright\n# by us\n", 1),
        ("%%time\nx\n", 2),
        ("#!/usr/bin/python", 1),
    ],
)
def test_the_top_of_a_file(text, line):
    made = in_file(text, "CL101")
    assert made == Insertion(line, 1, "# compile-lint: file-ignore[CL101]\n")


def test_the_top_of_a_file_with_other_line_ends():
    assert in_file("a\r\nb\r\n", "CL101", "why not").text == "# compile-lint: file-ignore[CL101] why not\r\n"
