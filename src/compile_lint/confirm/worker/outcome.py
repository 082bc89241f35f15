"""What became of a worker that left no last observation: the words for it, with what was seen until then."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

from compile_lint.confirm.observation import Observation, OperatorSeen, Status
from compile_lint.confirm.target import Target
from compile_lint.confirm.worker import mail
from compile_lint.confirm.worker.stacks import traceback_of

_WORDS = {
    "": "before it was loaded",
    "load": "while it was loaded",
    "eager": "in the eager calls",
    "explain": "under explain",
    "compile": "in the first compiled call",
    "later_calls": "in the later calls",
}
_LINES = 20
"""Of what a dead process printed last, so many are shown."""


def crashed(target: Target, folder: str, code: int, printed: str) -> Observation:
    """The process ended by itself, with that exit code (minus the signal's number, as subprocess says it)."""
    if code < 0:
        words = f"killed by {signal_words(-code)} {_when(folder)}"
        if -code == getattr(signal, "SIGKILL", 9):
            words += "; the system does so when memory runs out"
    else:
        words = f"the process ended with exit code {code} {_when(folder)}, without a result"
    return _ended(target, folder, "crashed", words, printed)


def timed_out(target: Target, folder: str, printed: str) -> Observation:
    """The worker was too slow and was killed."""
    words = f"no end after {target.timeout:g} s, {_when(folder)}; --timeout sets the limit"
    return _ended(target, folder, "timeout", words, printed)


def out_of_memory(target: Target, folder: str, used: int, printed: str) -> Observation:
    """The worker held more memory than it may, and was killed."""
    words = f"held {size(used)} of memory {_when(folder)}; --memory-limit is {size(target.memory_limit)}"
    return _ended(target, folder, "out-of-memory", words, printed)


def too_many(target: Target, folder: str, count: int, printed: str) -> Observation:
    """The worker started more processes than anything sensible does, and was killed."""
    return _ended(target, folder, "crashed", f"started {count} processes {_when(folder)} and was stopped", printed)


def not_started(target: Target, error: OSError) -> Observation:
    """There is no worker."""
    return Observation(target.name, "crashed", f"no process can be started: {error.strerror or error}")


def signal_words(number: int) -> str:
    """`signal 11 (SIGSEGV)`."""
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def size(number: int) -> str:
    """Bytes in the unit that fits."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if number >= factor:
            return f"{number / factor:.1f} {unit}"
    return f"{number} B"


def _when(folder: str) -> str:
    name = mail.read_phase(folder)
    operator = mail.read_operator(folder)
    if operator:
        return f"in the operator {operator}"
    return _WORDS.get(name, f"in phase {name}")


def _ended(target: Target, folder: str, status: Status, message: str, printed: str) -> Observation:
    found, _ = mail.read(folder)
    seen = found or Observation(target.name)
    parts = [traceback_of(_stacks(folder)), _last_lines(printed)]
    return replace(
        seen,
        status=status,
        message=message,
        traceback="\n".join(part for part in parts if part),
        operators=tuple(_ended_operator(each, folder, status, message) for each in seen.operators),
    )


def _ended_operator(seen: OperatorSeen, folder: str, status: Status, message: str) -> OperatorSeen:
    if seen.qualified != mail.read_operator(folder):
        return seen
    return replace(seen, status="timeout" if status == "timeout" else "crashed", message=message)


def _stacks(folder: str) -> str:
    try:
        with open(os.path.join(folder, mail.STACKS), encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _last_lines(printed: str) -> str:
    lines = printed.strip().splitlines()[-_LINES:]
    return "The process printed at its end:\n" + "".join(f"  {line[:500]}\n" for line in lines) if lines else ""
