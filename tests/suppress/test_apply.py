import pytest


@pytest.mark.parametrize(
    "comment",
    [
        "# compile-lint: ignore[CL101]",
        "# compile-lint: ignore[CL101] a reason, with [brackets]",
        "# compile-lint: ignore[ CL101 ]",
        "#compile-lint:ignore[CL1]",
        "# compile-lint: ignore",
        "# compile-lint: ignore because it is cold",
        "# Compile-Lint: Ignore[cl101]",
        "# compile-lint: ignore[tensor-branch]",
        "# compile-lint: ignore[ALL]",
        "# type: ignore  # compile-lint: ignore[CL101]",
        "# noqa: CL101",
        "# noqa:E501,CL101",
        "# NOQA: E501 CL101",
        "# noqa: CL1",
        "# noqa",
        "# noqa  and a reason",
    ],
)
def test_on_the_line(outcome, comment):
    assert outcome(f"if x:  {comment}\n    pass\n", 1) == ([], [])


@pytest.mark.parametrize(
    "comment",
    ["# compile-lint: ignore[CL101]", "# compile-lint: ignore", "# compile-lint: ignore[CL1] one\n# two\n# three"],
)
def test_on_the_line_above(outcome, comment):
    line = 2 + comment.count("\n")
    assert outcome(f"{comment}\nif x:\n    pass\n", line) == ([], [])
    assert outcome(f"def f():\n    {comment}\n    if x:\n        pass\n".replace("\n#", "\n    #"), line + 1) == (
        [],
        [],
    )


def test_not_two_lines_above_nor_below(outcome):
    left, told = outcome("# compile-lint: ignore[CL101]\n\nif x:\n    pass\n# compile-lint: ignore[CL101]\n", 3)
    assert left == [(3, "CL101")]
    assert [line for line, _ in told] == [1, 5]


def test_a_comment_behind_the_statement_above_is_not_for_this_one(outcome):
    left, told = outcome("y = 1  # compile-lint: ignore[CL101]\nif x:\n    pass\n", 2)
    assert left == [(2, "CL101")]
    assert told == [(1, "the suppression of CL101 silences nothing")]


def test_noqa_above_is_no_suppression(outcome):
    assert outcome("# noqa: CL101\nif x:\n    pass\n", 2)[0] == [(2, "CL101")]


def test_other_codes_stay(outcome):
    left, told = outcome("if x:  # compile-lint: ignore[CL102]\n    pass\n", (1, "CL101"))
    assert left == [(1, "CL101")]
    assert told == [(1, "the suppression of CL102 silences nothing")]


MULTILINE = """\
y = foo(  # 1
    a,
    b.item(),
    c,
)  # 5
if (  # 6
    y
    and z
):  # 9
    w = 1
else:
    v = [
        q.item()
    ]
"""


@pytest.mark.parametrize(
    ("comment_line", "finding", "end", "silenced"),
    [
        (1, 3, 3, True),
        (3, 3, 3, True),
        (2, 3, 3, False),
        (5, 3, 3, False),
        (5, 3, 5, True),
        (6, 8, 8, True),
        (8, 8, 8, True),
        (6, 10, 10, False),
        (6, 13, 13, False),
        (12, 13, 13, True),
        (11, 13, 13, False),
    ],
)
def test_statements_of_several_lines(outcome, comment_line, finding, end, silenced):
    lines = MULTILINE.split("\n")
    lines[comment_line - 1] = lines[comment_line - 1].partition("#")[0].rstrip() + "  # compile-lint: ignore[CL101]"
    left, _ = outcome("\n".join(lines), (finding, "CL101", end))
    assert (not left) is silenced


def test_inside_brackets_on_a_line_of_its_own(outcome):
    assert outcome("y = foo(\n    # compile-lint: ignore[CL101] here\n    b.item(),\n)\n", 3) == ([], [])


def test_above_a_statement_of_several_lines(outcome):
    assert outcome("# compile-lint: ignore\ny = foo(\n    b.item(),\n)\n", 3) == ([], [])


def test_else_if(outcome):
    text = "if a:\n    pass\nelif b:  # compile-lint: ignore[CL101]\n    pass\nelif c:\n    pass\n"
    assert outcome(text, 1, 3, 5)[0] == [(1, "CL101"), (5, "CL101")]


def test_match_and_except(outcome):
    text = "match a:\n    case 1:  # compile-lint: ignore\n        b\n    case 2:\n        c\n"
    text += "try:\n    d\nexcept E:  # compile-lint: ignore\n    e\n"
    assert outcome(text, 2, 3, 4, 8, 9)[0] == [(3, "CL101"), (4, "CL101"), (9, "CL101")]


DECORATED = """\
{0}
@wrap(
    1
)  # 4
@other
{1}
def f(x):  {2}
    if x:
        pass
    def g(y):
        return y.item()
    return g

def h(x):
    return x.item()
"""


@pytest.mark.parametrize("place", [0, 1, 2])
def test_skip_function(outcome, place):
    comments = ["#", "#", "#"]
    comments[place] = "# compile-lint: skip-function"
    left, told = outcome(DECORATED.format(*comments), 2, 7, 8, 11, 14)
    assert (left, told) == ([(14, "CL101")], [])


def test_skip_function_with_codes_and_idle(outcome):
    text = "# compile-lint: skip-function[CL1]\ndef f(x):\n    a\n    b\n\n# compile-lint: skip-function\nx = 1\n"
    left, told = outcome(text, (3, "CL101"), (4, "CL201"))
    assert left == [(4, "CL201")]
    assert told == [(6, "the suppression of every rule silences nothing")]


def test_skip_function_of_a_method(outcome):
    text = (
        "class A:\n    # compile-lint: skip-function\n    async def f(self):\n        a\n    def g(self):\n        b\n"
    )
    assert outcome(text, 4, 6) == ([(6, "CL101")], [])


def test_file_ignore(outcome):
    text = "import torch\n# compile-lint: file-ignore[CL1]\n"
    assert outcome(text, (1, "CL101"), (9, "CL102"), (3, "CL201"))[0] == [(3, "CL201")]
    assert outcome("x  # compile-lint: file-ignore\n", (1, "CL101"), (9, "CL201")) == ([], [])
    assert outcome("# compile-lint: file-ignore[CL1]\n")[1] == [(1, "the suppression of CL1 silences nothing")]


def test_every_comment_that_silences_is_of_use(outcome):
    text = "# compile-lint: file-ignore[CL1]\nif x:  # compile-lint: ignore[CL101]\n    pass\n"
    assert outcome(text, 2) == ([], [])


def test_part_of_a_comment_is_idle(outcome):
    left, told = outcome("if x:  # compile-lint: ignore[CL101, CL102, CL2]\n    pass\n", 1)
    assert left == []
    assert told == [(1, "the suppression of CL102 silences nothing"), (1, "the suppression of CL2 silences nothing")]
    left, told = outcome("if x:  # noqa: E501, CL101, CL102\n    pass\n", 1)
    assert told == [(1, "the suppression of CL102 silences nothing")]


def test_noqa_that_is_none_of_ours_is_never_idle(outcome):
    text = "a  # noqa\nb  # noqa: E501\nc  # noqa: F401,W605\n# flake8: noqa\n# ruff: noqa: E501\nd  # noqa:E501 CL\n"
    assert outcome(text) == ([], [])


def test_noqa_of_others_silences_nothing(outcome):
    assert outcome("a  # noqa: E501\nb  # noqa : F401\n", 1, 2)[0] == [(1, "CL101"), (2, "CL101")]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# compile-lint: ignore[CL999]", "`CL999` is no rule; did you mean 'CL901'?"),
        ("# compile-lint: ignore[tensor-brunch]", "`tensor-brunch` is no rule; did you mean 'tensor-branch'?"),
        ("# compile-lint: ignroe[CL101]", "`ignroe` is no suppression; did you mean 'ignore'?"),
        ("# compile-lint: ignore[CL101", "the bracket of `# compile-lint: ignore[CL101` is not closed"),
        ("# compile-lint: ignore[]", "`# compile-lint: ignore[]` names no rule between its brackets"),
        ("# compile-lint: ignore: CL101", "rules go into brackets: `ignore[CL101]`"),
        ("# compile-lint: ignore=CL101", "rules go into brackets: `ignore[CL101]`"),
    ],
)
def test_comments_that_mean_nothing(outcome, comment, message):
    assert outcome(f"if x:  {comment}\n    pass\n", 1) == ([(1, "CL101")], [(1, message)])


def test_an_unknown_code_beside_a_known_one(outcome):
    left, told = outcome("if x:  # compile-lint: ignore[CL101,CL888]\n    pass\n", 1)
    assert left == []
    assert len(told) == 1


def test_idle_ones_can_be_silenced_by_name_only(outcome):
    assert outcome("a  # compile-lint: ignore[CL101,CL901]\n") == ([], [])
    assert outcome("# compile-lint: file-ignore[CL901]\na  # compile-lint: ignore[CL101]\n") == ([], [])
    assert len(outcome("# compile-lint: file-ignore\na  # compile-lint: ignore[CL101]\n")[1]) == 2


def test_no_rule_no_search(outcome):
    assert outcome("a  # compile-lint: ignore[CL101]\n", idle=False) == ([], [])


def test_strings_are_no_comments(outcome):
    text = "s = '# compile-lint: ignore'\n"
    text += 't = """\n# compile-lint: file-ignore\n\\""" # noqa\n"""\n'
    text += "u = r'\\' # compile-lint: file-ignore'\n"
    assert outcome(text, 1, 3, 4) == ([(1, "CL101"), (3, "CL101"), (4, "CL101")], [])


def test_code_that_does_not_parse(outcome):
    text = "print 'a'  # compile-lint: ignore[CL101]\n# compile-lint: ignore[CL102]\nexec 'b'\nif x:\n  (((\n"
    assert outcome(text, 1, (3, "CL102")) == ([], [])


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends(outcome, end):
    text = f"a = 1{end}# compile-lint: ignore[CL101]{end}if x:{end}    y  # compile-lint: ignore[CL101]{end}"
    assert outcome(text, 3, 4) == ([], [])


def test_other_separators_are_no_line_ends(outcome):
    assert outcome("s = '\x0c\x1c\u2028\x85'  # compile-lint: ignore\nb  # compile-lint: ignore\n", 1, 2) == ([], [])


def test_deep_nesting(outcome):
    text = "x = " + "(" * 3000 + ")" * 3000 + "  # compile-lint: ignore[CL101]\n"
    assert outcome(text, 1) == ([], [])
    text = (
        "if a:\n    pass\n"
        + "".join(f"elif b{i}:\n    pass\n" for i in range(500))
        + "else:\n    c  # compile-lint: ignore\n"
    )
    assert outcome(text, text.count("\n")) == ([], [])
