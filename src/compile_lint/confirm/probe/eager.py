"""Runs snippets without compiling them."""

from __future__ import annotations

import contextlib
import linecache
import random
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import torch

from compile_lint.confirm.probe.dynamo import example
from compile_lint.confirm.probe.snippet import FILE, Snippet, source

EAGER_SECONDS = 4


class TooSlowError(BaseException):
    """A snippet ran past its time limit; not an Exception, so that no handler in between takes it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block after so many seconds, again and again every half second."""

    def stop(_signal: int, _frame: object) -> None:
        raise TooSlowError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def build(
    snippet: Snippet, imports: str = "", returned: bool = True, loop: int = 0, rows: int = 4
) -> Callable[[Any], Any]:
    """The function of a snippet, made anew."""
    text = f"{imports}\n{source(snippet, returned, loop, rows)}"
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    namespace: dict[str, Any] = {"__name__": "snippet_probe"}
    exec(compile(text, FILE, "exec"), namespace)
    made: Callable[[Any], Any] = namespace["make"]()
    return made


class SnippetError(Exception):
    """The snippet raised."""


def run(
    snippet: Snippet, imports: str = "", loop: int = 0, rows: int = 4, seed: int = 0, seconds: float = EAGER_SECONDS
) -> Any:
    """The value of the call, eagerly. Raises SnippetError with whatever the snippet raised, even SystemExit."""
    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    try:
        with time_limit(seconds):
            return build(snippet, imports, loop=loop, rows=rows)(example(rows, seed))[1]
    except BaseException as error:
        raise SnippetError(f"{type(error).__name__}: {error}") from error
