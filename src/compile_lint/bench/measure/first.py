"""The first compiled calls of a process, up to where a call takes what it takes from then on."""

from __future__ import annotations

import errno
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from compile_lint.bench.measure import phases
from compile_lint.bench.measure.calls import INDUCTOR, Calls
from compile_lint.bench.measure.context import Context
from compile_lint.confirm.exceptions import is_out_of_memory, one_line

_LONG_SECONDS = 10.0
"""Further calls are made no longer than this ..."""
_FEW = 4
"""... once there are so many."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FULL_WORDS = re.compile(r"No space left on device|Disk quota exceeded|File too large|File size limit exceeded")


def first_calls(
    context: Context,
    calls: Calls,
    function: Callable[..., Any],
    *,
    load_ms: float = 0.0,
    on_result: Callable[[Context, Any], None] | None = None,
) -> None:
    """Make them and put them into the answer, or what they raised.

    `load_ms` was spent before on loading a cache for the first, and counts for it. `on_result` is given its result
    before the next call, which may write over it.
    """
    call = calls.bound(function, calls.call)
    times: list[float] = []
    calls.seeded()
    before = phases.times()
    begun = time.monotonic()
    try:
        with calls.modes():
            result, took = context.clock.wall(call)
            times.append(took + load_ms)
            inductor = (context.target.backend or INDUCTOR) == INDUCTOR
            context.say(calls=tuple(times), phases=phases.since(before, inductor))
            if on_result is not None:
                on_result(context, result)
            del result
            for number in range(1, context.plan.first_calls):
                if number >= _FEW and time.monotonic() - begun > _LONG_SECONDS + times[0] / 1e3:
                    break
                times.append(context.clock.wall(call)[1])
    except Exception as error:
        failed(context, error)
    else:
        context.say(calls=tuple(times))


def failed(context: Context, error: Exception) -> None:
    """A compiled call raised: say so in one line."""
    full = disk_full(error)
    words = one_line(error)
    if is_out_of_memory(error):
        words = f"out of memory: {words}"
    context.say(error=words, disk_full=full)


def disk_full(error: BaseException) -> bool:
    """Whether a file could not be written for want of room, by this process or by the C++ compiler."""
    return any(
        (isinstance(each, OSError) and each.errno in _FULL) or _FULL_WORDS.search(str(each)) for each in _chain(error)
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        each = todo.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            yield each
            todo += [each.__cause__, each.__context__, getattr(each, "inner_exception", None)]
