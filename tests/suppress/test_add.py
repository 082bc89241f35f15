"""Suppressions put into a text: it means what it meant, and is silent."""

import ast

import pytest

from compile_lint.findings import Finding
from compile_lint.suppress import apply
from compile_lint.suppress.add import add

TEXT = """\
import torch

def f(x):
    y = g(
        x.item(),
        x.tolist(),  # why
    )
    z = x + \\
        x.item()
    w = h('''
    ''', x.item(), '''
    ''')
    if (x
            .any()): return y; return z
    return f"{x.item()}"
"""


def finding(line, code="CL201", end=None):
    return Finding(code, "n", "break", "certain", "a.py", line, 1, end or line, 2, "m", "w", "i", "f", "f")


def code_of(text):
    return ast.dump(ast.parse(text))


def test_no_finding(selectors):
    assert add(TEXT, [], "", selectors).text == TEXT


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("reason", ["", "measured: once an epoch"])
def test_all_kinds_of_statements_at_once(selectors, ends, reason):
    text = TEXT.replace("\n", ends)
    lines = [5, 6, 9, 11, 13, 14, 15]
    findings = [finding(line, code) for line in lines for code in ("CL101", "CL201")]
    added = add(text, findings, reason, selectors)
    assert code_of(added.text) == code_of(text)
    assert (added.silenced, added.left) == (14, ())
    assert added.text.count("\r\n") == (added.text.count("\n") if ends == "\r\n" else 0)
    assert ("\n" in added.text) is (ends != "\r")
    assert added.text.count("# compile-lint: ignore[CL101, CL201]" + (f" {reason}" if reason else "")) == len(lines)
    new = ast.parse(added.text)
    assert [added.moved(line) for line in (1, 3, 15)] == [1, 3, new.body[1].body[-1].lineno]
    again = apply([finding(added.moved(one.line), one.code) for one in findings], {"a.py": added.text}, selectors, None)
    assert again.kept == ()


def test_a_reason_of_several_lines_stays_a_comment(selectors):
    added = add("x = 1\n", [finding(1)], "one\ntwo # three\r", selectors)
    assert added.text == "x = 1  # compile-lint: ignore[CL201] one two three\n"


def test_a_suppression_that_is_there_takes_the_code_in(selectors):
    added = add("x = 1  # compile-lint: ignore[CL101]\n", [finding(1)], "", selectors)
    assert added.text == "x = 1  # compile-lint: ignore[CL101, CL201]\n"


@pytest.mark.parametrize("text", ["def f(:\n", "x = (\n", "\x00\n"])
def test_code_that_cannot_be_read(selectors, text):
    added = add(text, [finding(1)], "", selectors)
    assert (added.text, added.silenced, added.left) == (text, 0, (finding(1),))


def test_a_line_that_is_not_there(selectors):
    added = add("x = 1\n", [finding(7), finding(1)], "", selectors)
    assert added.text == "x = 1  # compile-lint: ignore[CL201]\n"
    assert (added.silenced, added.left) == (1, (finding(7),))


def test_lines_that_were_put_in_move_what_follows(selectors):
    text = "x = '''\n''' + \\\n  a; y = '''\n'''\nz = 1\n"
    added = add(text, [finding(2), finding(5, "CL101")], "", selectors)
    assert code_of(added.text) == code_of(text)
    assert added.silenced == 2
    assert [added.moved(line) for line in (1, 2, 5)] == [2, 3, 6]
