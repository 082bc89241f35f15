"""Measures some rows of the tables again and says where they differ."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

import torch

from compile_lint.confirm.probe import catalogue, pool
from compile_lint.confirm.probe.measure import Row
from compile_lint.confirm.probe.tables import short
from compile_lint.confirm.probe.target import Target
from compile_lint.facts import Fact, Facts


def differences(root: Path, count: int, seed: int, only: list[str]) -> list[str]:
    """Lines about rows in `root` that the installed torch does not bear out; `count` rows are measured."""
    facts = Facts.load(root, short(torch.__version__))
    targets = [target for table in only or catalogue.TABLES for target in catalogue.split(table)[0]]
    known = [target for target in targets if target.name in facts]
    chosen = random.Random(seed).sample(known, min(count, len(known)))
    owners = {target.owner for target in chosen}
    asked = chosen + [target for target in targets if target.name in owners and target not in chosen]
    rows = {row.name: row for row in _measured(asked)}
    return [line for target in chosen for line in _compared(target, facts.get(target.name), rows.get(target.name))]


def _measured(targets: list[Target]) -> list[Row]:
    os.environ["PROBE_FOLDER"] = tempfile.mkdtemp(prefix="probe-")
    try:
        return pool.measure_all(targets, 1).rows
    finally:
        shutil.rmtree(os.environ["PROBE_FOLDER"], ignore_errors=True)


def _compared(target: Target, fact: Fact | None, row: Row | None) -> list[str]:
    if fact is None or row is None:
        return [f"{target.name}: could not be measured again"]
    before = (fact.returns, fact.outcome, fact.loop, fact.ids[:1])
    now = (row.returns, row.outcome, row.loop, row.ids[:1])
    return [] if before == now else [f"{target.name}: table {before}, measured {now} by {row.call}"]
