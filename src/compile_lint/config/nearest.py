"""Did you mean ...?"""

from __future__ import annotations

from collections.abc import Collection

_FEW = 12
"""So many valid words are listed whole when none is near."""
_NEAR = 0.5
"""Likeness, 0 to 1, from which a word is taken for a misspelling of another."""


def hint(word: str, known: Collection[str]) -> str:
    """The end of a complaint about an unknown word: the nearest valid one, or the valid ones if they are few."""
    from difflib import SequenceMatcher  # only a mistake pays for the import

    matcher = SequenceMatcher(b=word.lower())
    best, near = (_NEAR, 0), ""
    for valid in sorted(known):
        matcher.set_seq1(valid.lower())
        likeness = (round(matcher.ratio(), 3), _shared(valid.lower(), word.lower()))
        if likeness > best:
            best, near = likeness, valid
    if near:
        return f"; did you mean {near!r}?"
    if 0 < len(known) <= _FEW:
        return "; valid are " + ", ".join(repr(valid) for valid in known)
    return ""


def _shared(one: str, other: str) -> int:
    """How many characters two words begin alike with."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
