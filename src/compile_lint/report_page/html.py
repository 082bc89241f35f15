"""The page as one HTML file that needs nothing else: no script, no address that is fetched, its style within."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from compile_lint.report_page import prose
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.report_page.svg import svg
from compile_lint.report_page.view import Chart, PageView

_TEMPLATES = Path(__file__).with_name("templates")
_TAGS = {"en": "en", "zh": "zh-Hans"}
"""Languages as HTML names them."""


def render(page: PageView, catalogue: Catalogue) -> str:
    """The whole file."""
    style = (_TEMPLATES / "report.css").read_text(encoding="utf-8")
    return _template().render(
        page=page,
        t=catalogue.text,
        language=_TAGS[page.language],
        style=Markup(style),
        policy=policy(style),
        picture=_picture,
    )


@lru_cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=prose.shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(inline=prose.inline, blocks=prose.blocks, code=prose.code)
    return environment.get_template("report.html")


def policy(style: str) -> str:
    """The Content-Security-Policy: nothing is run or fetched, and no style but this one holds."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _picture(chart: Chart, described_by: str) -> Markup:
    return Markup(svg(chart.drawing, chart.title, described_by))
