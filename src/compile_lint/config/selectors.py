"""Rule selectors: a code (CL101), a prefix (CL, CL1, CL10), a name (tensor-branch) or ALL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint

ALL = "ALL"


class Selectors:
    """The rules that exist, by code and by name."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        """`rules` maps each code to the rule's name."""
        self.codes = tuple(sorted(rules))
        self._by_name = {name: code for code, name in rules.items()}

    def canonical(self, selector: str) -> str | None:
        """The selector as a code, a prefix or ALL; None if no rule answers to it."""
        text = selector.strip()
        if text.lower() in self._by_name:
            return self._by_name[text.lower()]
        upper = text.upper()
        if upper == ALL or (upper and any(code.startswith(upper) for code in self.codes)):
            return upper
        return None

    def check(self, selectors: Iterable[str], place: str) -> tuple[str, ...]:
        """All of them canonical. ConfigError, naming the place and the nearest, if one is unknown."""
        found = []
        for selector in selectors:
            canonical = self.canonical(selector)
            if canonical is None:
                raise ConfigError(f"{place}: unknown rule {selector!r}{self.nearest(selector)}")
            found.append(canonical)
        return tuple(found)

    def nearest(self, selector: str) -> str:
        """The end of a complaint about an unknown selector."""
        prefixes = {code[:3] for code in self.codes} if len(selector) <= 3 else ()
        return hint(selector, [*prefixes, *self.codes, *self._by_name, ALL])

    def expand(self, selectors: Sequence[str]) -> tuple[str, ...]:
        """The codes that canonical selectors stand for."""
        return tuple(code for code in self.codes if any(covers(selector, code) for selector in selectors))

    def enabled(self, select: Sequence[str], ignore: Sequence[str], base: Iterable[str]) -> frozenset[str]:
        """The codes that canonical selectors leave of `base`, or add to it.

        The more of a code a selector spells out the more it counts; `ignore` wins a tie.
        """
        chosen = set(base)
        for code in self.codes:
            plus = max((weight(s) for s in select if covers(s, code)), default=-1)
            minus = max((weight(s) for s in ignore if covers(s, code)), default=-1)
            if plus > minus:
                chosen.add(code)
            elif minus >= 0:
                chosen.discard(code)
        return frozenset(chosen)


def covers(selector: str, code: str) -> bool:
    """Whether a canonical selector stands for that code."""
    return selector == ALL or code.startswith(selector)


def weight(selector: str) -> int:
    """How much of a code a canonical selector spells out."""
    return 0 if selector == ALL else len(selector)
