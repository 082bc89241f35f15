"""Code that makes no sense is still code: models with expressions swapped at random are analysed to the end."""

import ast
import random
from pathlib import Path

import pytest

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").glob("*/*.py"))
ROUNDS = 8
"""Mutants made of each model."""


class Swap(ast.NodeTransformer):
    """Puts another expression in the place of some."""

    def __init__(self, choose, others, share):
        self.choose = choose
        self.others = others
        self.share = share

    def visit(self, node):
        if isinstance(node, ast.JoinedStr):
            return node
        node = super().visit(node)
        if _is_value(node) and self.choose.random() < self.share:
            return ast.parse(self.choose.choice(self.others), mode="eval").body
        return node


def _is_value(node):
    """An expression that may stand wherever one may: no target, no slice."""
    slices = any(isinstance(below, (ast.Slice, ast.Starred)) for below in ast.walk(node))
    return isinstance(node, ast.expr) and not slices and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


@pytest.fixture(scope="module")
def expressions():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in FIXTURES]
    texts = {ast.unparse(node) for tree in trees for node in ast.walk(tree) if _is_value(node)}
    return sorted(text for text in texts if len(text) < 60)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_mutants_are_analysed(lint, expressions, path):
    choose = random.Random(path.stem)
    for number in range(ROUNDS):
        swap = Swap(choose, expressions, share=0.03 * (1 + number % 4))
        text = ast.unparse(ast.fix_missing_locations(swap.visit(ast.parse(path.read_text(encoding="utf-8")))))
        linted = lint(text, entry_points=("*",) if number % 2 else (), min_confidence="possible")
        assert linted.report.errors == (), text
        for finding in linted.findings:
            assert 1 <= finding.line <= finding.end_line <= text.count("\n") + 1
            assert finding.column >= 1
