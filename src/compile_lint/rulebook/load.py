"""Reading rule files. Every complaint names the file, the key and, where there is one, the nearest valid word."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any, NoReturn, cast

from compile_lint.findings import CONFIDENCES, KINDS, Confidence, Kind
from compile_lint.rulebook.events import EVENTS
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.rulebook.model import IN_BRANCH, Example, Match, Rule, marks
from compile_lint.rulebook.versions import is_version

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PLACEHOLDERS = ("subject", "callee", "name")
_CODE = re.compile(r"[A-Z]{2,5}\d{3,4}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_GRAPH_BREAK = re.compile(r"GB\d{4}")

_TEXTS = ("code", "name", "kind", "confidence", "summary", "message", "why", "instead")
_RULE_KEYS = (*_TEXTS, "graph-break-ids", "since", "until", "met-in-branch", "match", "bad", "good")
_MATCH_KEYS = ("event", "calls", "ids", "since", "until", "declares")
_EXAMPLE_KEYS = ("title", "source", "since", "until", "torch-config", "backend", "requires", "run", "run-reason")
_EXAMPLES = re.compile(r"^\[\[(?:bad|good)\]\]", re.MULTILINE)


class RuleError(ValueError):
    """A rule file that cannot be used. The text is one line, fit to show to a user."""


def load(root: Path, extra: Sequence[Path] = (), examples: bool = True) -> Rulebook:
    """All rules under `root` and in `extra`, files or folders of files of the same form. RuleError if one is bad.

    Without `examples` those of the files under `root` are not read, which is most of their text: they come last there.
    """
    rules: dict[str, Rule] = {}
    names: dict[str, Rule] = {}
    shipped = _below(root)
    for path in (*shipped, *_files(extra)):
        rule = read(path, examples or path not in shipped)
        for known, key, value in ((rules, "code", rule.code), (names, "name", rule.name)):
            if value in known:
                raise RuleError(f"{path}: {key}: {value!r} is already the {key} of {known[value].path}")
            known[value] = rule
    return Rulebook(rules.values())


def read(path: Path, examples: bool = True) -> Rule:
    """One rule file, to its end or to the first example. RuleError if it cannot be read or says what is not valid."""
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text if examples else _EXAMPLES.split(text, maxsplit=1)[0])
    except OSError as error:
        raise RuleError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RuleError(f"{path}: is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{path}: is not valid TOML: {error}") from error
    return _Reader(str(path)).rule(table)


def _below(root: Path) -> dict[Path, None]:
    if not root.is_dir():
        raise RuleError(f"{root}: the folder of rules is not there; install compile-lint again")
    return dict.fromkeys(sorted(root.rglob("*.toml")))


def _files(extra: Sequence[Path]) -> Iterable[Path]:
    for path in extra:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        else:
            yield path


class _Reader:
    """Turns the tables of one file into values; `where` names the table in complaints."""

    def __init__(self, path: str) -> None:
        self.path = path

    def rule(self, table: Mapping[str, Any]) -> Rule:
        self.keys(table, _RULE_KEYS, "")
        texts = {key: self.text(table, key, "") for key in _TEXTS}
        code = texts["code"]
        self.shaped(code, _CODE, "code", "two to five capital letters and three digits, such as CL101")
        self.shaped(texts["name"], _NAME, "name", "lower-case words joined by hyphens, such as tensor-branch")
        self.one_of(texts["kind"], KINDS, "kind")
        self.one_of(texts["confidence"], CONFIDENCES, "confidence")
        self.placeholders(texts["message"])
        since, until = self.bounds(table, "")
        return Rule(
            code=code,
            name=texts["name"],
            kind=cast(Kind, texts["kind"]),
            confidence=cast(Confidence, texts["confidence"]),
            summary=texts["summary"],
            message=texts["message"],
            why=texts["why"].strip(),
            instead=texts["instead"].strip(),
            graph_break_ids=self.graph_breaks(table, "graph-break-ids", ""),
            matches=tuple(self.match(entry, f"match[{i}]") for i, entry in enumerate(self.tables(table, "match"))),
            bad=tuple(self.example(entry, f"bad[{i}]", code) for i, entry in enumerate(self.tables(table, "bad"))),
            good=tuple(self.example(entry, f"good[{i}]", "") for i, entry in enumerate(self.tables(table, "good"))),
            since=since,
            until=until,
            met_in_branch=self.share(table, "met-in-branch", IN_BRANCH),
            path=self.path,
        )

    def match(self, table: Mapping[str, Any], where: str) -> Match:
        self.keys(table, _MATCH_KEYS, where)
        event = self.text(table, "event", where)
        self.one_of(event, tuple(EVENTS), f"{where}.event")
        since, until = self.bounds(table, where)
        calls = self.strings(table, "calls", where)
        ids = self.graph_breaks(table, "ids", where)
        declares = self.flag(table, "declares", where, default=False)
        if event != "call" and declares:
            self.fail(f"{where}.declares", f"goes with the event 'call', not with {event!r}")
        if declares and not calls:
            self.fail(f"{where}.declares", "needs the names of the calls in `calls`")
        return Match(event, calls, ids, since, until, declares)

    def example(self, table: Mapping[str, Any], where: str, code: str) -> Example:
        """`code` is the one that must be marked; empty for a good example, which must have no mark."""
        self.keys(table, _EXAMPLE_KEYS, where)
        source = self.text(table, "source", where)
        marked = {found for codes in marks(source).values() for found in codes} if "<-" in source else set()
        if code and code not in marked:
            self.fail(f"{where}.source", f"no line is marked `# <- {code}`")
        if not code and marked:
            self.fail(f"{where}.source", "a good example has no marked line")
        run = self.flag(table, "run", where, default=True)
        reason = self.text(table, "run-reason", where, needed=not run)
        since, until = self.bounds(table, where)
        config = table.get("torch-config", {})
        if not isinstance(config, dict):
            self.fail(f"{where}.torch-config", "must be a table, such as { capture_scalar_outputs = true }")
        return Example(
            title=self.text(table, "title", where),
            source=source,
            since=since,
            until=until,
            torch_config=MappingProxyType(config),
            backend=self.text(table, "backend", where, needed=False),
            requires=self.strings(table, "requires", where),
            run=run,
            run_reason=reason,
        )

    def keys(self, table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in known:
                self.fail(_join(where, key), f"unknown key{_nearest(key, known)}")

    def tables(self, table: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self.fail(key, f"must be an array of tables, written [[{key}]]")
        return value

    def text(self, table: Mapping[str, Any], key: str, where: str, needed: bool = True) -> str:
        value = table.get(key, "")
        if not isinstance(value, str):
            self.fail(_join(where, key), f"must be text, not {value!r}")
        if needed and not value.strip():
            self.fail(_join(where, key), "is missing" if key not in table else "is empty")
        return value

    def strings(self, table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) and entry for entry in value):
            self.fail(_join(where, key), "must be an array of texts")
        return tuple(value)

    def graph_breaks(self, table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
        ids = self.strings(table, key, where)
        for graph_break in ids:
            self.shaped(graph_break, _GRAPH_BREAK, _join(where, key), "GB and four digits, such as GB0170")
        return ids

    def flag(self, table: Mapping[str, Any], key: str, where: str, default: bool) -> bool:
        value = table.get(key, default)
        if not isinstance(value, bool):
            self.fail(_join(where, key), f"must be true or false, not {value!r}")
        return value

    def share(self, table: Mapping[str, Any], key: str, default: float) -> float:
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            self.fail(key, f"must be a share from 0 to 1, not {value!r}")
        return float(value)

    def bounds(self, table: Mapping[str, Any], where: str) -> tuple[str, str]:
        since, until = (self.text(table, key, where, needed=False) for key in ("since", "until"))
        for key, value in (("since", since), ("until", until)):
            if not is_version(value):
                self.fail(_join(where, key), f"{value!r} is no torch version; write it as 2.13 or 2.14.1")
        return since, until

    def one_of(self, value: str, known: Sequence[str], key: str) -> None:
        if value not in known:
            self.fail(key, f"{value!r} is not valid{_nearest(value, known)}")

    def shaped(self, value: str, shape: re.Pattern[str], key: str, words: str) -> None:
        if shape.fullmatch(value) is None:
            self.fail(key, f"{value!r} is not valid; it must be {words}")

    def placeholders(self, message: str) -> None:
        try:
            fields = [name for _, name, _, _ in Formatter().parse(message) if name is not None]
        except ValueError as error:
            self.fail("message", f"{error}; write a brace that is meant as one twice")
        for name in fields:
            if name not in PLACEHOLDERS:
                self.fail("message", f"unknown placeholder {{{name}}}{_nearest(name, PLACEHOLDERS)}")

    def fail(self, key: str, words: str) -> NoReturn:
        raise RuleError(f"{self.path}: {key}: {words}")


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _nearest(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches  # only a broken file pays for the import

    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else f"; valid are {', '.join(known)}"
