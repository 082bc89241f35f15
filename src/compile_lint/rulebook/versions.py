"""Torch versions as people write them in rule and fact files: `2.13`, `2.14.1`, or empty for "no bound"."""

from __future__ import annotations

import re
from functools import lru_cache

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


def is_version(text: str) -> bool:
    """Whether `text` is a bound that a rule may carry (empty means unbounded)."""
    return not text or _VERSION.fullmatch(text) is not None


@lru_cache(maxsize=256)
def parse(text: str) -> tuple[int, ...]:
    """The numbers at the start of a version; local parts such as `+cpu` are left out. ValueError if there are none."""
    found = _VERSION.match(text)
    if found is None:
        raise ValueError(f"{text!r} is no torch version (write it as 2.13 or 2.14.1)")
    return tuple(int(part) for part in found.groups() if part is not None)


def holds(torch: str, since: str, until: str) -> bool:
    """Whether what is true from `since` to `until` is true of `torch`; both inclusive, and 2.13 takes in 2.13.1."""
    if not since and not until:
        return True
    have = parse(torch)
    if since:
        low = parse(since)
        if have[: len(low)] < low:
            return False
    if until:
        high = parse(until)
        if have[: len(high)] > high:
            return False
    return True
