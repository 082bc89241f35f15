"""`compile-lint server`."""

from __future__ import annotations

import sys

from compile_lint.config.errors import ConfigError


def server() -> int:
    """Run the command and give its exit code. ConfigError if pygls is missing, or nobody speaks to it."""
    try:
        import pygls.lsp.server  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"the server needs pygls: pip install 'compile-lint[lsp]' ({error})") from None
    if sys.stdin.isatty():
        raise ConfigError("server: is started by an editor, and reads its messages from standard input, not a terminal")
    from compile_lint.server.run import serve

    return serve()
