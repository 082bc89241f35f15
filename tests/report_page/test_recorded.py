"""Pages of what was really measured of the fixture models."""

import json
from pathlib import Path

import pytest

from compile_lint.report_page.catalogue import LANGUAGES

RECORDED = sorted((Path(__file__).parents[1] / "bench" / "recorded").glob("*.json"))
MONEY = ("--gpu-cost-per-month", "10000", "--requests-per-day", "100000000", "--engineering-cost", "18000")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_of_them_on_one_page(command, browser, tmp_path, language):
    done = command("report", *RECORDED, *MONEY, "--isolated", "--lang", language, "-o", "report.html")
    assert (done.code, done.err) == (0, "")
    browser.open((tmp_path / "report.html").as_uri(), width=375)
    assert browser.complaints() == []
    assert browser.value("document.documentElement.scrollWidth") == 375
    names = browser.value("[...document.querySelectorAll('h2[id^=model]')].map(one => one.textContent)")
    assert sorted(names) == [path.stem for path in RECORDED]


@pytest.mark.parametrize("path", RECORDED, ids=[path.stem for path in RECORDED])
def test_what_was_measured_is_told(command, path, tmp_path):
    text = command("report", path, *MONEY, "--isolated", "--format", "markdown").out
    target = json.loads(path.read_text(encoding="utf-8"))["targets"][0]
    assert f"# Is torch.compile worth it for {path.stem}?" in text
    for one in target["confirmation"]["breaks"]:
        assert f"`{one['path']}:{one['line']}`" in text and one["source"] in text
    assert ("#### Latency of a call" in text) == bool(target["compiled"]["repeats"])
    remedies = target["traffic"]["remedies"] if target["traffic"] else []
    assert ("#### The whole traffic under each remedy" in text) == bool(remedies)
    assert ("#### Compilations by input size" in text) == any(one.get("compiled_at") for one in remedies)
    assert "inductor" in text and target["inputs"][0].partition("=")[0] in text
