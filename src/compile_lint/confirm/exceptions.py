"""Exceptions of the user's code as texts, and which frames are the user's. No torch in here."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
"""The folder of this package, whose frames are never the user's."""
_MOST = 500
"""Characters of a message; more is cut."""
_MOST_TRACEBACK = 20_000
_ALLOCATORS = ("DefaultCPUAllocator", "CUDA out of memory", "HIP out of memory")
"""What torch says, as a plain RuntimeError, where memory runs out."""


def is_own(path: str) -> bool:
    """Whether the file is one of this tool's."""
    return path.startswith(_OWN)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out, of the machine or of the GPU."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return isinstance(error, RuntimeError) and any(mark in _text(error) for mark in _ALLOCATORS)


def one_line(error: BaseException) -> str:
    """The kind of the exception and the first line of its text."""
    first = _text(error).strip().partition("\n")[0]
    line = f"{type(error).__name__}: {first}" if first else type(error).__name__
    return line if len(line) <= _MOST else line[: _MOST - 3] + "..."


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "<its text cannot be made>"


def _never(_: object) -> bool:
    return False


def user_traceback(error: BaseException, hidden: Callable[[traceback.FrameSummary], bool] = _never) -> str:
    """The traceback as Python prints it, without frames of this tool, of the import machinery and `hidden` ones."""
    try:
        whole = traceback.TracebackException.from_exception(error)
        for part in _chain(whole):
            part.stack = traceback.StackSummary.from_list(
                [f for f in part.stack if not is_machinery(f.filename) and not hidden(f)]
            )
        text = "".join(whole.format())
    except Exception:  # classes of the user's exceptions may break the printing of them
        return one_line(error)
    if len(text) <= _MOST_TRACEBACK:
        return text
    half = _MOST_TRACEBACK // 2
    return f"{text[:half]}\n  [{len(text) - 2 * half} characters left out]\n{text[-half:]}"


def is_machinery(path: str) -> bool:
    """Whether a frame of that file is this tool's, or the machinery's that imports a module."""
    return is_own(path) or path.startswith(("<frozen importlib", "<frozen runpy"))


def _chain(error: traceback.TracebackException) -> Iterator[traceback.TracebackException]:
    todo: list[traceback.TracebackException | None] = [error]
    while todo:
        part = todo.pop()
        if part is not None:
            yield part
            todo += [part.__cause__, part.__context__, *(getattr(part, "exceptions", None) or ())]
