"""Globs on paths, as ruff reads them: `*` crosses slashes, `{a,b}` is a choice, one without a slash matches a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


class Globs:
    """Many globs as at most two patterns: those on a name and those on an absolute path."""

    def __init__(self, globs: Iterable[str]) -> None:
        parts = list(dict.fromkeys(globs))
        self._names = _union([part for part in parts if "/" not in part])
        self._paths = _union([part for part in parts if "/" in part])

    def match(self, name: str, path: str) -> bool:
        """Whether a file or folder matches; `path` is absolute, with slashes."""
        if self._names is not None and self._names.fullmatch(name):
            return True
        return self._paths is not None and self._paths.fullmatch(path) is not None

    def match_within(self, path: str) -> bool:
        """Whether the file at the absolute path matches, or a folder that it lies in."""
        while path and path != "/":
            parent, _, name = path.rpartition("/")
            if self.match(name, path):
                return True
            path = parent
        return False


def _union(globs: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{to_pattern(part)})" for part in globs), re.DOTALL) if globs else None


@lru_cache(maxsize=512)
def to_pattern(glob: str) -> str:
    """A glob as the text of a regular expression. Signs that make no sense stand for themselves."""
    out = []
    i, depth = 0, 0
    while i < len(glob):
        sign = glob[i]
        if glob.startswith("**/", i) and (i == 0 or glob[i - 1] == "/"):
            out.append("(?:.*/)?")
            i += 3
            continue
        if sign == "*":
            if not out or out[-1] != ".*":  # two in a row would only make matching slow
                out.append(".*")
        elif sign == "?":
            out.append("[^/]")
        elif sign == "[" and (end := glob.find("]", i + 2)) > 0:
            out.append(_class(glob[i + 1 : end]))
            i = end
        elif sign == "{" and "}" in glob[i:]:
            out.append("(?:")
            depth += 1
        elif sign == "}" and depth:
            out.append(")")
            depth -= 1
        elif sign == "," and depth:
            out.append("|")
        else:
            out.append(re.escape(sign))
        i += 1
    return "".join(out) + ")" * depth


def _class(inside: str) -> str:
    negated = inside[0] in "!^" and len(inside) > 1
    body = inside[1:] if negated else inside
    ranges = re.sub(r"([\\\[\]^&~|])", r"\\\1", body)
    pattern = f"[{'^' if negated else ''}{ranges}]"
    try:
        re.compile(pattern)
    except re.error:  # a range that runs backwards
        return re.escape(f"[{inside}]")
    return pattern
