"""A finding is known again though lines move and code is formatted anew, and only then."""

import re

import pytest

from compile_lint.findings import Finding
from compile_lint.fingerprints import Identity, StatementTexts, fingerprint, identities, normalised

MODEL = """\
class Net:
    @decorated(x.item())
    def forward(self, x, y=x.item()):
        if x.sum() > 0 and 'é' + x.item():  # comment
            return x.item()
        elif x.item():
            pass
        else:
            a = 1; b = x.item()
        try:
            pass
        except x.item():
            pass
        match x.item():
            case 1 if x.item():
                pass
        with torch.no_grad(), x.item():
            for i in range(x.item()):
                @inner(1)
                def f(): return x.item()
        while x.item(): x.item()
"""
HEADS = [
    "decorated x . item",
    "def forward self , x , y = x . item :",
    'if x . sum > 0 and "é" + x . item :',
    "return x . item",
    "elif x . item :",
    "b = x . item",
    "except x . item :",
    "match x . item : case",
    "1 if x . item :",
    "with torch . no_grad , x . item :",
    "for i in range x . item :",
    "return x . item",
    "while x . item :",
    "x . item",
]


def places(text):
    """Line and column, from 1, of each `x.item`."""
    for number, line in enumerate(text.split("\n"), 1):
        for match in re.finditer(r"x\.item", line):
            yield number, match.start() + 1


def test_the_statement_or_the_head_of_one_is_found():
    texts = StatementTexts(MODEL)
    assert [texts.at(*place) for place in places(MODEL)] == HEADS


def test_lines_end_where_python_ends_them():
    text = 'a = 1\r\nb = "x\x0cy"\rc = x.item()\n'
    assert StatementTexts(text).at(3, 5) == "c = x . item"


@pytest.mark.parametrize("text", ["x.item( =\n", "\x00 x.item()\n", ""])
def test_code_that_does_not_parse_is_known_by_its_line(text):
    assert StatementTexts(text).at(1, 1) == " ".join(text.split())
    assert StatementTexts(text).at(9, 1) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = f(a, b)", "x = f(\n    a,  # why\n    b,\n)"),
        ("x = a + b", "x = (\n    a\n    + b\n)"),
        ("x = a + b", "x = a \\\n  + b"),
        ("x = 'it\\'s'", 'x = "it\'s"'),
        ("x = 'a' 'b'", 'x = "ab"'),
        ("x = f'{a[\"k\"]!r:>{w}}'", "x = f\"{a['k']!r:>{w}}\""),
        ("x = F'a{b}' 'c'", 'x = f"a{b}c"'),
        ("x = u'a'", "x = 'a'"),
        ("x = 0XFF + 1E5", "x = 0xff + 1e5"),
        ("for (a, b) in c:", "for a, b in c:"),
        ("x = '''a'''", 'x = """a"""'),
    ],
)
def test_what_formatters_change_does_not_count(one, other):
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = a.item()", "x = b.item()"),
        ("x = 'a'", "x = 'b'"),
        ("x = 'a'", "x = b'a'"),
        ("x = f'{a}'", "x = '{a}'"),
        ("x = a - b", "x = b - a"),
        ("if x:", "elif x:"),
    ],
)
def test_other_code_counts(one, other):
    assert normalised(one) != normalised(other)


def test_a_head_that_no_tokenizer_takes():
    assert normalised("x =  '''open") == "x = '''open"


def at(finding, line, column, **given):
    return finding(path="a.py", line=line, column=column, end_line=line, end_column=column + 1, **given)


@pytest.fixture
def finding():
    def make(**given):
        values = {"code": "CL201", "name": "tensor-item", "kind": "break", "confidence": "certain"}
        texts = {"message": "m", "why": "", "instead": "", "function": "f", "entry": "f"}
        return Finding(**{**values, **texts, **given})

    return make


def test_alike_findings_are_counted_in_the_order_of_places(finding):
    text = "def f(x):\n    x.item()\n    x.item()\n    y = x.item()\n"
    given = [at(finding, 3, 5), at(finding, 4, 9), at(finding, 2, 5), at(finding, 2, 5, code="CL202")]
    found = identities(given, {"a.py": text}.get)
    assert [(one.code, one.source, one.ordinal) for one in found] == [
        ("CL201", "x . item", 1),
        ("CL201", "y = x . item", 0),
        ("CL201", "x . item", 0),
        ("CL202", "x . item", 0),
    ]
    assert len({one.fingerprint for one in found}) == 4


def test_moved_and_formatted_code_keeps_its_fingerprint(finding):
    before = identities([at(finding, 2, 13)], {"a.py": "def f(x):\n    y = g(x, x.item())\n"}.get)
    text = "import torch\n\n\ndef f(x):\n    if x:\n        y = g(\n            x,\n            x.item(),\n        )\n"
    after = identities([at(finding, 8, 13)], {"a.py": text}.get)
    assert before == after
    assert before[0].fingerprint == "6dc6e29510150679a544f7694f147158"


def test_a_file_that_is_gone(finding):
    assert [one.source for one in identities([at(finding, 2, 5)], lambda path: None)] == [""]


def test_the_parts_of_the_fingerprint(finding):
    one = fingerprint(at(finding, 1, 1), "x . item", 0)
    assert one == Identity("CL201", "a.py", "f", "x . item", 0).fingerprint
    assert re.fullmatch("[0-9a-f]{32}", one)
    others = [
        fingerprint(at(finding, 1, 1, code="CL202"), "x . item", 0),
        fingerprint(at(finding, 1, 1, function="g"), "x . item", 0),
        fingerprint(at(finding, 1, 1), "y . item", 0),
        fingerprint(at(finding, 1, 1), "x . item", 1),
    ]
    assert len({one, *others}) == 5
    assert fingerprint(at(finding, 9, 9), "x . item", 0) == one


def test_paths_have_slashes(finding):
    one = finding(path="a\\b.py", line=1, column=1, end_line=1, end_column=2)
    assert identities([one], {}.get)[0].path == "a/b.py"
