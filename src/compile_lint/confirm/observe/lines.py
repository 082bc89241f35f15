"""Records which lines run. No torch in here."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Protocol


class Recorder(Protocol):
    """Between `start` and `stop` every line that runs in a wanted file is recorded, once."""

    lines: dict[str, set[int]]

    def start(self) -> None:
        """Begin to record."""

    def stop(self) -> None:
        """Record no more, and put back what recorded before."""


def recorder(wanted: Callable[[str], bool]) -> Recorder:
    """The cheapest recorder that this Python has; `wanted` is asked once a file."""
    if sys.version_info >= (3, 12) and (tool := _free_tool()) is not None:
        return _Monitor(wanted, tool)
    return _Tracer(wanted)


def _free_tool() -> int | None:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    return next((tool for tool in (4, 3, 1, 0, 2, 5) if monitoring.get_tool(tool) is None), None)


class _Monitor:
    """By sys.monitoring: each line calls back once and is then switched off."""

    def __init__(self, wanted: Callable[[str], bool], tool: int) -> None:
        self.lines: dict[str, set[int]] = {}
        self._wanted = wanted
        self._files: dict[str, set[int] | None] = {}
        self._tool = tool
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]

    def start(self) -> None:
        self._monitoring.use_tool_id(self._tool, "compile-lint")
        self._monitoring.register_callback(self._tool, self._monitoring.events.LINE, self._line)
        self._monitoring.set_events(self._tool, self._monitoring.events.LINE)
        self._monitoring.restart_events()

    def stop(self) -> None:
        self._monitoring.set_events(self._tool, 0)
        self._monitoring.register_callback(self._tool, self._monitoring.events.LINE, None)
        self._monitoring.free_tool_id(self._tool)

    def _line(self, code: CodeType, line: int) -> Any:
        path = code.co_filename
        try:
            lines = self._files[path]
        except KeyError:
            lines = self._files[path] = self.lines.setdefault(path, set()) if self._wanted(path) else None
        if lines is not None:
            lines.add(line)
        return self._monitoring.DISABLE


class _Tracer:
    """By sys.settrace, in this thread and those that start meanwhile."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self.lines: dict[str, set[int]] = {}
        self._wanted = wanted
        self._files: dict[str, Callable[..., Any] | None] = {}
        self._before: tuple[Any, Any] = (None, None)

    def start(self) -> None:
        self._before = (sys.gettrace(), threading.gettrace() if hasattr(threading, "gettrace") else None)
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> None:
        sys.settrace(self._before[0])
        threading.settrace(self._before[1])

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        path = frame.f_code.co_filename
        try:
            local = self._files[path]
        except KeyError:
            local = self._files[path] = self._local(path) if self._wanted(path) else None
        return local

    def _local(self, path: str) -> Callable[..., Any]:
        add = self.lines.setdefault(path, set()).add

        def line(frame: FrameType, event: str, _argument: object) -> Any:
            if event == "line":
                add(frame.f_lineno)
            return line

        return line
