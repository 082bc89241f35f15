"""Processes that share the files of a run. They exchange plain data, and each stands alone."""

from __future__ import annotations

from compile_lint.parallel.pool import Pool

__all__ = ["Pool"]
