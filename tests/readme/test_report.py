"""What README.md says of `report` holds."""

import re

import pytest

from compile_lint.bench.write import render
from compile_lint.cli.commands import cli
from compile_lint.cli.report import _NEEDED, FORMATS
from compile_lint.report_page.catalogue import LANGUAGES


@pytest.fixture(scope="session")
def text(readme):
    return re.search(r"^## Report\n(.*?)(?=^## Editor$)", readme, re.DOTALL | re.MULTILINE)[1]


def test_its_own_options_are_named_and_all_others_are_those_of_decide(text):
    shared = {one.name for one in cli.commands["decide"].params} - {"form", "lang", "output_file"}
    own = [one for one in cli.commands["report"].params if one.name not in shared]
    assert {one.name for one in own} == {"form", "lang", "output_file"}
    assert all(f"`{spelling} " in text for one in own for spelling in one.opts)
    assert all(f"`{one}`" in text for one in (*FORMATS, *LANGUAGES))
    assert all(one in text for one in _NEEDED)


def test_the_commands(text, run, tmp_path):
    from compile_lint.bench.record import BenchRecord, TargetBench

    (tmp_path / "bench.json").write_text(render(BenchRecord(targets=(TargetBench("detr"),))))
    for line in re.findall(r"^\$ compile-lint (report bench\.json .*)$", text, re.MULTILINE):
        done = run(*line.split())
        assert (done.code, done.out) == (0, ""), done.err
    assert "Content-Security-Policy" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# detr 值得使用 torch.compile 吗")
