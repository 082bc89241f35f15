"""Rules: the files under rules/, read into plain values, and the look-up from an event to its rule."""

from __future__ import annotations

from compile_lint.rulebook.events import EVENTS
from compile_lint.rulebook.load import RuleError, load, read
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.rulebook.model import Example, Match, Rule

__all__ = ["EVENTS", "Example", "Match", "Rule", "RuleError", "Rulebook", "load", "read"]
