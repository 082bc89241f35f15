"""Accepted breaks: known by file, function, source text and id, and not by line."""

import json

import pytest

from compile_lint.config.errors import ConfigError
from compile_lint.confirm import baseline
from compile_lint.confirm.gate import Gate, failures

HEAD = "import torch\n\n\n@torch.compile\ndef fn(x):\n"
BODY = "    if x.sum() > 0:\n        x = x + 1\n    return x\n"


@pytest.fixture
def observe(made, tmp_path, monkeypatch):
    """Write m.py and observe a break in the line of its `if`."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.py"

    def call(text, number="GB0170", **more):
        path.write_text(text)
        line = next(line for line, code in enumerate(text.splitlines(), 1) if "if " in code)
        return made.joined(made.seen(path, (line,), graphs=(1, 1), breaks=(made.broken(path, line, number, **more),)))

    return call


def written(targets, path):
    path.write_text(baseline.text(targets, path))
    return baseline.read(path)


def test_it_survives_moved_lines(observe, tmp_path):
    accepted = written([observe(HEAD + BODY)], tmp_path / "b.json")
    assert json.loads((tmp_path / "b.json").read_text()) == {
        "version": 1,
        "accepted": [{"path": "m.py", "function": "fn", "source": "if x.sum() > 0:", "graph_break_id": "GB0170"}],
    }
    moved = observe("# one\n# two\n" + HEAD + "    y = 1\n" + BODY)
    assert moved.breaks[0].line == 9
    assert failures([moved], Gate(), accepted) == []
    assert accepted.gone([moved]) == []


@pytest.mark.parametrize(
    "change",
    [
        {"text": HEAD + BODY.replace("sum", "mean")},
        {"text": HEAD + BODY, "number": "GB0001"},
        {"text": HEAD + BODY, "function": "other"},
    ],
)
def test_another_break_is_new(observe, tmp_path, change):
    accepted = written([observe(HEAD + BODY)], tmp_path / "b.json")
    other = observe(**change)
    number = other.breaks[0].graph_break_id
    assert failures([other], Gate(), accepted) == [f"1 break: m.py:6 ({number})"]
    assert accepted.gone([other]) == [("m.py", "fn", "if x.sum() > 0:", "GB0170")]


def test_paths_are_relative_to_its_folder(observe, tmp_path):
    (tmp_path / "ci").mkdir()
    accepted = written([observe(HEAD + BODY)], tmp_path / "ci" / "b.json")
    assert [key[0] for key in accepted.accepted] == ["../m.py"]
    assert failures([observe(HEAD + BODY)], Gate(), accepted) == []


def test_installed_files_are_named_from_their_package_on(made, tmp_path):
    one = made.joined_break("/env/lib/python3.12/site-packages/lib/x.py")
    other = made.joined_break("/other/dist-packages/lib/x.py")
    assert baseline.key_of(one, tmp_path / "b.json")[0] == "lib/x.py"
    assert baseline.key_of(one, tmp_path / "b.json") == baseline.key_of(other, tmp_path / "b.json")


def test_what_only_follows_is_not_written(made, tmp_path):
    follows = made.target(breaks=(made.joined_break(consequence_of="m.py:3"),))
    assert json.loads(baseline.text([follows], tmp_path / "b.json"))["accepted"] == []


def test_the_worst_texts_can_be_written_and_read(made, tmp_path):
    found = written([made.nasty()], tmp_path / "b.json")
    assert len(found.accepted) == 2
    assert found.gone([made.nasty()]) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "no such file; --write-baseline makes one"),
        ("{", "is not JSON"),
        ("[]", "is no baseline of this compile-lint"),
        ('{"version": 2, "accepted": []}', "is no baseline of this compile-lint"),
        ('{"version": 1}', "accepted: must be a list"),
        ('{"version": 1, "accepted": [{"path": 1}]}', "entry 1 must have path, function, source, graph_break_id"),
    ],
)
def test_files_that_are_none(tmp_path, text, words):
    path = tmp_path / "b.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        baseline.read(path)
    assert str(caught.value).startswith(f"--baseline: {path}: ")
    assert words in str(caught.value)
