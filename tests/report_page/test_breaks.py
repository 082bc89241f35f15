"""Where graphs break: excerpts from the file if it is the one that was measured, reasons, and what rules advise."""

import pytest

from compile_lint.confirm.observation import Place, Raised
from compile_lint.report_page.breaks import breaks, troubles
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.excerpt import excerpt, lines_of
from compile_lint.report_page.view import Excerpt

EN = Catalogue("en")
LINES = ["import torch", "", "", "class DETR:", "    def forward(self, mask):", "\tif mask.any():", "        return 1"]


def test_lines_around_the_one_that_is_meant():
    found = excerpt("a.py", 6, "if mask.any():", lambda path: LINES)
    assert found == Excerpt(
        4, ("class DETR:", "    def forward(self, mask):", "    if mask.any():", "        return 1"), 6
    )
    assert excerpt("a.py", 1, "import torch", lambda path: LINES).lines == ("import torch", "", "")


@pytest.mark.parametrize("lines", [None, [], ["x"] * 9, LINES[1:]])
def test_the_recorded_line_alone_where_the_file_is_another(lines):
    assert excerpt("a.py", 6, "if mask.any():", lambda path: lines) == Excerpt(6, ("if mask.any():",), 6)


def test_nothing_without_a_recorded_line_and_long_lines_are_cut():
    assert excerpt("a.py", 6, "  ", lambda path: LINES) is None
    assert len(excerpt("a.py", 1, "x" * 500, lambda path: None).lines[0]) == 200


def test_only_python_files_are_read(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    (tmp_path / "b.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "key.pem").write_text("secret\n")
    assert lines_of(str(tmp_path / "a.py")) == ["x = 1", "y = 2"]
    for other in ("b.py", "key.pem", "gone.py", "", "\0.py"):
        assert lines_of(str(tmp_path / other)) is None


def test_breaks_with_their_rules(made, rule_of):
    library = made.broken(
        "torch/x.py", 3, in_project=False, predicted=False, codes=(), charged_to=Place("m.py", 9), frame_skipped=True
    )
    follows = made.broken(line=9, consequence_of="models/detr.py:7")
    unknown = made.broken(line=11, codes=("CL999",), url="javascript:alert(1)", times=1, predicted=False)
    seen = made.confirmation(breaks=(library, made.broken(), follows, unknown))
    first, second, third = breaks(seen, rule_of, lambda path: None, EN)
    assert (first.place, second.place, third.place) == ("models/detr.py:7", "models/detr.py:11", "torch/x.py:3")
    assert first.facts == ("predicted by CL101", "seen 2 times")
    assert second.facts == ("not predicted", "seen once")
    assert third.facts == (
        "in a library, reached from `m.py:9`",
        "seen 2 times",
        "the whole function runs in eager mode",
    )
    assert [(one.code, one.name) for one in first.remedies] == [("CL101", "tensor-branch")]
    assert first.remedies[0].instead == rule_of("CL101").instead.strip("\n")
    assert (first.link, second.link, second.remedies) == (made.URL, "", ())


def test_a_rule_is_told_once(made, rule_of):
    seen = made.confirmation(breaks=(made.broken(), made.broken(line=9, codes=("CL201", "CL101"))))
    first, second = breaks(seen, rule_of, lambda path: None, EN)
    assert [(one.code, bool(one.why), one.told_at) for one in (*first.remedies, *second.remedies)] == [
        ("CL101", True, ""),
        ("CL201", True, ""),
        ("CL101", False, "models/detr.py:7"),
    ]


def test_troubles(made):
    assert list(troubles(made.confirmation(recompiles=(), fix_first=None), EN)) == []
    bad = made.confirmation(
        error=Raised("TypeError", "no\nnumber", None),
        same_result=False,
        differences=("output 0", "output 1"),
        recompiles=(made.again(), made.again(automatic_dynamic=True)),
        recompile_limit_hit=True,
    )
    assert list(troubles(bad, EN)) == [
        "The compiled call raises where the eager one does not: TypeError: no number",
        "Compiled results differ from eager ones: output 0; output 1",
        "Fix `models/detr.py:7` first: readiness rises from 61 to about 100.",
        "`DETR.forward` (models/detr.py:5) was compiled again on call 2: x.size(0) was 3 and is 4",
        "`DETR.forward` (models/detr.py:5) was compiled again on call 2, once, to make a size dynamic: "
        "x.size(0) was 3 and is 4",
        "The recompile limit was reached: what came after ran in eager mode.",
    ]
