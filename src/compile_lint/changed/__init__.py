"""Which lines a change adds, alters and removes, and what the files were like before it: from git, or from a diff."""

from __future__ import annotations

from compile_lint.changed.diff import from_diff
from compile_lint.changed.git import HOOK, from_git
from compile_lint.changed.model import Changes, FileChange, Removed

__all__ = ["HOOK", "Changes", "FileChange", "Removed", "from_diff", "from_git"]
