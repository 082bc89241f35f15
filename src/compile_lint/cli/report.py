"""`compile-lint report`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compile_lint.cli.decisions import subjects
from compile_lint.cli.output import check_target, to_file, to_stdout
from compile_lint.cli.setup import configuration, rules
from compile_lint.config.errors import ConfigError
from compile_lint.config.nearest import hint
from compile_lint.report_page.breaks import RuleOf
from compile_lint.report_page.build import page
from compile_lint.report_page.catalogue import LANGUAGES, Catalogue
from compile_lint.report_page.view import PageView

FORMATS = ("html", "markdown")
_SUFFIXES = {".md": "markdown", ".markdown": "markdown"}
_NEEDED = ("jinja2", "pygal")
_EXTRA = "pip install 'compile-lint[report]'"


def report(params: Mapping[str, Any]) -> int:
    """Run the command and give its exit code.

    Raises:
        ConfigError: an option, a record or the configuration cannot be used, or what writes HTML is not there.
    """
    file = Path(params["output_file"]) if params["output_file"] else None
    suggested = _SUFFIXES.get(file.suffix.lower(), "html") if file is not None else "html"
    form = _choice(params["form"], FORMATS, "--format", suggested)
    catalogue = Catalogue(_choice(params["lang"], LANGUAGES, "--lang", "en"))
    if file is not None:
        check_target(file)
    elif form == "html" and sys.stdout.isatty():
        raise ConfigError("--format html: is for a browser; write it to a file: -o report.html")
    if form == "html":
        _check_packages()
    text = _render(page(subjects(params), catalogue, _rule_of(params)), form, catalogue)
    if file is not None:
        to_file(text, file)
    else:
        to_stdout(text)
    return 0


def _render(shown: PageView, form: str, catalogue: Catalogue) -> str:
    if form == "markdown":
        from compile_lint.report_page import markdown

        return markdown.render(shown, catalogue)
    from compile_lint.report_page import html

    return html.render(shown, catalogue)


def _check_packages() -> None:
    """Tell in one line that what writes HTML is missing. Nothing of it is imported."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"a report as HTML needs what is not installed ({', '.join(missing)}): {_EXTRA}; "
            "--format markdown does without"
        )


def _rule_of(params: Mapping[str, Any]) -> RuleOf:
    """The rules by code, the user's own among them."""
    file, _ = configuration(params["config"], params["isolated"], ["."])
    return {rule.code: rule for rule in rules({}, file, examples=False).rules}.get


def _choice(value: str | None, choices: Sequence[str], place: str, default: str) -> str:
    if value is None:
        return default
    if value not in choices:
        raise ConfigError(f"{place}: {value!r} is not valid{hint(value, choices)}")
    return value
