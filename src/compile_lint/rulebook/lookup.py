"""Which rule answers to an event. Built once a run; a look-up is a few dictionary reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import translate
from functools import lru_cache
from re import Pattern
from re import compile as compile_pattern

from compile_lint.rulebook.model import Match, Rule

_GLOB = frozenset("*?[")


class _Calls:
    """Rules for one event that look at the dotted name called and at the graph-break ids of its fact."""

    __slots__ = ("exact", "general", "globs", "ids")

    def __init__(self) -> None:
        self.exact: dict[str, list[tuple[Match, Rule]]] = {}
        self.globs: list[tuple[int, str, str, Match, Rule]] = []
        """The length of its literal text, what it begins with, the glob itself."""
        self.ids: dict[str, Rule] = {}
        self.general: Rule | None = None

    def add(self, match: Match, rule: Rule) -> None:
        """Take in one match. Rules come in code order, so the first one stands."""
        for name in match.calls:
            if _GLOB.isdisjoint(name):
                self.exact.setdefault(name, []).append((match, rule))
            else:
                self.globs.append((_literal(name), _beginning(name), name, match, rule))
        if match.calls:
            return
        for graph_break in match.ids:
            self.ids.setdefault(graph_break, rule)
        if not match.ids and self.general is None:
            self.general = rule

    def close(self) -> None:
        """Put the glob with most literal text first (the sort is stable: code order among equals)."""
        self.globs.sort(key=lambda entry: -entry[0])

    def find(self, callee: str, ids: tuple[str, ...]) -> Rule | None:
        """Exact names before globs before ids before the rule for all the rest."""
        for match, rule in self.exact.get(callee, ()):
            if _ids_agree(match, ids):
                return rule
        if callee:
            for _, beginning, glob, match, rule in self.globs:
                if callee.startswith(beginning) and _ids_agree(match, ids) and _pattern(glob).match(callee):
                    return rule
        for graph_break in ids:
            if graph_break in self.ids:
                return self.ids[graph_break]
        return self.general


class Rulebook:
    """All the rules of a run, sorted by code."""

    __slots__ = ("_by_event", "_by_key", "_declared", "_seen", "codes", "rules")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(sorted(rules, key=lambda rule: rule.code))
        self.codes = tuple(rule.code for rule in self.rules)
        self._by_key = {key: rule for rule in self.rules for key in (rule.code, rule.name)}
        self._by_event: dict[str, _Calls] = {}
        self._declared = _Calls()
        self._seen: dict[tuple[str, str, tuple[str, ...]], Rule | None] = {}
        for rule in self.rules:
            for match in rule.matches:
                self._by_event.setdefault(match.event, _Calls()).add(match, rule)
                if match.declares:
                    self._declared.add(match, rule)
        for calls in (*self._by_event.values(), self._declared):
            calls.close()

    def get(self, code_or_name: str) -> Rule | None:
        """The rule of that code or name, in any case of letters for the code."""
        return self._by_key.get(code_or_name) or self._by_key.get(code_or_name.upper())

    def for_event(self, event: str, callee: str = "", ids: tuple[str, ...] = ()) -> Rule | None:
        """The rule that answers to the event, or None. `callee` is the dotted name called, `ids` those of its fact."""
        key = (event, callee, ids)
        if key not in self._seen:
            calls = self._by_event.get(event)
            self._seen[key] = calls.find(callee, ids) if calls is not None else None
        return self._seen[key]

    def declared(self, callee: str) -> Rule | None:
        """The rule that itself says that a call of this name breaks, whatever the fact tables know."""
        return self._declared.find(callee, ())

    def valid_for(self, torch: str) -> Rulebook:
        """The rules, matches and examples that hold for that torch version."""
        kept = []
        for rule in self.rules:
            if rule.valid_for(torch):
                kept.append(
                    replace(
                        rule,
                        matches=tuple(match for match in rule.matches if match.valid_for(torch)),
                        bad=tuple(example for example in rule.bad if example.valid_for(torch)),
                        good=tuple(example for example in rule.good if example.valid_for(torch)),
                    )
                )
        return Rulebook(kept)


def _ids_agree(match: Match, ids: tuple[str, ...]) -> bool:
    return not match.ids or not set(match.ids).isdisjoint(ids)


@lru_cache(maxsize=4096)
def _pattern(glob: str) -> Pattern[str]:
    """The pattern of a glob, made when a name first comes near it: most never do in a run."""
    return compile_pattern(translate(glob))


def _beginning(glob: str) -> str:
    """The text of a glob before its first wildcard."""
    return glob[: min((at for sign in _GLOB if (at := glob.find(sign)) >= 0), default=len(glob))]


def _literal(glob: str) -> int:
    """How much of a glob is literal text: the more, the more special it is."""
    return len(glob) - sum(glob.count(sign) for sign in _GLOB)
