import importlib.util
import sys
from pathlib import Path

import pytest

from compile_lint._data import rules_root
from compile_lint.report_page.build import page
from compile_lint.report_page.catalogue import Catalogue
from compile_lint.rulebook import load

_HERE = Path(__file__).parent


def _module(name):
    known = f"compile_lint_test_report_page_{name}"
    spec = importlib.util.spec_from_file_location(known, _HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[known] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def made():
    """The module `made.py` beside this one (test folders are no packages)."""
    return _module("made")


@pytest.fixture(scope="session")
def rule_of():
    """The shipped rules by code."""
    return {rule.code: rule for rule in load(rules_root()).rules}.get


@pytest.fixture(scope="session")
def view(rule_of):
    """What the page says of targets, in a language; no source is at hand."""
    return lambda *subjects, language="en", read=lambda path: None: page(subjects, Catalogue(language), rule_of, read)


@pytest.fixture(scope="session")
def html():
    """A page as HTML."""
    from compile_lint.report_page.html import render

    return lambda shown: render(shown, Catalogue(shown.language))


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium; see `chromium.py`. Skips where there is none."""
    chromium = _module("chromium")
    program = chromium.find()
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(chromium.NAMES)} is on PATH")
    one = chromium.Chromium(program, tmp_path_factory.mktemp("chromium"))
    yield one
    one.close()


@pytest.fixture
def opened(browser, tmp_path, html):
    """Open a page in the browser, from a file as a reader would."""

    def call(shown, **how):
        file = tmp_path / "report.html"
        file.write_text(html(shown), encoding="utf-8")
        browser.open(file.as_uri(), **how)
        return browser

    return call
