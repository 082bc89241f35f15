import json

import pytest

from compile_lint.bench.compare import changed, compare
from compile_lint.bench.figures import Range
from compile_lint.bench.record import Latency
from compile_lint.bench.report.compared import render


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (Range(10, 9, 11), Range(10.5, 10, 12), "same"),
        (Range(10, 9, 11), Range(12, 11.5, 13), "worse"),
        (Range(10, 9, 11), Range(8, 7, 8.5), "better"),
        (Range(10, 10, 10), Range(10.1, 10.1, 10.1), "same"),
        (None, Range(1, 1, 1), "new"),
        (Range(1, 1, 1), None, "gone"),
        (None, None, "same"),
    ],
)
def test_ranges_that_lie_apart_are_changes(old, new, change):
    assert changed(old, new) == change


@pytest.fixture
def found(records):
    old = records.record(records.target(), records.target("gone"))
    slow = records.target(compiled=Latency(((9.0, 9.1), (9.2, 9.3))), warm_ups=records.target().warm_ups[:1])
    new = records.record(slow, records.target("new"))
    return compare(old, records.replace(new, machine=records.replace(old.machine, torch="2.14.1")))


def test_what_changed_beyond_the_noise(found):
    assert found.worse
    assert {one.what: one.change for one in found.figures} == {
        "eager call": "same",
        "compiled call": "worse",
        "first call, cold": "same",
        "first call, warm cache": "gone",
        "eager memory": "same",
        "compiled memory": "same",
    }
    assert found.machine == ("torch: 2.13.0+cpu then, 2.14.1 now",)
    assert (found.only_old, found.only_new) == (("gone",), ("new",))


def test_nothing_changed(records):
    one = records.record(records.target(traffic=records.traffic()))
    found = compare(one, one)
    assert {each.change for each in found.figures} == {"same"} and not found.worse
    assert "traffic as it is" in {each.what for each in found.figures}


def test_the_forms(found):
    text = render(found, "text")
    assert "  compiled call                6.1 ms ->    9.15 ms  worse by 50 %\n" in text
    assert text.endswith("beyond the noise: 1 worse, 0 better; 4 within it\n")
    assert "| `model` | compiled call | 6.1 ms | 9.15 ms | **worse by 50 %** |" in render(found, "markdown")
    assert json.loads(render(found, "json"))["worse"] is True


def test_the_command(command, records, tmp_path):
    pytest.importorskip("msgspec")
    from compile_lint.bench.write import render as as_json

    fast, slow = records.target(), records.target(compiled=Latency(((9.0,), (9.2,))))
    (tmp_path / "old.json").write_text(as_json(records.record(fast)))
    (tmp_path / "new.json").write_text(as_json(records.record(slow)))
    assert command("bench", "--compare", "old.json", "new.json").code == 0
    assert command("bench", "--compare", "old.json", "new.json", "--fail-slower").code == 1
    assert command("bench", "--compare", "new.json", "old.json", "--fail-slower").code == 0
    done = command("bench", "--compare", "old.json", "none.json")
    assert (done.code, done.err) == (2, "error: none.json: cannot be read: No such file or directory\n")
    done = command("bench", "m.py:f", "--compare", "old.json", "new.json")
    assert (done.code, done.err) == (2, "error: --compare: measures nothing; leave the targets out\n")
