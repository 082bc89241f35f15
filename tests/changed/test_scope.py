"""Lines and functions that a change touches."""

import pytest

from compile_lint.changed import FileChange, Removed
from compile_lint.changed.scope import Functions, touches

TEXT = """\
import torch

@torch.compile
def f(x):
    y = x
    def g(z):
        return z
    return y

class A:
    def m(self):
        return 1

z = 1
"""


@pytest.mark.parametrize(
    ("line", "span"),
    [(1, None), (3, (3, 8, 0)), (5, (3, 8, 0)), (7, (6, 7, 4)), (8, (3, 8, 0)), (10, None), (12, (11, 12, 4))],
)
def test_the_innermost_function(line, span):
    assert Functions(TEXT).around(line) == span


def test_code_that_does_not_parse_has_no_function():
    assert Functions("def f(:\n").around(1) is None


@pytest.mark.parametrize(
    ("added", "removed", "by_line", "by_function"),
    [
        ((8,), (), False, True),
        ((3,), (), False, True),
        ((6,), (), False, True),
        ((5,), (), True, True),
        ((1, 2, 9), (), False, False),
        ((), ((3, b"    pass"),), False, True),
        ((), ((8, b"    pass"),), False, True),
        ((), ((8, b"z = 1"),), False, False),
        ((), ((8, b"   "),), False, False),
        ((), ((2, b"    pass"),), False, False),
    ],
)
def test_a_finding_in_line_5(added, removed, by_line, by_function):
    change = FileChange("/f", "/f", added, tuple(Removed(*one) for one in removed))
    assert touches(change, 5, 5) is by_line
    assert touches(change, 5, 5, Functions(TEXT).around(5)) is by_function
