"""The texts that people read in `decide` and `report`, one file a language. A key is the path to it: `verdict.go`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LANGUAGES = ("en", "zh")


class Catalogue:
    """The texts of one language."""

    def __init__(self, language: str = "en") -> None:
        """Raises ValueError for a language that is none of LANGUAGES."""
        if language not in LANGUAGES:
            raise ValueError(f"no texts in {language!r}")
        self.language = language
        self._texts = texts(language)

    def text(self, key: str, /, **values: object) -> str:
        """The text of a key with `{name}` filled in, once: braces in the values stay as they are.

        Raises:
            KeyError: there is no such key, or a value that the text names was not given.
        """
        return self._texts[key].format_map(values)

    def count(self, key: str, number: int, /, **values: object) -> str:
        """The text for a number of things, which it names `{number}`: that of `key.one` for 1, else of `key.many`.

        Raises:
            KeyError: as `text`.
        """
        return self.text(f"{key}.{'one' if number == 1 else 'many'}", number=f"{number:,}", **values)

    def __contains__(self, key: object) -> bool:
        return key in self._texts


@lru_cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of a language by key."""
    path = Path(__file__).with_name("texts") / f"{language}.toml"
    return MappingProxyType(dict(_flat(tomllib.loads(path.read_text(encoding="utf-8")))))


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield f"{above}{name}", value.strip("\n")
        else:
            yield from _flat(value, f"{above}{name}.")
