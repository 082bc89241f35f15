"""Reads the texts that TorchDynamo logs for graph breaks and recompilations. No torch in here.

The texts differ between versions: 2.6 and 2.7 give `Reason: ...` and a stack, later ones an explanation, hints, an id
and a page. What a text does not say is left empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_URL = re.compile(r"https?://\S+/(gb\d+)\.html")
_FRAME = re.compile(r'^[-\s]*File "([^"\n]+)", line (\d+)(?:, in (.+))?$', re.MULTILINE)
_AT = re.compile(r"in user code at (.+):(\d+)$", re.MULTILINE)
_REASON = re.compile(r"^(?:Graph Break )?Reason: ", re.MULTILINE)
_PREAMBLE = re.compile(r"\A[^\n]*:\n\n")
"""Such as `Encountered graph break when attempting to trace CALL: a function call, e.g. f(x, y):`."""
_HINT = re.compile(
    r"^ *Hint: (.+?)\s*(?=^ *Hint: |^ *Developer debug context|^ *For more details|^\s*$|\Z)", re.M | re.S
)
_EXPLANATION = re.compile(r"^ *Explanation: (.+)", re.MULTILINE)
_ANOTHER = re.compile(r"^\*\*\* While handling this graph break, another graph break occurred: \*\*\*\s*", re.MULTILINE)
_STACK = ("User code traceback:", "in the following user code:", "from user code:")
_SKIPPED = ("Skipping the function", "will skip tracing the frame", "which results in a skip")
_REPEATED = "suppressed due to duplicate"
_RECOMPILED = re.compile(r"Recompiling function (.+) in (.+):(\d+)\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^ *(?:- )?(\d+/\d+): (.*)$")
_NOTE = re.compile(
    r"\s+# (?P<code>.*?)\s+# (?P<path>\S+):(?P<line>\d+) in (?P<name>\S+)(?:\s+\((?:HINT: )?(?P<hint>.*)\))?\s*$"
)
_REMARK = re.compile(r"\s+# .*$")
_RESUMED = re.compile(r"^torch_dynamo_resume_in_(.+)_at_\d+$")
_LIMIT = re.compile(r"torch\._dynamo hit config\.(\w+)")


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a stack, as it is printed: the plain name of the function, not the qualified one."""

    path: str
    line: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class BreakRecord:
    """One record of the `graph_breaks` artifact; the stack is empty where the record only repeats a line."""

    stack: tuple[Frame, ...]
    at: Frame
    ids: tuple[str, ...]
    url: str
    reason: str
    hint: str
    frame_skipped: bool
    skip_ids: tuple[str, ...]
    skip_reason: str
    """Why the frame could not be resumed, where that is said."""
    repeated: bool


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard that failed: `short_path` is the end of the path of the line that made it, 0 and empty if unsaid."""

    text: str
    hint: str = ""
    stack: tuple[Frame, ...] = ()
    short_path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class RecompileRecord:
    """One record of the `recompiles` artifact; the guard of the newest compiled version comes first."""

    function: Frame
    guards: tuple[Guard, ...]
    name: str
    """The code that was compiled again, which may go on after a break: `torch_dynamo_resume_in_fn_at_12`."""
    text: str


def ids(text: str) -> tuple[str, ...]:
    """Ids of graph breaks by the links in a text, each once."""
    return tuple(dict.fromkeys(found.upper() for found in _URL.findall(text)))


def frames(text: str) -> tuple[Frame, ...]:
    """The lines of a printed stack, outermost first."""
    return tuple(Frame(path, int(line), plain_name(name)) for path, line, name in _FRAME.findall(text))


def user_frames(text: str) -> tuple[Frame, ...]:
    """The stack in the user's code that a message names, outermost first; empty where it names none."""
    for mark in _STACK:
        if mark in text:
            return frames(text.rpartition(mark)[2])
    return ()


def plain_name(name: str) -> str:
    """The function that the user wrote, for the function that TorchDynamo made to go on after a break."""
    name = name.strip()
    while found := _RESUMED.match(name):
        name = found[1]
    return name


def read_break(text: str, exception: str = "") -> BreakRecord | None:
    """Read one record of the graph_breaks artifact; `exception` is the text of the exception logged with it, if any."""
    stack = user_frames(text)
    named = _AT.search(text)
    if stack:
        at = stack[-1]
    elif named:
        at = Frame(named[1], int(named[2]))
    else:
        return None
    reason = text if _REASON.search(text) or not exception else exception
    first, *rest = _ANOTHER.split(_body(reason))
    link = _URL.search(first)
    return BreakRecord(
        stack=stack,
        at=at,
        ids=ids(first) or ids(text) or ids(exception),
        url=link[0] if link else "",
        reason=_reason(first),
        hint="\n".join(dict.fromkeys(" ".join(hint.split()) for hint in _HINT.findall(first))),
        frame_skipped=any(mark in text for mark in _SKIPPED),
        skip_ids=ids(rest[0]) if rest else (),
        skip_reason=_headline(rest[0]) if rest else "",
        repeated=_REPEATED in text,
    )


def _body(text: str) -> str:
    """What is said of the break: without what comes before the reason, and without the stack."""
    found = _REASON.search(text)
    text = text[found.end() :] if found else text
    for mark in _STACK:
        text = text.partition(mark)[0]
    return _PREAMBLE.sub("", text.strip() + "\n")


def _headline(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _reason(text: str) -> str:
    """The kind of break, with the explanation where there is one."""
    headline = _headline(text)
    explanation = _EXPLANATION.search(text)
    return f"{headline}: {explanation[1].strip()}" if explanation else headline


def read_recompile(text: str) -> RecompileRecord | None:
    """Read one record of the recompiles artifact."""
    found = _RECOMPILED.search(text)
    if found is None:
        return None
    guards: list[list[str]] = []
    for line in text[found.end() :].splitlines():
        if entry := _ENTRY.match(line):
            guards.append([entry[2]])
        elif guards:
            guards[-1].append(line)
    function = Frame(found[2], int(found[3]), plain_name(found[1]))
    return RecompileRecord(function, tuple(_guard(lines) for lines in guards), found[1], text)


def _guard(lines: list[str]) -> Guard:
    rest = "\n".join(lines[1:])
    note = _NOTE.search(lines[0])
    if note is None:
        remark = _REMARK.search(lines[0])
        text = lines[0][: remark.start()] if remark else lines[0]
        return Guard(text.strip(), remark[0].strip(" #") if remark else "", frames(rest))
    text = lines[0][: note.start()].strip()
    return Guard(text, note["hint"] or "", frames(rest), note["path"], int(note["line"]))


def limit_hit(text: str) -> str:
    """The setting (`recompile_limit`) that a warning says was reached; empty for any other text."""
    found = _LIMIT.search(text)
    return found[1] if found else ""
