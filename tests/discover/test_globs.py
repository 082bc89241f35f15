import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compile_lint.discover.globs import Globs, to_pattern


@pytest.mark.parametrize(
    ("glob", "path", "match"),
    [
        ("tests", "/p/tests", True),
        ("tests", "/p/mytests", False),
        ("test_*.py", "/p/a/test_x.py", True),
        ("*.py", "/p/.py", True),
        ("/p/a/*.py", "/p/a/x.py", True),
        ("/p/a/*.py", "/p/a/b/x.py", True),
        ("/p/**/x.py", "/p/x.py", True),
        ("/p/**/x.py", "/p/a/b/x.py", True),
        ("/p/**/x.py", "/p/ax.py", False),
        ("/p/**", "/p/a/b", True),
        ("**/gen/*.py", "/p/gen/x.py", True),
        ("x?.py", "/p/x1.py", True),
        ("x?.py", "/p/x.py", False),
        ("x[0-9].py", "/p/x1.py", True),
        ("x[!0-9].py", "/p/x1.py", False),
        ("x[!0-9].py", "/p/xa.py", True),
        ("x[.py", "/p/x[.py", True),
        ("x[]].py", "/p/x].py", True),
        ("/p/{a,b}/*.py", "/p/b/x.py", True),
        ("/p/{a,b}/*.py", "/p/c/x.py", False),
        ("{a,b}.py", "/p/b.py", True),
        ("a{.py", "/p/a{.py", True),
        ("a.b", "/p/axb", False),
        ("x[z-a].py", "/p/x[z-a].py", True),
        ("\u00e9 *.py", "/p/\u00e9 1.py", True),
    ],
)
def test_match(glob, path, match):
    assert Globs([glob]).match(path.rpartition("/")[2], path) is match


def test_many():
    globs = Globs(["a.py", "/p/*", "b.py"])
    assert all(globs.match(path.rpartition("/")[2], path) for path in ("/x/a.py", "/p/c", "/y/b.py"))
    assert not globs.match("c", "/x/c")
    assert not Globs([]).match("c", "/x/c")


def test_match_within():
    assert Globs(["tests"]).match_within("/p/tests/a/b.py")
    assert Globs(["/p/tests"]).match_within("/p/tests/a/b.py")
    assert not Globs(["tests"]).match_within("/p/a/b.py")


@given(st.text(alphabet="ab*?[]{},!-/.", max_size=12))
def test_every_glob_is_a_pattern(glob):
    re.compile(to_pattern(glob))


def test_no_glob_is_slow():
    start = time.perf_counter()
    assert not Globs(["*" * 40 + "x"]).match("a" * 200, "/" + "a" * 200)
    assert time.perf_counter() - start < 1
