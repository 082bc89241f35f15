"""Hears what TorchDynamo logs: graph breaks, recompilations, and that the recompile limit was hit."""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch._dynamo
import torch._dynamo.utils
import torch._logging

from compile_lint.confirm.observe import records
from compile_lint.confirm.observe.records import BreakRecord, RecompileRecord

_LOGGERS_OF = ("symbolic_convert", "convert_frame", "guards", "exc")
"""Modules of torch._dynamo that make a logger for one of the artifacts when they are imported."""
_ARTIFACTS = ("graph_breaks", "recompiles")


@dataclass(slots=True)
class Heard:
    """What was heard, each with the call that it belongs to; `call` is set by whoever makes the calls."""

    breaks: list[tuple[int, BreakRecord]] = field(default_factory=list)
    recompiles: list[tuple[int, RecompileRecord]] = field(default_factory=list)
    limits: list[tuple[int, str]] = field(default_factory=list)
    compiled: int = 0
    """How many graphs were compiled until now, kept by the backend; see `graphs_before`."""
    graphs_before: list[int] = field(default_factory=list)
    """For each recompilation, how many graphs had been compiled before it."""
    call: int = 0

    def take(self, artifact: str, text: str, exception: str = "") -> None:
        """Read one record."""
        if artifact == "graph_breaks":
            if (broken := records.read_break(text, exception)) is not None:
                self.breaks.append((self.call, broken))
        elif artifact == "recompiles":
            if (again := records.read_recompile(text)) is not None:
                self.recompiles.append((self.call, again))
                self.graphs_before.append(self.compiled)
        elif limit := records.limit_hit(text):
            self.limits.append((self.call, limit))


class _Handler(logging.Handler):
    def __init__(self, heard: Heard, artifact: str) -> None:
        super().__init__(logging.DEBUG)
        self._heard = heard
        self._artifact = artifact

    def emit(self, record: logging.LogRecord) -> None:
        """Never raises into TorchDynamo."""
        try:
            error = record.exc_info[1] if record.exc_info else None
            self._heard.take(self._artifact, record.getMessage(), str(error) if error is not None else "")
        except Exception:
            self.handleError(record)


def enabled() -> None:
    """Undo what code may have done to logging as a whole, so that the next call is heard."""
    logging.disable(logging.NOTSET)
    for _, logger in _loggers():
        logger.disabled = False
        logger.setLevel(logging.DEBUG)


@contextlib.contextmanager
def listening(heard: Heard) -> Iterator[Heard]:
    """Hear everything in the block. Logging is put back as it was, and what is heard is not printed."""
    for name in _LOGGERS_OF:
        with contextlib.suppress(ImportError):
            importlib.import_module(f"torch._dynamo.{name}")
    forget = getattr(torch._dynamo.utils, "reset_graph_break_dup_checker", None)
    if forget is not None:  # a line that was named in this process before is else named without its stack
        forget()
    with contextlib.ExitStack() as undo:
        undo.callback(logging.disable, logging.root.manager.disable)
        _enable_artifacts(undo)
        for artifact, logger in _loggers():
            undo.callback(_restore, logger, logger.level, list(logger.handlers), logger.propagate, logger.disabled)
            logger.handlers[:] = [_Handler(heard, artifact)]
            logger.propagate = False
        for name in ("torch._dynamo.convert_frame", "torch._dynamo.guards"):
            logger = logging.getLogger(name)
            handler = _Handler(heard, "limits")
            logger.addHandler(handler)
            undo.callback(logger.removeHandler, handler)
        enabled()
        yield heard


def _enable_artifacts(undo: contextlib.ExitStack) -> None:
    """TorchDynamo asks this record, besides the logger's level, whether recompilations are logged at all."""
    state: Any = getattr(getattr(torch._logging, "_internal", None), "log_state", None)
    names = getattr(state, "artifact_names", None)
    if names is None:
        torch._logging.set_logs(graph_breaks=True, recompiles=True)
        undo.callback(torch._logging.set_logs)
        return
    # recompiles_verbose would take the place of recompiles.
    undo.callback(_restore_names, names, set(names))
    names.discard("recompiles_verbose")
    names.update(_ARTIFACTS)


def _restore_names(names: set[str], before: set[str]) -> None:
    names.clear()
    names.update(before)


def _loggers() -> Iterator[tuple[str, logging.Logger]]:
    for name, logger in list(logging.root.manager.loggerDict.items()):
        artifact = name.rpartition(".__")[2]
        if name.startswith("torch._dynamo.") and artifact in _ARTIFACTS and isinstance(logger, logging.Logger):
            yield artifact, logger


def _restore(logger: logging.Logger, level: int, handlers: list[logging.Handler], propagate: bool, off: bool) -> None:
    logger.setLevel(level)
    logger.handlers[:] = handlers
    logger.propagate = propagate
    logger.disabled = off
