"""What every measurement in a worker needs: the target, the plan, and the answer that grows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec

from compile_lint.bench.measure.clock import Clock
from compile_lint.bench.plan import Answer, Plan
from compile_lint.confirm.load.errors import leave_if_forked
from compile_lint.confirm.observe.subject import Subject
from compile_lint.confirm.target import Target


class Context:
    """One worker's job."""

    def __init__(self, target: Target, subject: Subject, plan: Plan, phase: Callable[[str], None]) -> None:
        self.target = target
        self.subject = subject
        self.plan = plan
        self.phase = phase
        self.answer = Answer()
        self.clock = Clock(subject.device.startswith("cuda"))

    def say(self, **more: Any) -> None:
        """Put something into the answer, and leave it for the starter."""
        leave_if_forked()
        self.answer = replace(self.answer, **more, measured=self.clock.spent)
        part = f"{self.plan.answer}.part"
        with open(part, "w", encoding="utf-8") as file:
            json.dump(msgspec.to_builtins(self.answer), file)
        os.replace(part, self.plan.answer)

    def note(self, words: str) -> None:
        """Say why something is missing."""
        self.say(notes=(*self.answer.notes, words))
