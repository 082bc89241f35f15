import io
import sysconfig
import time
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compile_lint.config.selectors import Selectors
from compile_lint.suppress import comments, may_hold
from compile_lint.suppress.comments import _STRING_OR_COMMENT

SELECTORS = Selectors({"CL101": "tensor-branch", "CL201": "tensor-item"})


def test_places():
    text = "x = 1\n\ty = 'a'  # compile-lint: ignore[CL101]\n    # other  # compile-lint: file-ignore\n"
    first, second = comments(text, SELECTORS)
    assert (first.line, first.column, first.alone, first.text) == (2, 11, False, "# compile-lint: ignore[CL101]")
    assert (second.line, second.column, second.alone, second.form) == (3, 14, True, "file-ignore")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1\n",
        "# a comment\n",
        "s = 'noqa'\n",
        "# compile_lint\n",
        "compile-lint: ignore\n",
        "# see compile-lint's page\n",
    ],
)
def test_none(text):
    assert comments(text, SELECTORS) == []


def test_most_files_cost_one_search():
    assert not may_hold("import torch\n# a comment\nnoqa = 1\n")
    assert may_hold("x  # NOQA")
    assert may_hold("x  # compile-lint: ignore")


def _tokenized(text):
    return [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]


def _searched(text):
    return [
        (text.count("\n", 0, match.start()) + 1, match["comment"])
        for match in _STRING_OR_COMMENT.finditer(text)
        if match["comment"]
    ]


def test_finds_the_comments_that_tokenize_finds():
    """On the standard library, which holds every way to write a string."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    compared = 0
    for path in sorted(folder.glob("*.py"))[::4]:
        text = path.read_text(encoding="utf-8", errors="replace")
        if "\r" in text or "\x0c" in text:
            continue
        assert _searched(text) == _tokenized(text), path
        compared += 1
    assert compared > 20


@given(st.text(alphabet="\"'\\#\n rx{}", max_size=40))
def test_any_text_is_read(text):
    list(_STRING_OR_COMMENT.finditer(text))
    comments(text + "# noqa", SELECTORS)


@pytest.mark.parametrize(
    "text",
    [
        "'''" * 20_001,
        "'" * 100_001,
        "\\'" * 100_000,
        "# noqa " * 20_000,
        "# compile-lint: ignore[" * 5_000,
        "'''" + "\\" * 200_001,
    ],
)
def test_no_text_is_slow(text):
    start = time.perf_counter()
    comments(text + "\n# noqa", SELECTORS)
    assert time.perf_counter() - start < 2
