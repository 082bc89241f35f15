"""`compile-lint merge`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compile_lint.cli.gated import finish, output
from compile_lint.cli.output import say


def merge(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code. ConfigError if an option or a report cannot be used."""
    from compile_lint.confirm.merge import merge as merged

    out = output(params)
    found = merged(params["files"])
    if out.verbosity >= 0:
        for note in found.notes:
            say("note", note)
    return finish(found.run, out)
