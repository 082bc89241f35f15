"""Whatever names, messages and lines of source hold, it is shown as it is: no markup, no address, no escape."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from compile_lint.report_page.catalogue import LANGUAGES, Catalogue
from compile_lint.report_page.markdown import render
from compile_lint.report_page.view import Subject

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
VOID = {"meta"}
TAGS = """
html head meta title style body a header h1 h2 h3 h4 h5 p nav ul ol li main section strong span small dl div dt dd table
caption thead tbody tr th td figure figcaption svg g rect path text circle details summary article pre code mark footer
"""


class Tags(HTMLParser):
    """The tags of a page, and whether each is closed in its place."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self._open = set(), [], []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += [(tag, *one) for one in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += [(tag, *one) for one in attrs]

    def handle_endtag(self, tag):
        assert self._open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_html(view, html, made, language):
    text = html(view(made.hostile(), made.subject(), language=language))
    found = Tags(text)
    assert found.tags == set(TAGS.split())
    assert CONTROL.search(text) is None
    assert [one for one in found.attributes if one[1].startswith("on") or one[1] in ("style", "src", "srcset")] == []
    links = [value for tag, name, value in found.attributes if name in ("href", "action", "xlink:href")]
    assert {link for link in links if not link.startswith("#")} == {made.URL}
    assert "{{ 7*7 }}" in text and "49" not in re.sub(r"[\d.]+", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown(view, made, language):
    shown = view(made.hostile(), made.subject(), language=language)
    text = render(shown, Catalogue(language))
    assert CONTROL.search(text) is None
    tokens = [
        one
        for token in MarkdownIt("commonmark").enable("table").parse(text)
        for one in (token, *(token.children or ()))
    ]
    raw = [token.content.strip() for token in tokens if token.type in ("html_block", "html_inline")]
    data = Catalogue(language).text("page.data")
    assert set(raw) <= {f"<details>\n<summary>{data}</summary>", "</details>"}
    assert {token.attrs["href"] for token in tokens if token.type == "link_open"} <= {made.URL}
    assert not any(token.type == "image" for token in tokens)


@given(st.text(min_size=1), st.text())
@settings(max_examples=60, deadline=None)
def test_any_text_keeps_the_page_whole(view, html, made, name, source):
    broken = made.broken(source=source, reason=source, function=name, graph_break_id=source)
    one = made.bench(name, confirmation=made.confirmation(name, breaks=(broken,)), traffic=None, warm_ups=())
    shown = view(Subject(made.decision(name), one, made.record(one)))
    text = html(shown)
    assert Tags(text).tags <= set(TAGS.split())
    assert CONTROL.search(text) is None
    assert CONTROL.search(render(shown, Catalogue("en"))) is None
