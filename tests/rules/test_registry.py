"""Graph-break ids in the rule files exist in the registry that ships with torch."""

import importlib.util
import json
from pathlib import Path

import pytest

from compile_lint._data import rules_root
from compile_lint.rulebook import load

BOOK = load(rules_root())
OTHER_VERSIONS = {"GB4818": "2.14", "GB9493": "2.14", "GB0060": "2.13"}
"""Ids that only that version has."""

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def registry():
    spec = importlib.util.find_spec("torch")  # found, not imported: this test needs a file of it only
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    path = Path(spec.origin).parent / "_dynamo" / "graph_break_registry.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.code) for rule in BOOK.rules])
def test_ids_are_in_the_registry(rule, registry):
    ids = {*rule.graph_break_ids, *(graph_break for match in rule.matches for graph_break in match.ids)}
    missing = ids - registry.keys() - OTHER_VERSIONS.keys()
    assert not missing
