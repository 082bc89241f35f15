"""Compiles one function and says what TorchDynamo did with it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch._dynamo
import torch._dynamo.convert_frame
import torch._dynamo.guards
import torch._dynamo.types

from compile_lint.confirm.probe.snippet import AFTER, BEFORE, FILE

LINK = re.compile(r"/gb/gb(\d+)\.html")
IDS_KEPT = 3


@dataclass(frozen=True, slots=True)
class Observed:
    """`outcome` is ok, break, skip or error; `ids` of graph breaks, the call's first; `error` the exception's class."""

    outcome: str
    ids: tuple[str, ...] = ()
    error: str = ""


class _Records(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


class Recorder:
    """Listens to every `graph_breaks` logger of TorchDynamo, the only complete record of graph breaks."""

    def __init__(self) -> None:
        if hasattr(torch._dynamo.guards, "profile_guard_manager"):
            # It times each frame's guards after a flush of the caches: most of the time, for a figure in a log.
            torch._dynamo.guards.profile_guard_manager = lambda *_: 0.0
        _compile_snippets_only()
        torch._logging.set_logs(graph_breaks=True)
        self._handler = _Records()
        self._loggers = []
        for name in list(logging.root.manager.loggerDict):
            if name.startswith("torch._dynamo") and name.endswith("__graph_breaks"):
                logger = logging.getLogger(name)
                logger.handlers = [self._handler]
                logger.propagate = False
                self._loggers.append((logger, logger.level))

    def start(self) -> None:
        """Forget what was heard; undo what the last callable may have done to the loggers."""
        self._handler.messages.clear()
        logging.disable(logging.NOTSET)
        for logger, level in self._loggers:
            logger.disabled = False
            logger.setLevel(level)

    def ids(self) -> tuple[str, ...]:
        """Ids of the graph breaks since `start`, in order, each once."""
        found = [f"GB{number}" for message in self._handler.messages for number in LINK.findall(message)]
        return tuple(dict.fromkeys(found))[:IDS_KEPT]

    def heard(self) -> bool:
        """Whether there was any graph break since `start`, with an id or without."""
        return bool(self._handler.messages)


def _compile_snippets_only() -> None:
    """Leave functions that run eagerly after a break alone: they are the libraries' own frames, and many."""
    wrapper = torch._dynamo.convert_frame.CatchErrorsWrapper
    convert = wrapper.__call__

    def only_snippets(self: Any, frame: Any, *rest: Any) -> Any:
        if frame.f_code.co_filename != FILE:
            return torch._dynamo.types.ConvertFrameReturn()
        return convert(self, frame, *rest)

    wrapper.__call__ = only_snippets


def observe(fn: Callable[[Any], Any], recorder: Recorder) -> Observed:
    """Compile `fn`, call it once on a tensor, and judge. `fn` must work eagerly."""
    torch._dynamo.reset()
    graphs: list[frozenset[float]] = []

    def backend(graph: Any, _example: Any) -> Any:
        graphs.append(_marks(graph))
        return graph.forward

    recorder.start()
    try:
        torch.compile(fn, backend=backend)(example())
    except Exception as error:
        ids = recorder.ids() or tuple(dict.fromkeys(f"GB{n}" for n in LINK.findall(str(error))))[:IDS_KEPT]
        return Observed("error", ids, type(error).__name__)
    return Observed(_outcome(graphs, recorder.heard()), recorder.ids())


def example(rows: int = 4, seed: int = 0) -> torch.Tensor:
    """The argument of every snippet: float32 [rows, 4], the same for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, 4, generator=generator)


def _marks(graph: Any) -> frozenset[float]:
    constants = {value for node in graph.graph.nodes for value in node.args if isinstance(value, float)}
    return frozenset(constants & {BEFORE, AFTER})


def _outcome(graphs: list[frozenset[float]], heard: bool) -> str:
    if any({BEFORE, AFTER} <= marks for marks in graphs):
        return "break" if heard else "ok"
    if any(BEFORE in marks for marks in graphs):
        return "break"
    return "skip"
