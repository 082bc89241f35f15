"""Starts one worker after another, each with a cache folder of its own, and reads what it answers."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from compile_lint.bench.plan import Answer, Plan, Work
from compile_lint.confirm.observation import Observation
from compile_lint.confirm.target import Target

_WORK = "compile_lint.bench.measure.work"
_VARIABLES = {"TORCHINDUCTOR_CACHE_DIR": "inductor", "TRITON_CACHE_DIR": "triton"}
_SETTINGS = {
    "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
    "TORCHINDUCTOR_AUTOGRAD_CACHE": "1",
    "TORCHINDUCTOR_FX_GRAPH_REMOTE_CACHE": "0",
    "TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE": "0",
    "TORCHINDUCTOR_AUTOTUNE_REMOTE_CACHE": "0",
    "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "0",
}
"""Caches on this machine are on, whatever the user's shell says, and those of others are off."""


@dataclass(frozen=True, slots=True)
class Told:
    """How a worker ended, and what it had measured by then."""

    seen: Observation
    answer: Answer
    seconds: float
    """From its start to its end."""

    @property
    def problem(self) -> str:
        """What kept it from its answer, in one line; empty where nothing did."""
        return "" if self.seen.status == "ok" else f"{self.seen.status}: {self.seen.message}"


class Workers:
    """Makes measurements of one target in processes of their own, one at a time."""

    def __init__(self, target: Target, folder: str) -> None:
        """`folder` is for answers and caches; it is there."""
        self.target = target
        self.folder = folder
        self.count = 0

    def cache(self, name: str) -> str:
        """A folder for compile caches, empty at first."""
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    def measure(self, work: Work, cache: str, **plan: Any) -> Told:
        """Carry out one plan. KeyboardInterrupt (`Interrupted`) if a signal ends it; no process is left then."""
        from compile_lint.confirm.worker import confirm_all
        from compile_lint.confirm.worker.mail import Errand

        self.count += 1
        made = Plan(work, os.path.join(self.folder, f"answer{self.count}.json"), **plan)
        environ = {name: os.path.join(cache, part) for name, part in _VARIABLES.items()}
        errand = Errand(_WORK, _plain(made), {**environ, **_SETTINGS})
        begun = time.monotonic()
        (seen,) = confirm_all([self.target], errand=errand)
        return Told(seen, _answer(made.answer), time.monotonic() - begun)

    def observe(self, target: Target, on_start: Callable[[Target], None] | None = None) -> Observation:
        """What `compile-lint confirm` observes of the target, which compiles nothing."""
        from compile_lint.confirm.worker import confirm_all

        (seen,) = confirm_all([replace(target, backend="", mode="")], on_start=on_start)
        return seen


def _plain(plan: Plan) -> dict[str, Any]:
    import msgspec

    return msgspec.to_builtins(plan)  # type: ignore[no-any-return]


def _answer(path: str) -> Answer:
    import msgspec

    with contextlib.suppress(OSError, ValueError, msgspec.ValidationError), open(path, encoding="utf-8") as file:
        return msgspec.convert(json.load(file), Answer)
    return Answer()
