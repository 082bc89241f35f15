"""Checks custom operators on samples that the user gives, in a process of its own; torch is imported only there."""

from __future__ import annotations

import os

from compile_lint.config.errors import ConfigError
from compile_lint.confirm.observation import Observation
from compile_lint.confirm.target import Target
from compile_lint.confirm.targets.names import reference

DEFAULT_TIMEOUT = 300.0


def check_samples(spec: str, *, timeout: float = DEFAULT_TIMEOUT, root: str | None = None) -> Observation:
    """Check each operator that samples name with `torch.library.opcheck`, and compare fake and real outputs.

    An operator that ends its process, or does not come to an end, is a result like others.

    Args:
        spec: `file.py:name` or `package.module:name` of the samples: a dict of operators (`namespace::operator`, or
            one of torch.ops) with lists of argument tuples or of (args, kwargs); a list of (operator, args) or
            (operator, args, kwargs); or a function without arguments that returns one of them.
        timeout: seconds for each process.
        root: the folder that modules are imported from; the working directory by default.

    Returns:
        An observation of which only `operators`, `torch` and `seconds` say something.

    Raises:
        ConfigError: the samples cannot be read, or what runs them is not installed.
        Interrupted: (a KeyboardInterrupt) at Ctrl-C.
    """
    from pathlib import Path

    reference(spec, Path.cwd(), "--check")
    from compile_lint.confirm.worker import confirm_all

    target = Target(name=spec, target=spec, root=root or os.getcwd(), timeout=timeout)
    (seen,) = confirm_all([target], kind="samples")
    if seen.status != "ok":
        words = "\n".join(filter(None, (f"--check {spec}: {seen.message}", seen.traceback.rstrip())))
        raise ConfigError(words)
    return seen
