"""Measures many targets in forked children, each with a time limit, each free to hang or die."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import os
import random
import re
import resource
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from compile_lint.confirm.probe.dynamo import Recorder, observe
from compile_lint.confirm.probe.eager import TooSlowError, build
from compile_lint.confirm.probe.measure import ConditionRow, Prober, Row, UnprobedError
from compile_lint.confirm.probe.snippet import Snippet
from compile_lint.confirm.probe.target import Target

CHILD_TARGETS = 60
"""A child ends after so many targets, so that what they leave behind stays small."""
HARD_SECONDS = 60
"""A child that says nothing for so long is killed."""
SELECT_SECONDS = 1.0
"""Where waiting for children takes much longer, this process was paused, and the children with it."""
MEMORY = 6 << 30
"""Bytes of data a child may allocate."""
STATEFUL = re.compile(
    r"(^|[._])(set|enable|disable|seed|init|register|reset|clear|use|start|stop|install|patch|load|chdir|umask|push|pop|config)(_|)",
    re.IGNORECASE,
)
"""Names that suggest lasting changes; the child ends after them."""


@dataclass(slots=True)
class Result:
    """What a run measured: rows, rows of conditions, and a reason for each target that has none."""

    rows: list[Row] = field(default_factory=list)
    conditions: list[ConditionRow] = field(default_factory=list)
    unprobed: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Child:
    pid: int
    pipe: int
    heard: float
    current: int = -1
    buffer: bytes = b""


def warm_up() -> Recorder:
    """Do once, before forking, what every child would do. No backward: autograd's threads do not survive a fork."""
    torch.set_num_threads(1)
    recorder = Recorder()
    warnings.simplefilter("ignore")
    for call in ("torch.sin(y)", "time.time()"):
        observe(build(Snippet(call)), recorder)
    return recorder


def measure_all(targets: list[Target], jobs: int, say: Callable[[int], None] = lambda _: None) -> Result:
    """Measure the targets with so many children at a time. `say` hears how many are done."""
    recorder = warm_up()
    owners = {target.name: target for target in targets}
    waiting = list(range(len(targets)))[::-1]
    children: list[_Child] = []
    result = Result()
    while waiting or children:
        while waiting and len(children) < jobs:
            batch = [waiting.pop() for _ in range(min(CHILD_TARGETS, len(waiting)))]
            children.append(_fork(batch, targets, owners, recorder))
        for child in _ready(children):
            left = _listen(child, targets, result)
            if left is not None:
                children.remove(child)
                waiting += left[::-1]
        say(len(targets) - len(waiting))
    return result


def _ready(children: list[_Child]) -> Iterator[_Child]:
    started = time.monotonic()
    readable, _, _ = select.select([child.pipe for child in children], [], [], SELECT_SECONDS)
    now = time.monotonic()
    paused = now - started > 2 * SELECT_SECONDS
    for child in list(children):
        if child.pipe in readable or paused:
            child.heard = now
        if child.pipe in readable:
            yield child
        elif now - child.heard > HARD_SECONDS:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
            child.heard = now


def _listen(child: _Child, targets: list[Target], result: Result) -> list[int] | None:
    """Take what the child wrote. None while it lives, else the targets of its batch that remain."""
    data = os.read(child.pipe, 1 << 16)
    child.buffer += data
    *lines, child.buffer = child.buffer.split(b"\n")
    for line in lines:
        _take(json.loads(line), child, targets, result)
    if data:
        return None
    os.close(child.pipe)
    os.waitpid(child.pid, 0)
    batch = _BATCHES.pop(child.pid)
    if child.current >= 0:
        name = targets[child.current].name
        result.unprobed.setdefault(name, "the process died or hung")
    done = _DONE.pop(child.pid, set())
    if not done and child.current < 0:
        raise RuntimeError("a child ended before its first target")
    return [at for at in batch if at not in done and at != child.current]


_BATCHES: dict[int, list[int]] = {}
_DONE: dict[int, set[int]] = {}


def _take(message: dict[str, Any], child: _Child, targets: list[Target], result: Result) -> None:
    if "start" in message:
        child.current = message["start"]
    elif "done" in message:
        _DONE.setdefault(child.pid, set()).add(message["done"])
        child.current = -1
    elif "unprobed" in message:
        result.unprobed[targets[child.current].name] = message["unprobed"]
    elif "when" in message:
        result.conditions.append(ConditionRow(**{**message, "ids": tuple(message["ids"])}))
    else:
        result.rows.append(Row(**{**message, "ids": tuple(message["ids"]), "reads": tuple(message["reads"])}))


def _fork(batch: list[int], targets: list[Target], owners: dict[str, Target], recorder: Recorder) -> _Child:
    read, write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            _work(batch, targets, owners, recorder, write)
        finally:
            os._exit(0)
    os.close(write)
    _BATCHES[pid] = batch
    return _Child(pid, read, time.monotonic())


def _work(batch: list[int], targets: list[Target], owners: dict[str, Target], recorder: Recorder, pipe: int) -> None:
    _settle()
    prober = Prober(recorder)
    for at in batch:
        before = _fingerprint()
        _send(pipe, {"start": at})
        clean = _measured(prober, targets[at], owners.get(targets[at].owner), pipe)
        _send(pipe, {"done": at})
        if not clean or STATEFUL.search(targets[at].name) or _fingerprint() != before:
            return


def _settle() -> None:
    """A folder of its own, silence, no input, a limit on memory."""
    os.chdir(tempfile.mkdtemp(dir=os.environ.get("PROBE_FOLDER")))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _measured(prober: Prober, target: Target, owner: Target | None, pipe: int) -> bool:
    """Whether the child may go on after this target."""
    try:
        for row in prober.measure(target, owner):
            _send(pipe, dataclasses.asdict(row))
    except UnprobedError as error:
        _send(pipe, {"unprobed": str(error)})
    except TooSlowError:
        _send(pipe, {"unprobed": "too slow"})
        return False
    except BaseException as error:
        _send(pipe, {"unprobed": f"{type(error).__name__}: {str(error)[:150]}"})
        return False
    return True


def _send(pipe: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(pipe, data) :]


def _fingerprint() -> tuple[object, ...]:
    """State of the process that a callable may change and that changes what others do."""
    return (
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.are_deterministic_algorithms_enabled(),
        torch.is_autocast_enabled("cpu"),
        torch.get_num_threads(),
        torch.is_anomaly_enabled(),
        len(torch.overrides._get_current_function_mode_stack()),
        os.getcwd(),
        sys.getrecursionlimit(),
        logging.root.manager.disable,
        len(os.environ),
        sys.gettrace(),
        sys.getprofile(),
        getattr(random, "_inst", None) is None,
        len(warnings.filters) // 50,
    )
