"""One target as HTML, for notebooks: the same tables as the text report, without scripts or styles from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from compile_lint.confirm.join.model import Confirmation, JoinedBreak
from compile_lint.confirm.report import words
from compile_lint.report.paint import safe
from compile_lint.report.run import points


def one(target: Confirmation) -> str:
    """The whole fragment."""
    return "\n".join(_parts(target))


def _parts(target: Confirmation) -> Iterator[str]:
    score = "" if target.score is None else f": {points(target.score)} of 100"
    yield f"<div><strong>{_text(target.name)}{score}</strong>"
    if target.status != "ok":
        yield f"<p><strong>{_text(target.status)}</strong>: {_text(target.message)}</p>"
        if target.traceback:
            lines = "\n".join(_text(line.expandtabs(4)) for line in target.traceback.splitlines())
            yield f"<pre>{lines}</pre>"
    if target.error is not None:
        yield f"<p>raises only when compiled: {_text(target.error.kind)}: {_text(target.error.message[:300])}</p>"
    if target.breaks:
        yield from _table(target.breaks)
    items = []
    if target.ops:
        items.append(f"<code>{_text(words.bar(target.graphs, target.ops_outside_graphs))}</code> {_graphs(target)}")
    items += [_text(words.recompile_words(again)) for again in target.recompiles]
    for operator in target.operators:
        below = "".join(f"<br>{_text(line)}" for line in words.operator_problems(operator))
        items.append(f"<code>{_text(operator.qualified)}</code> {_text(words.operator_words(operator))}{below}")
    items += [f"results {_text(line)}" for line in words.result_words(target)]
    if target.score is not None:
        items.append(f"score {_text(words.score_words(target))}")
    fix = words.fix_words(target)
    items += [f"fix first {_text(fix)}"] * bool(fix)
    yield f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul></div>"


def _graphs(target: Confirmation) -> str:
    return _text(words.graphs_words(target))


def _table(breaks: Sequence[JoinedBreak]) -> Iterator[str]:
    yield "<table><tr><th>line</th><th>verdict</th><th>break</th><th>times</th><th>reason</th></tr>"
    for one_break in breaks:
        number = _text(one_break.graph_break_id)
        if one_break.url.startswith("https://"):
            number = f'<a href="{escape(one_break.url, quote=True)}">{number}</a>'
        cells = (
            f"{_text(words.place(one_break.path, one_break.line))}<br><code>{_text(one_break.source)}</code>",
            _text(words.verdict_words(one_break)),
            number,
            str(one_break.times),
            _text(words.first_line(one_break.reason)),
        )
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</table>"


def _text(text: str) -> str:
    return escape(" ".join(safe(part) for part in text.split(" ")))
