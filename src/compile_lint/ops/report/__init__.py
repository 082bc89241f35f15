"""Reports on an inventory: pure functions from it to text."""

from __future__ import annotations

from compile_lint.ops.model import Inventory

FORMATS = ("text", "json", "markdown")


def render(inventory: Inventory, form: str, color: bool = False, verbosity: int = 0) -> str:
    """The report in the form asked for.

    Args:
        inventory: the operators, and what could not be read.
        form: one of FORMATS.
        color: whether the text is for a terminal that shows colours.
        verbosity: below 0 the summary alone, above 0 every place where an operator is called.
    """
    from compile_lint.ops.report import as_json, markdown, text

    if form == "json":
        return as_json.render(inventory)
    if form == "markdown":
        return markdown.render(inventory)
    return text.render(inventory, color, verbosity)
