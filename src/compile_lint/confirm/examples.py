"""Runs one example under the installed torch and says what TorchDynamo did with it.

An example is a source text with `fn`, a class `M` or `make()` (what to call), `calls()` (a tuple of arguments for
each call; without it float32[4, 4] four times) and `around(i)` (a context manager for call i). If it calls
torch.compile itself, it is called as it is. Each one runs in a child process of its own, once eagerly and once
compiled, with the same seed before each call. The record of graph breaks is the `graph_breaks` logging artifact: the
only one that misses none (explain and the counters do).
"""

from __future__ import annotations

import ast
import contextlib
import functools
import math
import multiprocessing
import os
import signal
import sys
import tempfile
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
import torch._dynamo

from compile_lint.confirm.observe import records
from compile_lint.confirm.observe.listener import Heard, listening
from compile_lint.confirm.observe.operations import Capture
from compile_lint.confirm.observe.records import Frame
from compile_lint.confirm.observe.state import configure, seed


@dataclass(frozen=True, slots=True)
class Break:
    """One graph break: the innermost line of the example, the ids (the one at the line first), the 0-based call."""

    line: int
    ids: tuple[str, ...]
    frame_skipped: bool
    call: int


@dataclass(frozen=True, slots=True)
class Recompile:
    """One recompilation on a later call: the function, its line, and the guards that failed."""

    call: int
    function: str
    line: int
    guards: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception of a call; `line` is the innermost line of the example, 0 if none."""

    call: int
    kind: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened. `failure` is empty unless the example could not be run at all."""

    breaks: tuple[Break, ...] = ()
    error: Raised | None = None
    """Raised only by the compiled run."""
    eager_error: Raised | None = None
    recompiles: tuple[Recompile, ...] = ()
    same: tuple[bool, ...] = ()
    """For each call: whether the compiled run returned what eager returned (and left the arguments the same)."""
    graphs: int = 0
    """How many graphs were compiled in all."""
    failure: str = ""

    @property
    def recompiled_calls(self) -> int:
        """How many of the later calls compiled again."""
        return len({recompile.call for recompile in self.recompiles})


@dataclass(slots=True)
class _Record:
    """What one run of all calls gathers."""

    results: list[object] = field(default_factory=list)
    errors: list[Raised] = field(default_factory=list)


def run(
    source: str, *, torch_config: Mapping[str, object] | None = None, backend: str = "", seconds: float = 120.0
) -> Outcome:
    """Run one example in a child process that is killed after `seconds`. Never raises for what the example does."""
    with tempfile.TemporaryDirectory(prefix="compile-lint-") as folder:
        path = Path(folder) / "example.py"
        path.write_text(source, encoding="utf-8")
        forks = sys.platform == "linux"
        if forks:
            _warm_up()
        context: Any = multiprocessing.get_context("fork" if forks else "spawn")
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(there, str(path), dict(torch_config or {}), backend))
        child.start()
        there.close()
        try:
            if not here.poll(seconds):
                return Outcome(failure=f"no result after {seconds:g} s")
            outcome = here.recv()
            assert isinstance(outcome, Outcome)
            return outcome
        except EOFError:
            child.join(5)
            return Outcome(failure=f"the child process died (exit code {child.exitcode})")
        finally:
            _end(child)
            here.close()


@functools.cache
def _warm_up() -> None:
    """Compile once, so that what TorchDynamo imports late is imported before the children part: most of their time."""
    torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1))
    torch._dynamo.reset()


def _end(child: Any) -> None:
    """Stop the child and what it started (it leads a process group of its own)."""
    with contextlib.suppress(ProcessLookupError, PermissionError, AttributeError):
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.join()


def _child(pipe: Connection, path: str, config: dict[str, object], backend: str) -> None:
    """Entry of the child process: sends one Outcome."""
    if hasattr(os, "setsid"):
        os.setsid()
    os.chdir(os.path.dirname(path))
    _silence()
    torch.set_num_threads(1)
    try:
        outcome = _observe(path, config, backend)
    except BaseException:
        outcome = Outcome(failure=traceback.format_exc())
    pipe.send(outcome)
    pipe.close()


def _silence() -> None:
    """What examples print, and the warnings of torch, go nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _observe(path: str, config: dict[str, object], backend: str) -> Outcome:
    source = Path(path).read_text(encoding="utf-8")
    module = _execute(source, path)
    subject, calls = _subject(module)
    eager = _in_a_fork(lambda: _run_eagerly(module, subject, calls, path))
    heard = Heard()
    capture = Capture(heard, _inner_backend(backend))
    with listening(heard):
        compiled = _run_compiled(module, subject, calls, path, source, config, capture)
    eager_raised = {raised.call for raised in eager.errors}
    only_compiled = [raised for raised in compiled.errors if raised.call not in eager_raised]
    return Outcome(
        breaks=tuple(dict.fromkeys(_breaks(heard, path))),
        error=only_compiled[0] if only_compiled else None,
        eager_error=eager.errors[0] if eager.errors else None,
        recompiles=tuple(_recompiles(heard, path)),
        same=tuple(_equal(one, other) for one, other in zip(eager.results, compiled.results, strict=True)),
        graphs=len(capture.graphs),
    )


def _execute(source: str, path: str) -> types.ModuleType:
    """The example as a module that classes, `global` and pickling can find."""
    module = types.ModuleType("compile_lint_example")
    module.__file__ = path
    sys.modules[module.__name__] = module
    seed(0)
    exec(compile(source, path, "exec"), module.__dict__)
    return module


def _subject(module: types.ModuleType) -> tuple[Callable[..., object], Sequence[Sequence[object]]]:
    """What to call, and the arguments of each call."""
    names = vars(module)
    arguments: object = None
    if "make" in names:
        subject = names["make"]()
        if isinstance(subject, tuple):
            subject, arguments = subject
    elif "M" in names:
        subject = names["M"]()
    else:
        subject = names["fn"]
    if "calls" in names:
        return subject, [call if isinstance(call, (tuple, list)) else (call,) for call in names["calls"]()]
    if arguments is not None:
        return subject, [tuple(arguments)] * 2  # type: ignore[arg-type]
    torch.manual_seed(0)
    return subject, [(torch.randn(4, 4),) for _ in range(4)]


def _in_a_fork(work: Callable[[], _Record]) -> _Record:
    """Do the work in a process of its own, so that what it changes does not reach the compiled run."""
    if not hasattr(os, "fork"):
        return work()
    here, there = multiprocessing.Pipe(duplex=False)
    pid = os.fork()
    if pid == 0:
        try:
            there.send(work())
        finally:
            os._exit(0)
    there.close()
    try:
        record = here.recv()
    except EOFError:
        raise RuntimeError("the eager run died") from None
    finally:
        os.waitpid(pid, 0)
    assert isinstance(record, _Record)
    return record


def _run_eagerly(
    module: types.ModuleType, subject: Callable[..., object], calls: Sequence[Sequence[object]], path: str
) -> _Record:
    record = _Record()
    torch.compiler.set_stance("force_eager")
    _call_all(module, subject, calls, path, record)
    return record


def _run_compiled(
    module: types.ModuleType,
    subject: Callable[..., object],
    calls: Sequence[Sequence[object]],
    path: str,
    source: str,
    config: dict[str, object],
    capture: Capture,
) -> _Record:
    record = _Record()
    configure(config)
    if _compiles_itself(source):
        # What the module compiled while it was executed carries the real default backend: execute it once more.
        torch.compile = _with_backend(torch.compile, capture)
        module = _execute(source, path)
        subject, _ = _subject(module)
    else:
        subject = torch.compile(subject, backend=capture, **getattr(module, "COMPILE_KW", {}))
    _call_all(module, subject, calls, path, record, capture.heard)
    return record


def _compiles_itself(source: str) -> bool:
    """Whether there is a `something.compile` (of torch or of a module) in the code."""
    attributes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute))
    return any(node.attr == "compile" and ast.unparse(node.value) not in ("re", "builtins") for node in attributes)


def _call_all(
    module: types.ModuleType,
    subject: Callable[..., object],
    calls: Sequence[Sequence[object]],
    path: str,
    record: _Record,
    heard: Heard | None = None,
) -> None:
    around = getattr(module, "around", None)
    for number, arguments in enumerate(calls):
        if heard is not None:
            heard.call = number
        seed(number)
        result: object = None
        try:
            with around(number) if around is not None else contextlib.nullcontext():
                result = subject(*arguments)
        except Exception as error:
            record.errors.append(Raised(number, type(error).__name__, _line(error, path), str(error)[:2000]))
        record.results.append(_plain((result, arguments)))


def _inner_backend(name: str) -> Callable[..., Any] | None:
    """The named backend, None for one that runs each graph as it is."""
    if name == "inductor":
        import torch._inductor.config as inductor

        inductor.compile_threads = 1
        inductor.force_disable_caches = True  # a graph is cached without the fake kernels that it was compiled with
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path.cwd() / "inductor")
    found: Callable[..., Any] | None = torch._dynamo.lookup_backend(name) if name else None
    return found


def _with_backend(original: Callable[..., Any], backend: Callable[..., object]) -> Callable[..., Any]:
    """torch.compile with our backend, whatever the example asks for."""

    def compile_with(model: Any = None, **options: Any) -> Any:
        for key in ("mode", "options", "backend"):
            options.pop(key, None)
        if model is None:
            return lambda function: original(function, backend=backend, **options)
        return original(model, backend=backend, **options)

    return compile_with


def _breaks(heard: Heard, path: str) -> Iterator[Break]:
    """What has an id, by the innermost line of the example; a repeated record tells of no other line."""
    for call, record in heard.breaks:
        if (ids := (*record.ids, *record.skip_ids)) and not record.repeated:
            yield Break(_innermost(record.stack, path), ids, record.frame_skipped, call)


def _recompiles(heard: Heard, path: str) -> Iterator[Recompile]:
    for call, record in heard.recompiles:
        if record.function.path == path:
            yield Recompile(call, record.name, record.function.line, record.text)


def _innermost(stack: Sequence[Frame], path: str) -> int:
    return next((frame.line for frame in reversed(stack) if frame.path == path), 0)


def _line(error: BaseException, path: str) -> int:
    """Where in the example: the user code that TorchDynamo names in the text, else the innermost frame."""
    if named := _innermost(records.frames(str(error)), path):
        return named
    frames = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return frames[-1] if frames else 0


def _plain(value: object, depth: int = 6) -> object:
    """A value as nested tuples that can be sent and compared; what has no value of its own counts by its type."""
    if isinstance(value, torch.Tensor):
        if value.layout is torch.strided and not value.is_nested:
            plain = value.detach()
            return ("tensor", str(plain.dtype), tuple(plain.shape), plain.cpu().to(torch.complex128).flatten().tolist())
        return ("tensor", str(value.dtype), str(value.layout))
    if isinstance(value, float) and not math.isfinite(value):
        return ("float", str(value))
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return value
    if depth == 0:
        return type(value).__name__
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return ("numpy", str(getattr(value, "dtype", "")), value.tolist())
    if isinstance(value, Mapping):
        return ("dict", tuple((_plain(k, depth - 1), _plain(v, depth - 1)) for k, v in value.items()))
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, tuple(_plain(entry, depth - 1) for entry in value))
    return type(value).__name__


def _equal(one: object, other: object) -> bool:
    """Equality with room for rounding."""
    if isinstance(one, (float, complex)) and isinstance(other, (float, complex)):
        return one == other or abs(one - other) <= 1e-4 * max(1.0, abs(one)) or (one != one and other != other)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(_equal(a, b) for a, b in zip(one, other, strict=True))
    return one == other
