"""A comparison of two records as text, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from compile_lint.bench.compare import Compared, Comparison
from compile_lint.bench.figures import Range
from compile_lint.bench.report import words
from compile_lint.report.markup import code, escaped
from compile_lint.report.paint import Paint, safe

_COLORS = {"worse": "red", "better": "green", "new": "cyan", "gone": "cyan"}
_WORDS = {"same": "within the noise", "new": "was not measured before", "gone": "is not measured any more"}


def render(found: Comparison, form: str, color: bool = False) -> str:
    """The comparison in the form asked for: text, json or markdown."""
    if form == "json":
        return json.dumps({"version": 1, "worse": found.worse, **asdict(found)}, indent=1) + "\n"
    lines = _markdown(found) if form == "markdown" else _text(found, Paint(color))
    return "\n".join(lines) + "\n"


def _text(found: Comparison, paint: Paint) -> Iterator[str]:
    yield from (f"{paint('machine', 'yellow')} {safe(line)}" for line in found.machine)
    name = ""
    for one in found.figures:
        if one.target != name:
            name = one.target
            yield paint(safe(name), "bold")
        said = _change(one)
        yield f"  {one.what:<24} {_value(one, one.old):>10} -> {_value(one, one.new):>10}  {_painted(one, said, paint)}"
    yield from (f"{safe(name)}: only in the old record" for name in found.only_old)
    yield from (f"{safe(name)}: only in the new record" for name in found.only_new)
    yield _verdict(found)


def _painted(one: Compared, said: str, paint: Paint) -> str:
    return paint(said, _COLORS[one.change], "bold") if one.change in _COLORS else said


def _markdown(found: Comparison) -> Iterator[str]:
    yield "## compile-lint bench --compare"
    yield ""
    yield _verdict(found)
    yield from (f"- machine {escaped(line)}" for line in found.machine)
    yield ""
    yield "| target | figure | old | new | change |"
    yield "|---|---|---:|---:|---|"
    for one in found.figures:
        said = f"**{_change(one)}**" if one.change in ("worse", "better") else _change(one)
        yield f"| {code(one.target)} | {one.what} | {_value(one, one.old)} | {_value(one, one.new)} | {said} |"
    yield ""
    yield from (f"- {code(name)}: only in the old record" for name in found.only_old)
    yield from (f"- {code(name)}: only in the new record" for name in found.only_new)


def _verdict(found: Comparison) -> str:
    counts = [sum(one.change == change for one in found.figures) for change in ("worse", "better", "same")]
    return "beyond the noise: {} worse, {} better; {} within it".format(*counts)


def _change(one: Compared) -> str:
    if one.change in _WORDS or one.old is None or one.new is None:
        return _WORDS[one.change]
    if not one.old.value:
        return one.change
    return f"{one.change} by {words.percent(abs(one.new.value / one.old.value - 1))}"


def _value(one: Compared, value: Range | None) -> str:
    if value is None:
        return ""
    if one.unit == "ms":
        return words.ms(value.value)
    return words.size(round(value.value)) if one.unit == "bytes" else f"{value.value:.0f}"
