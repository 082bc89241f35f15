"""The command line. Only click and plain tables are imported to start: what a command needs comes when it runs."""

from __future__ import annotations

from compile_lint.cli.main import main

__all__ = ["main"]
