"""Holds what happened to an example against its marks."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from compile_lint.rulebook import Example, Rule, Rulebook

if TYPE_CHECKING:
    from compile_lint.confirm.examples import Outcome

Span = tuple[int, int]


def spans(source: str) -> dict[int, Span]:
    """For each line the first and last line of the innermost statement on it; of a compound statement only the head."""
    found: dict[int, Span] = {}
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.stmt, ast.ExceptHandler))]
    for node in sorted(nodes, key=lambda node: (_first_line(node), -(node.end_lineno or 0))):
        body = getattr(node, "body", None)
        first = _first_line(node)
        last = max(first, _first_line(body[0]) - 1 if body else node.end_lineno or first)
        found.update(dict.fromkeys(range(first, last + 1), (first, last)))
    return found


def _first_line(node: ast.stmt | ast.ExceptHandler) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def complaints(rulebook: Rulebook, example: Example, outcome: Outcome) -> list[str]:
    """What is not as the marks of the example say; empty when all is. An example without marks is a good one."""
    if outcome.failure:
        return [outcome.failure]
    span = spans(example.source)
    marked = [(span[line], _rule(rulebook, code)) for line, codes in example.marks.items() for code in codes]
    kinds = {rule.kind for _, rule in marked}
    if kinds == {"wrong"} and _raises_itself(marked, span, example, outcome):
        return []
    said = _sites(marked, span, outcome)
    if outcome.eager_error is not None:
        said.append(f"eager raises: {outcome.eager_error}")
    if ("error" in kinds) != (outcome.error is not None):
        said.append(f"error: {outcome.error}")
    if "error" not in kinds and ("wrong" in kinds) == all(outcome.same):
        said.append(f"same result as eager: {outcome.same}")
    if "recompile" in kinds:
        said += _recompilations(marked, outcome)
    elif not kinds and outcome.recompiled_calls >= 2:
        said.append(f"recompiles: {[recompile.guards for recompile in outcome.recompiles]}")
    if "hazard" in kinds and outcome.graphs:
        said.append("something was compiled, so torch.compile had an effect")
    if not kinds and not outcome.graphs:
        said.append("nothing was compiled")
    return said


def _raises_itself(marked: list[tuple[Span, Rule]], span: dict[int, Span], example: Example, outcome: Outcome) -> bool:
    """Whether what is marked raises when it runs, also in eager, or in a backend behind TorchDynamo.

    An error of a backend has no line of the example, or that of the function.
    """
    if outcome.breaks or not outcome.graphs:
        return False
    if outcome.eager_error is not None:
        line = outcome.eager_error.line
        return any(where == span.get(line, (line, line)) for where, _ in marked)
    return outcome.error is not None and example.backend in ("aot_eager", "inductor")


def _rule(rulebook: Rulebook, code: str) -> Rule:
    rule = rulebook.get(code)
    assert rule is not None, f"{code} is no rule"
    return rule


def _sites(marked: list[tuple[Span, Rule]], span: dict[int, Span], outcome: Outcome) -> list[str]:
    """Statements that break or raise, against those marked so; and the ids against those of the rule."""
    said = []
    expected = {where for where, rule in marked if rule.kind in ("break", "error")}
    seen = {span.get(each.line, (each.line, each.line)) for each in outcome.breaks if each.line}
    if outcome.error is not None and outcome.error.line:
        seen.add(span.get(outcome.error.line, (0, 0)))
    if missing := expected - seen:
        said.append(f"nothing happens at {sorted(missing)}")
    if more := seen - expected:
        said.append(f"not marked: {sorted(more)}: {outcome.breaks} {outcome.error}")
    for each in outcome.breaks:
        rules = [rule for where, rule in marked if where == span.get(each.line)]
        if rules and not any(set(each.ids) & set(rule.graph_break_ids) for rule in rules):
            said.append(f"line {each.line}: {each.ids[0]} is not an id of {rules[0].code}")
    return said


def _recompilations(marked: list[tuple[Span, Rule]], outcome: Outcome) -> list[str]:
    """It compiles again on two later calls or more, because of guards that were made at a marked line."""
    if outcome.recompiled_calls < 2:
        return [f"compiled again on {outcome.recompiled_calls} later calls only"]
    expected = [where for where, rule in marked if rule.kind == "recompile"]
    said = []
    for each in outcome.recompiles:
        lines = [int(line) for line in re.findall(r"example\.py:(\d+) in", each.guards)]
        resumed = each.function.startswith("torch_dynamo_resume_in")  # guarded where the value is used, read before
        if lines and not resumed and not any(first <= line <= last for line in lines for first, last in expected):
            said.append(f"guarded at {lines}")
    return said
