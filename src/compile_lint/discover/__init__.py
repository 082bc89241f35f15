"""Files from paths, decoded: what is linted, in an order that depends on nothing but names."""

from __future__ import annotations

from compile_lint.discover.imports import Given, imported
from compile_lint.discover.read import decode, mentions_torch, module_root, read
from compile_lint.discover.sources import Sources
from compile_lint.discover.walk import File, Found, excluded, find, shown

__all__ = [
    "File",
    "Found",
    "Given",
    "Sources",
    "decode",
    "excluded",
    "find",
    "imported",
    "mentions_torch",
    "module_root",
    "read",
    "shown",
]
