"""`compile-lint server`: findings in an editor, over the Language Server Protocol.

What is linted and what may be done about it is in `linter.py`, `tree.py` and `actions.py`, which know nothing of the
protocol and need no pygls.
"""
