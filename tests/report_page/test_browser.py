"""The page in a real browser: no complaint, no request, no sideways scrolling, readable without sight, printable."""

from itertools import pairwise

import pytest

from compile_lint.report_page.catalogue import LANGUAGES

HEADINGS = "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(one => Number(one.tagName[1]))"
OVERFLOW = """[...document.querySelectorAll('body *')].filter(one => !one.closest('.scroll') && !one.closest('.skip')
    && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(one => one.outerHTML)"""
CONTRASTS = """(() => {
  const style = getComputedStyle(document.documentElement)
  const probe = document.createElement('canvas').getContext('2d')
  const light = name => {
    probe.fillStyle = style.getPropertyValue(name)
    const linear = [1, 3, 5].map(at => parseInt(probe.fillStyle.slice(at, at + 2), 16) / 255)
      .map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]
  }
  const ratio = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05)
  return (names, under) => Math.min(...names.flatMap(a => under.map(b => ratio(a, b))))
})()"""
REFUSED = """(act => new Promise(done => {
  document.addEventListener('securitypolicyviolation', refused => done(refused.effectiveDirective), {once: true})
  act()
}))"""
"""Do something, and give the directive that forbids it."""
TEXTS = ["--text", "--muted", "--link", "--go", "--conditions", "--no-go"]
PICTURES = ["--eager", "--compiled", "--warm", "--neutral", "--mark"]


@pytest.fixture
def several(made):
    return made.subject(), made.hostile(), made.subject("mlp", "go"), made.subject("gnn", "no-go", saving_share=None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_without_complaints_or_requests_and_fits(opened, view, several, language, width, scheme):
    page = opened(view(*several, language=language), width=width, scheme=scheme)
    assert page.complaints() == []
    assert [one.rpartition("/")[2] for one in page.requests()] == ["report.html"]
    assert page.value("document.documentElement.scrollWidth") <= page.value("document.documentElement.clientWidth")
    assert page.value(OVERFLOW) == []
    assert page.value("document.scripts.length") == 0
    assert page.value("[...document.querySelectorAll('img, iframe, object, link, [onerror]')].length") == 0


def test_its_own_style_holds_under_its_policy(opened, view, made):
    page = opened(view(made.subject()))
    assert page.value("getComputedStyle(document.querySelector('.compiled .rect')).fill") == "rgb(29, 78, 216)"
    assert page.value(f"{REFUSED}(() => document.body.setAttribute('style', 'color: red'))") == "style-src-attr"
    assert page.value(f"{REFUSED}(() => {{ new Image().src = 'https://example.invalid/x.png' }})") == "img-src"
    script = "document.head.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))"
    assert page.value(f"{REFUSED}(() => {script})") == "script-src-elem"
    assert page.value("getComputedStyle(document.body).color") == "rgb(27, 31, 36)"
    assert page.value("window.ran") is None


def test_source_has_no_empty_lines_of_its_own(opened, view, made):
    lines = [
        "import torch",
        "",
        "",
        "class DETR:",
        "    def forward(self, mask):",
        "        x = 0",
        "        if mask.any():",
    ]
    page = opened(view(made.subject(), read=lambda path: lines))
    shown = page.value("document.querySelector('.source').innerText").splitlines()
    assert shown == ["5     def forward(self, mask):", "6         x = 0", "7         if mask.any():"]


def test_headings_are_in_order(opened, view, several):
    for subjects in (several, several[:1]):
        levels = opened(view(*subjects)).value(HEADINGS)
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_what_a_screen_reader_meets(opened, view, made):
    shown = view(made.subject())
    roles = opened(shown).roles()
    names = {role: [name for found, name in roles if found == role] for role, _ in roles}
    assert [len(names[role]) for role in ("banner", "navigation", "main", "contentinfo")] == [1, 1, 1, 1]
    assert names["region"] == ["detr"]
    charts = shown.models[0].charts
    assert [name for role in ("image", "img") for name in names.get(role, [])] == [chart.title for chart in charts]
    assert len(charts) == 7
    assert all(name for name in names["table"])
    assert opened(shown).value("[...document.querySelectorAll('.scroll')].every(one => one.ariaLabel.length > 9)")


def test_each_picture_is_described_and_has_its_numbers(opened, view, made):
    page = opened(view(made.subject()))
    described = "one => document.getElementById(one.getAttribute('aria-describedby')).textContent.length > 20"
    assert page.value(f"[...document.querySelectorAll('svg')].every({described})")
    assert page.value("[...document.querySelectorAll('figure')].every(one => one.querySelector('table caption'))")


def test_it_can_be_used_from_the_keyboard(opened, view, made):
    page = opened(view(made.decided()), width=375)
    for _ in range(2):
        page("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        page("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        if page.value("document.activeElement.className") == "skip":
            assert page.value("document.activeElement.getBoundingClientRect().left >= 0")
    assert page.value("document.activeElement.closest('nav') !== null")
    scrolls = "one => one.scrollWidth <= one.clientWidth || one.tabIndex === 0"
    assert page.value(f"[...document.querySelectorAll('.scroll')].every({scrolls})")
    targets = "[...document.querySelectorAll('a[href^=\"#\"]')].every(one => document.querySelector(one.hash))"
    assert page.value(targets)
    assert page.value("new Set([...document.querySelectorAll('[id]')].map(one => one.id)).size") == page.value(
        "document.querySelectorAll('[id]').length"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(opened, view, made, scheme):
    page = opened(view(made.subject()), scheme=scheme)
    assert page.value(f"{CONTRASTS}({TEXTS}, ['--page', '--panel'])") >= 4.5
    assert page.value(f"{CONTRASTS}(['--text'], ['--marked'])") >= 4.5
    assert page.value(f"{CONTRASTS}({PICTURES}, ['--page'])") >= 3


def test_it_prints(opened, view, several):
    page = opened(view(*several), scheme="dark", media="print")
    assert page.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.value("document.documentElement.scrollWidth") <= page.value("document.documentElement.clientWidth")
    assert page.pdf().startswith(b"%PDF-")
