"""Runs each target in a process of its own and brings back what was observed, whatever becomes of the process.

The side that starts workers never imports torch; `child` is the side that does.
"""

from compile_lint.confirm.worker.run import Interrupted, confirm_all

__all__ = ["Interrupted", "confirm_all"]
