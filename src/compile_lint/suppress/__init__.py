"""Findings that the code itself silences, and the comments that silence nothing.

    x = int(y)  # compile-lint: ignore[CL202] once per epoch   on the statement's first line, or alone on the line above
    x = int(y)  # compile-lint: ignore                         whatever the rule
    # compile-lint: file-ignore[CL5]                           in the whole file
    # compile-lint: skip-function                              above a def or its decorators: everything inside it
    x = int(y)  # noqa: CL202                                  as other linters spell it

Several codes are separated by commas; a prefix or a rule's name serves as well.
"""

from __future__ import annotations

from compile_lint.suppress.apply import Result, apply
from compile_lint.suppress.comments import Comment, comments, may_hold

OWN_CODE = "CL901"

__all__ = ["OWN_CODE", "Comment", "Result", "apply", "comments", "may_hold"]
