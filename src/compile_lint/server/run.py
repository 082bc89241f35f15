"""The process: standard input and output are the protocol's alone."""

from __future__ import annotations

import logging
import os
import signal
import sys

from compile_lint.server.app import Server

INTERRUPTED = 130


def serve() -> int:
    """Serve until the client says `exit`, or goes. The exit code is 0 if it said `shutdown` before, else 1."""
    # Whatever a library prints must not get into the protocol.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False  # its tracebacks are not for the user; ours go to the client's log
    # A thread waits for the next message, and nothing but the client could wake it: no orderly end is possible.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    server = Server()
    server.start_io(sys.stdin.buffer, out)
    return 0 if server.stopped_well else 1
