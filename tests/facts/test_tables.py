"""The shipped tables: their form, and a sample of them measured again."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compile_lint._data import rules_root
from compile_lint.facts import Facts

ROOT = rules_root() / "facts"
TABLES = sorted(ROOT.glob("*.tsv"))
OUTCOMES = {"ok", "break", "skip", "error", "unknown"}
BY_HAND = ("hand", "noted")
SAMPLE = 40


def rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    header = lines[0].split("\t")
    found = [line.split("\t") for line in lines[1:] if not line.startswith("#")]
    assert all(len(row) == len(header) for row in found)
    return [dict(zip(header, row, strict=True)) for row in found]


def test_there_are_thousands_of_facts() -> None:
    assert len(Facts.load(ROOT, "2.13")) > 5000


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_tables_are_well_formed(path: Path) -> None:
    found = rows(path)
    assert found
    names = [row["name"] for row in found]
    assert names == sorted(names) or path.stem in BY_HAND
    for row in found:
        assert row["outcome"] in OUTCOMES, row
        assert row.get("loop", "ok") in OUTCOMES, row
        assert re.fullmatch(r"(GB\d{4}(,GB\d{4})*)?", row["ids"]), row
        assert row["outcome"] != "ok" or not row["ids"], row
        assert re.fullmatch(r"(\d*:\w*(,\d*:\w*)*)?", row.get("reads", "")), row
        assert re.fullmatch(r"(\d+\.\d+)?", row["since"]) and re.fullmatch(r"(\d+\.\d+)?", row["until"]), row


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_one_row_holds_for_each_version(path: Path) -> None:
    key = ("name", "when") if path.name == "conditions.tsv" else ("name",)
    for version in ("2.13", "2.14"):
        seen = set()
        for row in rows(path):
            if (row["since"] or "0") <= version <= (row["until"] or "9"):
                identity = tuple(row[part] for part in key)
                assert identity not in seen
                seen.add(identity)


def test_conditions_belong_to_rows() -> None:
    for version in ("2.13", "2.14"):
        facts = Facts.load(ROOT, version)
        for name in facts:
            for condition in facts.conditions(name):
                assert condition.terms and all(term.state for term in condition.terms)
    known = {row["name"] for path in TABLES if path.name != "conditions.tsv" for row in rows(path)}
    assert {row["name"] for row in rows(ROOT / "conditions.tsv")} <= known


@pytest.mark.torch
def test_ids_exist_in_the_registry() -> None:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    registry = json.loads((Path(spec.origin).parent / "_dynamo" / "graph_break_registry.json").read_text())
    version = importlib.metadata.version("torch")
    facts = Facts.load(ROOT, version)
    ids = {gb for name in facts for gb in (facts.get(name) or pytest.fail(name)).ids}
    assert ids <= registry.keys()


@pytest.mark.parametrize(
    ("name", "target", "outcome", "first"),
    [
        ("builtins.print", "2.13", "break", "GB0059"),
        ("time.time", "2.13", "break", "GB0007"),
        ("random.random", "2.13", "break", "GB0007"),
        ("random.random", "2.14", "ok", ""),
        ("torch.nonzero", "2.13", "break", "GB0036"),
        ("torch.Tensor.item", "2.13", "break", "GB0124"),
        ("torch.Tensor.tolist", "2.13", "break", None),
        ("torch.where", "2.13", "ok", ""),
        ("torch.repeat_interleave", "2.13", "ok", ""),
        ("torch.manual_seed", "2.13", "break", "GB0007"),
        ("torch.Tensor.storage_offset", "2.13", "break", "GB0208"),
        ("torch.initial_seed", "2.13", "break", "GB0208"),
        ("copy.copy", "2.13", "break", None),
        ("os.path.exists", "2.13", "break", None),
        ("os.environ.get", "2.13", "ok", ""),
        ("numpy.prod[py]", "2.13", "break", None),
        ("numpy.sin", "2.13", "ok", ""),
        ("hashlib.md5", "2.13", "break", None),
        ("logging.Logger.info", "2.13", "break", "GB0291"),
        ("re.match", "2.13", "ok", ""),
        ("torch.nn.Linear", "2.13", "break", None),
        ("torch.nn.Linear()", "2.13", "ok", ""),
        ("torch.no_grad.__enter__", "2.13", "ok", ""),
        ("torch.nn.functional.one_hot", "2.13", "ok", ""),
        ("math.sqrt[tensor]", "2.13", "break", None),
        ("torch.Tensor.__getitem__[mask]", "2.13", "break", "GB0036"),
        ("builtins.str[tensor]", "2.13", "break", None),
        ("str.format[tensor]", "2.13", "ok", ""),
    ],
)
def test_what_separate_runs_have_shown(name: str, target: str, outcome: str, first: str | None) -> None:
    """These were also seen in whole snippets, apart from the probe."""
    fact = Facts.load(ROOT, target).get(name)
    assert fact is not None
    assert fact.outcome == outcome
    assert first is None or fact.ids[:1] == ((first,) if first else ())


@pytest.mark.parametrize(
    ("name", "argument", "state", "outcome"),
    [
        ("torch.where", 1, "absent", "break"),
        ("torch.nn.functional.one_hot", 1, "absent", "break"),
    ],
)
def test_what_depends_on_arguments(name: str, argument: int, state: str, outcome: str) -> None:
    conditions = Facts.load(ROOT, "2.13").conditions(name)
    found = [c for c in conditions if [(t.position, t.state) for t in c.terms] == [(argument, state)]]
    assert [c.outcome for c in found] == [outcome]


@pytest.mark.torch
def test_a_sample_is_measured_again() -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    version = re.match(r"\d+\.\d+", importlib.metadata.version("torch"))
    measured = {".".join(v.split(".")[:2]) for v in (TABLES[0].read_text().splitlines()[1]).split()[2:]}
    if version is None or version.group() not in measured:
        pytest.skip("the tables hold no rows of this torch")
    command = [
        sys.executable,
        "-m",
        "compile_lint.confirm.probe",
        "--out",
        str(ROOT),
        "--check",
        str(SAMPLE),
        "--seed",
        "13",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
