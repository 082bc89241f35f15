"""The file of a baseline."""

import itertools
import json
import random

import pytest

from compile_lint.baseline.file import named
from compile_lint.baseline.known import named_identities, read, text
from compile_lint.config.errors import ConfigError
from compile_lint.findings import Finding
from compile_lint.fingerprints import Identity

ENTRIES = [
    Identity(code, path, function, source, ordinal)
    for code, path, function, source, ordinal in itertools.product(
        ("CL101", "CL201"), ("a.py", "b/ö.py"), ("f", ""), ("x = 1", 'y = "\t\u2028"'), (0, 1)
    )
]


def finding(path, line, code="CL101"):
    return Finding(code, "n", "break", "certain", path, line, 1, line, 2, "m", "w", "i", "f", "f")


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "b.json"
    path.write_text(text(ENTRIES), encoding="utf-8")
    assert read(path).known == set(ENTRIES)


def test_the_same_file_for_every_order():
    shuffled = [*ENTRIES, *ENTRIES[:3]]
    random.Random(0).shuffle(shuffled)
    assert text(shuffled) == text(ENTRIES)
    assert text(ENTRIES).endswith("}\n")


def test_sorted_by_file_for_people_who_read_a_diff():
    entries = json.loads(text(ENTRIES))["findings"]
    assert [entry["path"] for entry in entries] == sorted(entry["path"] for entry in entries)
    assert list(entries[0]) == ["code", "path", "function", "source", "ordinal"]
    assert "b/ö.py" in text(ENTRIES)


def test_nothing_is_known():
    assert json.loads(text([])) == {"version": 1, "findings": []}


ENTRY = {"code": "CL101", "path": "a.py", "function": "f", "source": "x", "ordinal": 0}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is not JSON"),
        ("<<<<<<< HEAD\n", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is no baseline of this compile-lint"),
        ('{"version": 2, "findings": []}', "is no baseline of this compile-lint"),
        ('{"version": 1}', "findings: must be a list"),
        ('{"version": 1, "accepted": []}', "findings: must be a list, as --write-baseline of `check` writes it"),
        ('{"version": 1, "findings": [1]}', "findings: entry 1: code: must be a string"),
        (
            json.dumps({"version": 1, "findings": [ENTRY, {**ENTRY, "ordinal": "0"}]}),
            "findings: entry 2: ordinal: must be a whole number",
        ),
        (
            json.dumps({"version": 1, "findings": [{**ENTRY, "ordinal": True}]}),
            "findings: entry 1: ordinal: must be a whole number",
        ),
        (json.dumps({"version": 1, "findings": [{**ENTRY, "path": None}]}), "findings: entry 1: path: must be a"),
    ],
)
def test_a_damaged_file(tmp_path, content, words):
    path = tmp_path / "b.json"
    path.write_text(content)
    with pytest.raises(ConfigError) as caught:
        read(path)
    assert str(caught.value).startswith(f"--baseline: {path}: {words}")


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "b.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is not JSON"):
        read(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="no such file; --write-baseline makes one"):
        read(tmp_path / "b.json")
    with pytest.raises(ConfigError, match="cannot be read"):
        read(tmp_path)


def test_paths_are_relative_to_the_baseline(tmp_path, monkeypatch):
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert named("a.py", tmp_path / "b.json") == "src/a.py"
    assert named(str(tmp_path / "src" / "a.py"), tmp_path / "ci" / "b.json") == "../src/a.py"


def test_ordinals_count_in_the_order_of_places(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    findings = [finding("a.py", line) for line in (3, 1, 2)]
    names = named_identities(findings, lambda _: "x\nx\nx\n", tmp_path / "b.json")
    assert [names[one].ordinal for one in findings] == [2, 0, 1]
    assert {one.path for one in names.values()} == {"a.py"}
