"""One worker as its starter sees it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable

from compile_lint.confirm.observation import Observation
from compile_lint.confirm.target import Target
from compile_lint.confirm.worker import mail, outcome
from compile_lint.confirm.worker.processes import MARK, Family, has_ended
from compile_lint.confirm.worker.tail import Tail

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_START = (
    # Nothing in the working directory may take the place of a module that is imported here.
    "import sys; sys.path[:1] = [p for p in sys.path[:1] if p]; root = {root!r}; sys.path.insert(0, root); "
    "import compile_lint; sys.path.remove(root); del root, sys; "
    "from compile_lint.confirm.worker.child import main; main()"
)
MOST_PROCESSES = 500
"""A worker with more processes than that is taken for a fork bomb."""
LOOK_SECONDS = 0.1
"""So often its memory and its processes are looked at."""
_GRACE = 1.0
"""After the time is up, a worker has so long to write where it was."""
_OUTPUT_SECONDS = 1.0


class Process:
    """A worker: started when this is made, asked with `poll`, ended by `end` or by itself."""

    def __init__(
        self,
        target: Target,
        folder: str,
        wake: Callable[[], None],
        kind: mail.Kind = "observe",
        settled: tuple[str, ...] = (),
        errand: mail.Errand | None = None,
    ) -> None:
        """`folder` is the worker's own; `wake` is called, in another thread, when its output has ended.

        `kind`, `settled` and `errand` are those of its job.

        Raises:
            OSError: no process can be started.
        """
        self.target = target
        self.folder = folder
        mark = uuid.uuid4().hex
        self.began = time.monotonic()
        self.looked = 0.0
        self.worker = subprocess.Popen(
            [sys.executable, "-c", _START.format(root=_ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(errand.environ if errand else {}), MARK: mark},
            start_new_session=True,
        )
        self.family = Family(self.worker, mark)
        assert self.worker.stdin is not None and self.worker.stdout is not None, "both are pipes"
        self.tail = Tail(self.worker.stdout, wake)
        job = mail.Job(target, folder, time.time(), os.getpid(), kind, settled, errand)
        try:
            self.worker.stdin.write(mail.to_text(job).encode())
            self.worker.stdin.close()
        except OSError:
            pass  # it is dead already, and `poll` finds that

    @property
    def seconds(self) -> float:
        """Since it was started."""
        return time.monotonic() - self.began

    def poll(self) -> Observation | None:
        """The observation if the worker has come to an end, by itself or because it broke a limit; else None."""
        if has_ended(self.worker):
            return self._after_its_end()
        now = time.monotonic()
        if now - self.began > self.target.timeout and (self._wrote_stacks() or now - self.began > self._latest()):
            return self._stopped(lambda printed: outcome.timed_out(self.target, self.folder, printed))
        if now - self.looked >= LOOK_SECONDS:
            self.looked = now
            return self._within_limits()
        return None

    def end(self) -> str:
        """Kill the worker and all that it started; what it printed last."""
        self.family.kill()
        return self.tail.text(_OUTPUT_SECONDS)

    def _latest(self) -> float:
        return self.target.timeout + _GRACE

    def _wrote_stacks(self) -> bool:
        """Whether the worker's own watchdog has written where its threads are, to the end."""
        try:
            with open(os.path.join(self.folder, mail.STACKS), "rb") as file:
                return b"worker/child.py" in file.read().replace(b"\\", b"/")
        except OSError:
            return False

    def _after_its_end(self) -> Observation:
        printed = self.end()
        seen, done = mail.read(self.folder)
        if done and seen is not None:
            return seen
        return outcome.crashed(self.target, self.folder, self.worker.returncode or 0, printed)

    def _stopped(self, words: Callable[[str], Observation]) -> Observation:
        printed = self.end()
        seen, done = mail.read(self.folder)
        return seen if done and seen is not None else words(printed)

    def _within_limits(self) -> Observation | None:
        limit = self.target.memory_limit
        if limit and self.family.memory() > limit:
            used = self.family.memory_shared_once()
            if used > limit:
                return self._stopped(lambda printed: outcome.out_of_memory(self.target, self.folder, used, printed))
        count = len(self.family.look())
        if count > MOST_PROCESSES:
            return self._stopped(lambda printed: outcome.too_many(self.target, self.folder, count, printed))
        return None
