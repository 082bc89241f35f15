"""One name to be measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Target:
    """A callable or attribute, with what is needed to call it.

    `head` is the source text in front of the parentheses. `form` is `call`, or `attribute` or `expression` where the
    head is all there is. `owner` names the class whose instance `o` the head refers to. `family` chooses the arguments:
    torch, tensor (tensors for a Python callable), python, array or numbers.
    """

    table: str
    name: str
    head: str
    family: str
    value: Any = None
    form: str = "call"
    owner: str = ""
    method: bool = False
    imports: str = ""
    outside: tuple[str, ...] = ()
