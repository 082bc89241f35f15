"""What keeps a target from being observed. No torch in here."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from compile_lint.confirm.exceptions import is_out_of_memory, one_line, user_traceback
from compile_lint.confirm.observation import Status

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
