"""Joining what was observed with what was predicted: verdicts, the measured score, what to fix first."""

from __future__ import annotations

from compile_lint.confirm.join.join import join, join_all
from compile_lint.confirm.join.model import Confirmation, ConfirmRun
from compile_lint.confirm.join.predict import Linter

__all__ = ["ConfirmRun", "Confirmation", "Linter", "join", "join_all"]
