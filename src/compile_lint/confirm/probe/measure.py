"""Measures one target: what it returns, and what happens when it is compiled."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import time
from collections.abc import Iterator
from typing import Any

from compile_lint.confirm.probe import eager
from compile_lint.confirm.probe.arguments import proposals
from compile_lint.confirm.probe.danger import dangerous
from compile_lint.confirm.probe.dynamo import Observed, Recorder, observe
from compile_lint.confirm.probe.kinds import kind, reads_well
from compile_lint.confirm.probe.overrides import CALLS, FORMS, RECEIVER_CALLS
from compile_lint.confirm.probe.snippet import Snippet
from compile_lint.confirm.probe.target import Target
from compile_lint.confirm.probe.values import number_as_tensor
from compile_lint.confirm.probe.variants import Variant, numbers, variants

COMPILE_SECONDS = 20
GIVEN_SECONDS = 12
GUESS_SECONDS = 2
"""Limits for the first call that is tried, which may be the one meant to work, and for the others."""
SLOW_CALLS = 2
"""A target of which so many calls ran into the time limit is given up."""


@dataclasses.dataclass(slots=True)
class Row:
    """A line of a table. `call` is what was measured (it is kept for the curious, the tables do not hold it)."""

    table: str
    name: str
    returns: str = "?"
    outcome: str = "unknown"
    ids: tuple[str, ...] = ()
    loop: str = "unknown"
    reads: tuple[str, ...] = ()
    call: str = ""
    error: str = ""
    seconds: float = 0.0


@dataclasses.dataclass(slots=True)
class ConditionRow:
    """What differs when an argument is given, left out or another: `when` is `position:name=state`."""

    name: str
    when: str
    returns: str
    outcome: str
    ids: tuple[str, ...]
    call: str = ""


class UnprobedError(Exception):
    """No call of the target worked eagerly."""


class Prober:
    """Measures targets; keeps what instances of a class are made with."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._receivers: dict[str, Snippet] = {}

    def measure(self, target: Target, owner: Target | None = None) -> Iterator[Row | ConditionRow]:
        """The rows of one target, the main row first. Raises UnprobedError."""
        started = time.monotonic()
        snippet, value = self._working(target, owner)
        row = self._row(target, snippet, value)
        row.seconds = time.monotonic() - started
        yield row
        if hasattr(type(value), "__enter__") and hasattr(type(value), "__exit__") and target.form == "call":
            yield from self._entered(target, snippet)
        if target.family == "torch":
            yield from self._conditions(target, snippet, row)

    def _row(self, target: Target, snippet: Snippet, value: Any) -> Row:
        row = Row(target.table, target.name, kind(value), call=snippet.call)
        if row.returns in ("int", "tuple[int,int]", "tuple[int,...]"):
            row.returns = self._shape_derived(target, snippet, row.returns, value)
        observed = self._observe(target, snippet, row.returns)
        if observed.outcome == "error":
            self._works_again(target, snippet)
        row.outcome, row.ids, row.error = observed.outcome, observed.ids, observed.error
        row.loop = self._loop(target, snippet, row.returns)
        if row.outcome == "ok":
            row.reads = tuple(self._reads(target, snippet))
        return row

    def _working(self, target: Target, owner: Target | None) -> tuple[Snippet, Any]:
        """The first call that works eagerly, and its value."""
        base = self._receiver(owner) if owner is not None else Snippet("")
        given = CALLS.get(target.name, ())
        guessed = () if dangerous(target.name) else proposals(target)
        reasons: list[str] = []
        for text in itertools.chain(given, guessed):
            proposed = text if isinstance(text, Snippet) else Snippet(text)
            snippet = Snippet(
                proposed.call, (*base.outside, *target.outside, *proposed.outside), (*base.inside, *proposed.inside)
            )
            try:
                return snippet, eager.run(snippet, target.imports, seconds=GUESS_SECONDS if reasons else GIVEN_SECONDS)
            except eager.SnippetError as error:
                reasons.append(str(error)[:150])
                if sum(reason.startswith("TooSlowError") for reason in reasons) == SLOW_CALLS:
                    raise UnprobedError("waits") from error
            except SyntaxError as error:
                reasons.append(f"{error}: {proposed.call}")
        raise UnprobedError(reasons[0] if reasons else "nothing to try")

    def _receiver(self, owner: Target) -> Snippet:
        """Lines that make the instance `o`: inside the compiled function where that does no harm, else outside."""
        if owner.name not in self._receivers:
            self._receivers[owner.name] = self._make_receiver(owner)
        return self._receivers[owner.name]

    def _make_receiver(self, owner: Target) -> Snippet:
        if owner.name in RECEIVER_CALLS:
            made = RECEIVER_CALLS[owner.name]
            return Snippet("", (*owner.outside, *made.outside), made.inside)
        snippet, _ = self._working(owner, None)
        line = f"o = {snippet.call}"
        outer = Snippet("", (*snippet.outside, line))
        if owner.table in ("nn", "optim"):
            return outer
        inner = Snippet("", snippet.outside, (line,))
        if self._observe(owner, inner.with_call("o"), "object").outcome == "ok":
            return inner
        return outer

    def _observe(self, target: Target, snippet: Snippet, returns: str, loop: int = 0) -> Observed:
        """What happens when compiled. Numbers such as `id(y)` are not returned where only returning them breaks."""
        returned = reads_well(returns)
        first = self._once(target, snippet, returned, loop)
        if first.outcome == "ok" or not returned or "tensor" in returns:
            return first
        second = self._once(target, snippet, False, loop)
        return second if second.outcome == "ok" else first

    def _once(self, target: Target, snippet: Snippet, returned: bool, loop: int) -> Observed:
        fn = eager.build(snippet, target.imports, returned, loop)
        with eager.time_limit(COMPILE_SECONDS):
            return observe(fn, self._recorder)

    def _works_again(self, target: Target, snippet: Snippet) -> None:
        """An error counts only where the call may be made more than once."""
        try:
            eager.run(snippet, target.imports)
        except eager.SnippetError as error:
            raise UnprobedError(f"works only once: {error}") from error

    def _loop(self, target: Target, snippet: Snippet, returns: str) -> str:
        """The outcome in a loop of two rounds, or of one where the call works only once."""
        for rounds in (2, 1):
            try:
                eager.run(snippet, target.imports, loop=rounds)
            except eager.SnippetError:
                continue
            return self._observe(target, snippet, returns, rounds).outcome
        return "unknown"

    def _shape_derived(self, target: Target, snippet: Snippet, returns: str, value: Any) -> str:
        """`symint` for an int that follows the sizes of the argument and not its values."""
        try:
            again = {eager.run(snippet, target.imports, seed=seed) for seed in (1, 2, 3)}
            larger = eager.run(snippet, target.imports, rows=6)
        except eager.SnippetError:
            return returns
        if again != {value} or larger == value:
            return returns
        return returns.replace("int", "symint")

    def _entered(self, target: Target, snippet: Snippet) -> Iterator[Row]:
        """What happens when the value is used in a `with`."""
        if _assigned(snippet.call):
            return
        entered = snippet.with_call(f"with {snippet.call}:\n    r = y * 2")
        try:
            eager.run(entered, target.imports)
        except eager.SnippetError:
            return
        observed = self._observe(target, entered, "tensor")
        loop = self._loop(target, entered, "tensor")
        yield Row(target.table, f"{target.name}.__enter__", "?", observed.outcome, observed.ids, loop, (), entered.call)

    def _reads(self, target: Target, snippet: Snippet, only: str = "") -> Iterator[str]:
        """Arguments for which a 0-d tensor in place of the number breaks."""
        for number in numbers(snippet.call, target):
            if only and number.argument != only:
                continue
            changed = snippet.with_call(number.call, f"q = {number_as_tensor(number.value)}")
            if self._breaks(target, changed):
                yield number.argument

    def _breaks(self, target: Target, snippet: Snippet) -> bool:
        try:
            eager.run(snippet, target.imports)
        except eager.SnippetError:
            return False
        return self._once(target, snippet, False, 0).outcome != "ok"

    def _conditions(self, target: Target, snippet: Snippet, row: Row) -> Iterator[Row | ConditionRow]:
        for variant in variants(snippet.call, target):
            changed = snippet.with_call(variant.call)
            try:
                value = eager.run(changed, target.imports)
            except eager.SnippetError:
                continue
            yield from self._compared(target, changed, variant, value, row)
        for when, call in FORMS.get(target.name, ()):
            yield self._form(target, snippet.with_call(call), when)

    def _form(self, target: Target, snippet: Snippet, when: str) -> ConditionRow:
        """A condition written by hand; it is kept even where nothing differs, to stand in front of others."""
        returns = kind(eager.run(snippet, target.imports))
        observed = self._observe(target, snippet, returns)
        return ConditionRow(target.name, when, returns, observed.outcome, observed.ids, snippet.call)

    def _compared(
        self, target: Target, changed: Snippet, variant: Variant, value: Any, row: Row
    ) -> Iterator[Row | ConditionRow]:
        returns = kind(value)
        if returns == "int" and "symint" in row.returns:
            returns = row.returns
        observed = self._observe(target, changed, returns)
        if (returns, observed.outcome) != (row.returns, row.outcome):
            yield ConditionRow(row.name, variant.when, returns, observed.outcome, observed.ids, changed.call)
        if observed.outcome == "ok" and variant.number:
            added = variant.when.partition("=")[0]
            read = [n for n in self._reads(target, changed, added) if n not in row.reads]
            if read:
                yield dataclasses.replace(row, reads=(*row.reads, *read))
                row.reads = (*row.reads, *read)


def _assigned(call: str) -> bool:
    tree = ast.parse(call)
    return len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr)
