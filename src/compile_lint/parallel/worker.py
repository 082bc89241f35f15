"""The side that analyses: takes names of files on standard input and writes a line of JSON for each."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys


def main() -> None:
    """Work until standard input ends. What to work on comes first, from the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all: the one that started this one ends it
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else gets between the lines
    sources, settings, rules, based = pickle.load(sys.stdin.buffer)

    from compile_lint.cache import basis_of
    from compile_lint.file_analysis import QuietCollector, Task, analyse_file
    from compile_lint.plain import dump
    from compile_lint.project.project import Project

    project = Project(sources)
    task = Task.of(project, settings, rules)
    out.write(b"ready\n")
    out.flush()
    with QuietCollector():
        for line in sys.stdin.buffer:
            result = analyse_file(task, json.loads(line))
            basis = basis_of(project, result) if based else None
            out.write(json.dumps([dump(result), dump(basis)], separators=(",", ":")).encode() + b"\n")
            out.flush()
