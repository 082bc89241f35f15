"""What keeps a target from being observed, and the user's own traceback of it. No torch in here."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Iterator

from compile_lint.confirm.observation import Status

_OWN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
"""The folder of this package, whose frames are never the user's."""
_MOST = 500
"""Characters of a message; more is cut."""
_MOST_TRACEBACK = 20_000
_ALLOCATORS = ("DefaultCPUAllocator", "CUDA out of memory", "HIP out of memory")
"""What torch says, as a plain RuntimeError, where memory runs out."""

_owner: int | None = None


class LoadError(BaseException):
    """A target that cannot be observed: `message` is one line that names what to do, `traceback` the user's frames.

    No Exception, so that it comes through what takes every exception for one of the user's code.
    """

    def __init__(self, status: Status, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.status: Status = status
        self.message = message
        self.traceback = traceback


def user_error(message: str) -> LoadError:
    """A mistake in what the user asked for."""
    return LoadError("user-error", message)


@contextlib.contextmanager
def users_code(doing: str) -> Iterator[None]:
    """Runs code of the user. `doing` begins the message, such as `calling make()`.

    Raises:
        LoadError: for whatever the code raises, with its traceback; sys.exit and Ctrl-C of its own among it.
    """
    try:
        yield
    except LoadError:
        raise
    except BaseException as error:
        raise from_exception(error, doing) from error
    finally:
        leave_if_forked()


def from_exception(error: BaseException, doing: str) -> LoadError:
    """The same in one line, with the user's traceback."""
    if isinstance(error, SystemExit):
        return LoadError("user-error", f"{doing}: the code called sys.exit({error.code!r})", user_traceback(error))
    status: Status = "out-of-memory" if is_out_of_memory(error) else "user-error"
    return LoadError(status, f"{doing}: {one_line(error)}", user_traceback(error))


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


def user_traceback(error: BaseException) -> str:
    """The traceback as Python prints it, without frames of this tool and of the import machinery."""
    try:
        whole = traceback.TracebackException.from_exception(error)
        for part in _chain(whole):
            part.stack = traceback.StackSummary.from_list([f for f in part.stack if not is_machinery(f.filename)])
        text = "".join(whole.format())
    except Exception:  # classes of the user's exceptions may break the printing of them
        return one_line(error)
    if len(text) <= _MOST_TRACEBACK:
        return text
    half = _MOST_TRACEBACK // 2
    return f"{text[:half]}\n  [{len(text) - 2 * half} characters left out]\n{text[-half:]}"


def is_machinery(path: str) -> bool:
    """Whether a frame of that file is this tool's, or the machinery's that imports a module."""
    return path.startswith((_OWN, "<frozen importlib", "<frozen runpy"))


def _chain(error: traceback.TracebackException) -> Iterator[traceback.TracebackException]:
    todo: list[traceback.TracebackException | None] = [error]
    while todo:
        part = todo.pop()
        if part is not None:
            yield part
            todo += [part.__cause__, part.__context__, *(getattr(part, "exceptions", None) or ())]


def own_process() -> None:
    """Remember this process as the worker: a copy of it that the user's code forks must not go on as one."""
    global _owner
    _owner = os.getpid()


def leave_if_forked() -> None:
    """End a forked copy of the worker at once; in the worker, and where there is none, nothing happens."""
    if _owner is not None and os.getpid() != _owner:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(0)
