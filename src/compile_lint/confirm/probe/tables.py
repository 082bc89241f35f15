"""Writes and reads the tables, and joins those of two torch versions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from compile_lint.confirm.probe.measure import ConditionRow, Row

COLUMNS = ("name", "returns", "outcome", "ids", "loop", "reads", "since", "until")
CONDITION_COLUMNS = ("name", "when", "returns", "outcome", "ids", "since", "until")
CONDITIONS_HELP = """\
# What differs from the row of the same name in the other tables, depending on the arguments that a call gives.
# when: `position:name=state`; several that must hold together are joined by ` & `. Positions count without self and are
# empty for keyword-only parameters; the name may be empty. state: absent, present (whatever the value), tensor (where a
# Python value is usual), or the source text of the value. The first row that holds decides.
"""

Line = tuple[str, ...]
Table = dict[str, list[Line]]
"""Lines by the key that identifies a measurement: the name, or the name and the condition."""


def fact_line(row: Row) -> Line:
    """The columns of a row."""
    reads = ",".join(sorted(set(row.reads), key=_position))
    return (row.name, row.returns, row.outcome, ",".join(row.ids), row.loop, reads, "", "")


def condition_line(row: ConditionRow) -> Line:
    """The columns of a condition."""
    return (row.name, row.when, row.returns, row.outcome, ",".join(row.ids), "", "")


def _position(argument: str) -> tuple[int, str]:
    place = argument.partition(":")[0]
    return (int(place) if place.isdigit() else 99, argument)


def write(path: Path, columns: Line, lines: Iterable[Line], versions: Iterable[str], note: str = "") -> None:
    """Write one table, sorted; `versions` are the torch versions it was measured with."""
    head = ["\t".join(columns), f"# torch {' '.join(versions)}"]
    body = ["\t".join(line) for line in sorted(lines, key=_condition_order if note else _order)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*head, *note.splitlines(), *body, ""]), encoding="utf-8")


def _order(line: Line) -> tuple[str, str]:
    return line[0], line[-2]


def _condition_order(line: Line) -> tuple[str, int, str, str]:
    """Conditions of more terms stand first, since the first that holds decides."""
    return line[0], -line[1].count(" & "), line[1], line[-2]


def read(path: Path) -> tuple[list[str], Table]:
    """The torch versions of a table and its lines by key."""
    versions: list[str] = []
    table: Table = {}
    rows = path.read_text(encoding="utf-8").splitlines()
    keys = 2 if rows[0].startswith("name\twhen") else 1
    for text in rows[1:]:
        if text.startswith("#"):
            found = re.match(r"# torch (.*)", text)
            versions = found.group(1).split() if found else versions
        elif text:
            line = tuple(text.split("\t"))
            table.setdefault("\t".join(line[:keys]), []).append(line)
    return versions, table


def merge(old: Path, new: Path) -> tuple[list[str], list[Line]]:
    """Lines for all versions. `old` may hold several versions already, `new` holds one later than these."""
    old_versions, before = read(old)
    new_versions, after = read(new)
    last, first = short(old_versions[-1]), short(new_versions[0])
    conditions = old.name == "conditions.tsv"
    lines: list[Line] = []
    for key in {**before, **after}:
        *earlier, current = before.get(key, [()])
        lines += [line for line in earlier if line]
        lines += _joined(current, after.get(key, [()])[0], last, first, conditions)
    return [*old_versions, *(v for v in new_versions if v not in old_versions)], lines


def _joined(old: Line, new: Line, last: str, first: str, conditions: bool) -> list[Line]:
    if not new:
        return [(*old[:-1], old[-1] or last)]
    if not old:
        return [(*new[:-2], first, "")]
    if old[-1]:
        return [old, (*new[:-2], first, "")]
    outcome = 3 if conditions else 2
    if old[:-2] == new[:-2] or new[outcome] == "unknown":
        return [old]
    if old[outcome] == "unknown":
        return [(*new[:-2], "", "")]
    return [(*old[:-1], last), (*new[:-2], first, "")]


def short(version: str) -> str:
    """`2.13` of `2.13.0+cpu`."""
    found = re.match(r"\d+\.\d+", version)
    return found.group() if found else version
