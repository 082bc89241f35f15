import pytest

from compile_lint.report.prose import fill, first_sentence


def test_prose_is_set_anew_and_code_is_not():
    text = "One two\nthree four.\n\n    code  here\n      more\n\n- an item\n- another\nFive."
    assert fill(text, 12) == [
        "One two",
        "three four.",
        "",
        "    code  here",
        "      more",
        "",
        "- an item",
        "- another",
        "Five.",
    ]


def test_width():
    assert fill("aaa bbb ccc", 7) == ["aaa bbb", "ccc"]
    assert fill("aaa bbb ccc", 7, first=4) == ["aaa", "bbb ccc"]
    assert fill("a" * 20, 7) == ["a" * 20]
    assert fill("a-b-c", 3) == ["a-b-c"]
    assert fill("", 7) == fill(" \n ", 7) == []


def test_safe():
    assert fill("a\x1b[31m\x07 b") == ["a\\x1b[31m\\x07 b"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.", "One."),
        ("One.\nTwo.", "One."),
        ("Use `a. b` now. Two.", "Use `a. b` now."),
        ("torch.where is it", "torch.where is it"),
        ("What? Yes.", "What?"),
        ("", ""),
    ],
)
def test_first_sentence(text, first):
    assert first_sentence(text) == first
