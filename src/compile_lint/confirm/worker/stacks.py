"""From what faulthandler writes of a process that crashed or hung to a traceback as Python prints it."""

from __future__ import annotations

import linecache
import re

from compile_lint.confirm.exceptions import is_machinery

_FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$')
_HEAD = re.compile(r"^(Current thread|Thread) ")


def traceback_of(dump: str) -> str:
    """The user's frames of the thread that matters: the one that crashed, or the one that ran the target.

    Outermost first, with the source lines; empty if there are none.
    """
    threads: list[tuple[bool, list[tuple[str, int, str]]]] = []
    for line in dump.splitlines():
        if head := _HEAD.match(line):
            threads.append((head[1] == "Current thread", []))
        elif threads and (frame := _FRAME.match(line)):
            threads[-1][1].append((frame[1], int(frame[2]), frame[3]))
    current = [frames for is_current, frames in threads if is_current]
    running = [frames for _, frames in threads if any(is_machinery(path) for path, _, _ in frames)]
    # Of a stack deeper than it shows, faulthandler leaves out the outermost frames; the main thread comes last.
    last = [frames for _, frames in threads[-1:]]
    frames = next(iter([*current, *running, *last]), [])
    shown = [_shown(*frame) for frame in reversed(frames) if not is_machinery(frame[0]) and frame[0] != "<string>"]
    return "Traceback (most recent call last):\n" + "".join(shown) if shown else ""


def _shown(path: str, line: int, function: str) -> str:
    source = linecache.getline(path, line).strip()
    return f'  File "{path}", line {line}, in {function}\n' + (f"    {source}\n" if source else "")
