"""Joining the tables of two torch versions."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from compile_lint.confirm.probe import tables

OLD = "# torch 2.13.0"
NEW = "# torch 2.14.1"


def table(folder: Path, name: str, version: str, *rows: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    columns = tables.CONDITION_COLUMNS if name == "conditions.tsv" else tables.COLUMNS
    path.write_text("\n".join(["\t".join(columns), version, *rows, ""]))
    return path


def merged(tmp_path: Path, old: list[str], new: list[str], name: str = "stdlib.tsv") -> list[str]:
    _, lines = tables.merge(table(tmp_path / "old", name, OLD, *old), table(tmp_path / "new", name, NEW, *new))
    return ["\t".join(line) for line in lines]


def test_rows_that_agree_hold_for_all_versions(tmp_path: Path) -> None:
    row = "time.time\tfloat\tbreak\tGB0007\tskip\t\t\t"
    assert merged(tmp_path, [row], [row]) == [row]


def test_rows_that_differ_appear_twice(tmp_path: Path) -> None:
    assert merged(
        tmp_path,
        ["random.random\tfloat\tbreak\tGB0007\tskip\t\t\t"],
        ["random.random\tfloat\tok\t\tok\t\t\t"],
    ) == ["random.random\tfloat\tbreak\tGB0007\tskip\t\t\t2.13", "random.random\tfloat\tok\t\tok\t\t2.14\t"]


def test_names_that_came_and_went(tmp_path: Path) -> None:
    assert merged(tmp_path, ["a.old\t?\tok\t\tok\t\t\t"], ["a.new\t?\tok\t\tok\t\t\t"]) == [
        "a.old\t?\tok\t\tok\t\t\t2.13",
        "a.new\t?\tok\t\tok\t\t2.14\t",
    ]


def test_a_failed_measurement_does_not_hide_one_that_succeeded(tmp_path: Path) -> None:
    known = "a.b\tint\tok\t\tok\t\t\t"
    unknown = "a.b\t?\tunknown\t\tunknown\t\t\t"
    assert merged(tmp_path, [known], [unknown]) == [known]
    assert merged(tmp_path, [unknown], [known]) == [known]


def test_a_third_version_extends_what_two_have(tmp_path: Path) -> None:
    old = ["a.b\tint\tbreak\tGB0007\tskip\t\t\t2.12", "a.b\tint\tok\t\tok\t\t2.13\t"]
    assert merged(tmp_path, old, ["a.b\tint\tok\t\tok\t\t\t"]) == old
    assert merged(tmp_path, old, ["a.b\tint\terror\t\terror\t\t\t"]) == [
        old[0],
        "a.b\tint\tok\t\tok\t\t2.13\t2.13",
        "a.b\tint\terror\t\terror\t\t2.14\t",
    ]


def test_conditions_are_joined_by_name_and_condition(tmp_path: Path) -> None:
    first = "torch.sum\t1:dim=present\ttensor\tok\t\t\t"
    second = "torch.sum\t:dtype=torch.int64\ttensor:int/0\tok\t\t\t"
    assert merged(tmp_path, [first], [first, second], "conditions.tsv") == [
        first,
        "torch.sum\t:dtype=torch.int64\ttensor:int/0\tok\t\t2.14\t",
    ]
