"""Runs a target under TorchDynamo, in this process, and says what it did: all contact with torch's compiler."""

from compile_lint.confirm.observe.observer import observe
from compile_lint.confirm.observe.subject import Around, Call, Prepared, Subject

__all__ = ["Around", "Call", "Prepared", "Subject", "observe"]
