"""The side that hands files out: a thread for each process, that gives it one file at a time and takes the result.

The processes are programs of their own, not `multiprocessing`: that would run the caller's main module once more, and
a process of its pool that dies takes the others with it.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from queue import SimpleQueue

from compile_lint.cache import Basis
from compile_lint.discover import Sources
from compile_lint.findings import FileError, Source
from compile_lint.plain import NotPlainError, load
from compile_lint.results import FileResult
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.settings import Settings

Outcome = tuple[FileResult, Basis | None]
READY = b"ready\n"
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from compile_lint.parallel.worker import main; main()"


class Pool:
    """Some processes that analyse files of the same sources. They end with the `with` block, whatever ends that."""

    def __init__(
        self, workers: int, sources: Iterable[Source], settings: Settings, rules: Rulebook, based: bool
    ) -> None:
        """`rules` are those that hold for the target; `based`: what each result rests on is asked for too."""
        plain = Rulebook([replace(rule, bad=(), good=()) for rule in rules.rules])
        portable = sources.portable() if isinstance(sources, Sources) else list(sources)
        self._start = pickle.dumps((portable, settings, plain, based))
        self._workers = workers
        self._left: deque[str] = deque()
        self._done: SimpleQueue[Outcome | None] = SimpleQueue()
        self._processes: set[subprocess.Popen[bytes]] = set()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exc: object) -> None:
        self._left.clear()
        for process in list(self._processes):
            process.kill()

    def analysed(self, paths: Iterable[str]) -> Iterator[Outcome]:
        """The results of the files, as they come; none of those that no process could be started for."""
        self._left.extend(paths)
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self._workers)]
        for thread in threads:
            thread.start()
        serving = len(threads)
        while serving:
            outcome = self._done.get()
            if outcome is None:
                serving -= 1
            else:
                yield outcome

    def _serve(self) -> None:
        """Give one process after the other to do, until nothing is left or none can be started."""
        try:
            while self._left:
                process = self._started()
                if process is None:
                    return
                try:
                    self._talk(process)
                finally:
                    self._end(process)
        finally:
            self._done.put(None)

    def _started(self) -> subprocess.Popen[bytes] | None:
        command = [sys.executable, "-c", _PROGRAM, *sys.path]
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError:
            return None
        self._processes.add(process)
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(OSError):
            process.stdin.write(self._start)
            process.stdin.flush()
            if process.stdout.readline() == READY:
                return process
        self._end(process)
        return None

    def _talk(self, process: subprocess.Popen[bytes]) -> None:
        """Hand out files until none is left, or the process has died over one."""
        assert process.stdin is not None and process.stdout is not None
        while self._left:
            try:
                path = self._left.popleft()
            except IndexError:  # another thread took the last one
                return
            line = b""
            with contextlib.suppress(OSError):
                process.stdin.write(json.dumps(path).encode() + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
            outcome = _outcome(line)
            self._done.put(outcome or (_lost(path, process), None))
            if outcome is None:
                return

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                stream.close()
        process.wait()
        self._processes.discard(process)


def _outcome(line: bytes) -> Outcome | None:
    """What a process says of a file; None where it did not finish its sentence."""
    if not line.endswith(b"\n"):
        return None
    try:
        result, basis = json.loads(line)
        return load(FileResult, result), None if basis is None else load(Basis, basis)
    except (ValueError, TypeError, NotPlainError):
        return None


def _lost(path: str, process: subprocess.Popen[bytes]) -> FileResult:
    """The result of a file over which a process has died."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
    process.kill()
    code = process.returncode
    how = f"was stopped by signal {-code}" if code is not None and code < 0 else "has died"
    return FileResult(path, errors=[FileError(path, f"the process that analysed it {how}; try --jobs 1")])
