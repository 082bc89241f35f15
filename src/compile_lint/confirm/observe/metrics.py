"""TorchDynamo's own figures of each compilation: guards and seconds."""

from __future__ import annotations

from typing import Any

import torch._dynamo.utils


class Metrics:
    """The compilations since this was made."""

    def __init__(self) -> None:
        self._before = [id(each) for each in _all()]
        self._held = _all()

    def _new(self) -> list[Any]:
        known = set(self._before)
        return [each for each in _all() if id(each) not in known]

    def guards(self) -> int:
        """Guards of all compiled code."""
        return sum(getattr(each, "guard_count", None) or 0 for each in self._new())

    def tracing(self) -> float:
        """Seconds that TorchDynamo took, without those of the backend."""
        return sum(
            (getattr(each, "entire_frame_compile_time_s", None) or 0.0)
            - (getattr(each, "backend_compile_time_s", None) or 0.0)
            for each in self._new()
        )


def _all() -> list[Any]:
    read = getattr(torch._dynamo.utils, "get_compilation_metrics", None)
    return list(read()) if read is not None else []
