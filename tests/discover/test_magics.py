import ast
import re

import pytest

from compile_lint.discover.magics import python_of


@pytest.mark.parametrize(
    ("cell", "plain"),
    [
        ("%matplotlib inline", "pass"),
        ("x = 1\n%time f(x)\ny = 2\n", "x = 1\npass\ny = 2\n"),
        ("!pip install torch", "pass"),
        ("!!ls\r\nx = 1\r\n", "pass\r\nx = 1\r\n"),
        ("if x:\n    !ls {x}\n    %cd ..\n", "if x:\n    pass\n    pass\n"),
        ("?torch.compile", "pass"),
        ("torch.compile??", "pass"),
        ("torch.compile?  # how", "pass"),
        ("torch.compile?;", "pass"),
        ("*int*?", "pass"),
        ("/print 1", "pass"),
        (",f a b\n;f a b", "pass\npass"),
        ("files = !ls", "files = get_ipython()"),
        ("a, b = %sql select\nx = 1", "a, b = get_ipython()\nx = 1"),
        ("d['k'].v = !ls", "d['k'].v = get_ipython()"),
        ("!pip install a \\\n    b \\\n    c\nx = 1\n", "pass\n\n\nx = 1\n"),
    ],
)
def test_escapes(cell, plain):
    assert python_of(cell) == plain


@pytest.mark.parametrize(
    "cell",
    [
        "x = 1\n",
        "x = (a\n% b)\n",
        's = """\n%time\n!ls\nwhat?\n"""\n',
        "s = f'{a}?'  # why?\n",
        "x = a \\\n% b\n",
        "x = a != b\ny %= 2\n",
        "await f()\n",
    ],
)
def test_python_stays(cell):
    assert python_of(cell) == cell


@pytest.mark.parametrize(
    ("python", "rest"),
    [
        ("x = (a  # (\n% b)\n", ""),
        ('s = """ \\""" \n%time\n"""\n', ""),
        ("s = '''a'''; t = '''\n!ls\n'''\n", ""),
        ("s = '(' + \"[\"\n", ""),
        ("x = a \\\n% b\n", ""),
        ("# what (?\n", ""),
        ("s = 'how?'\n", ""),
    ],
)
def test_python_beside_an_escape_stays(python, rest):
    """One escape in the cell makes it none that Python parses: the lines are then looked at one by one."""
    assert python_of(f"{python}%time\n") == f"{python}pass\n"


@pytest.mark.parametrize("name", ["time", "timeit -n 3", "capture out", "prun", "debug"])
def test_cell_magics_over_python(name):
    assert python_of(f"%%{name}\nx = 1\n%cd ..\n") == "\nx = 1\npass\n"


@pytest.mark.parametrize("name", ["bash", "html", "writefile model.py", "script sh", "cython", "javascript", ""])
def test_cell_magics_over_something_else(name):
    cell = f"\n%%{name}\nx = (1\r\n\ny"
    plain = python_of(cell)
    assert plain == "\n\n\r\n\n"
    assert not plain.strip()


def test_a_cell_magic_alone():
    assert python_of("%%time") == ""
    assert python_of("%%bash") == ""


def test_a_percent_pair_below_code_is_no_cell_magic():
    assert python_of("x = 1\n%%bash\ny = 2\n") == "x = 1\npass\ny = 2\n"


def test_lines_never_move():
    cell = "a = 1\n!x \\\n y\n%z\nb = (\n  2,\n)\nfor i in b:\n    !echo $i\n    c = !ls\n    i?\n"
    plain = python_of(cell)
    assert len(plain.split("\n")) == len(cell.split("\n"))
    kept = {number: line for number, line in enumerate(plain.split("\n")) if "pass" not in line and "get_" not in line}
    for number, line in kept.items():
        assert line == "" or line == cell.split("\n")[number]
    assert ast.parse(plain)
    assert re.findall(r"^    (\w+)", plain, re.MULTILINE)[-3:] == ["pass", "c", "pass"]
