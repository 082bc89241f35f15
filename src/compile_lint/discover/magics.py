"""What IPython adds to Python, taken out of a cell: magics, shell escapes, help. Every line stays where it is."""

from __future__ import annotations

import ast
import re
import warnings

PYTHON_BODIES = frozenset(("capture", "debug", "prun", "time", "timeit"))
"""Cell magics whose body runs as Python among the other cells."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_MAY_HOLD = re.compile(r"^[ \t]*[%!?,;/]|=[ \t]*[%!]|\?[ \t;]*(?:$|\r|#)", re.MULTILINE)
_ESCAPES = ("%", "!", "?", ",", ";", "/")
_ASSIGNED = re.compile(r"(?P<target>[ \t]*[A-Za-z_][^=!%#()]*?)=[ \t]*[!%](?!=)")
_TOKEN = re.compile(r"#.*|'''|\"\"\"|'(?:\\.|[^'\\\r\n])*'?|\"(?:\\.|[^\"\\\r\n])*\"?|[()\[\]{}]")
_TRIPLE = re.compile(r"'''|\"\"\"")
_RESULT = "get_ipython()"
"""What stands for the result of an escape that is assigned: a value of which nothing is known."""


def python_of(cell: str) -> str:
    """The cell as Python, line for line: an escape becomes `pass`, or an unknown value where its result is assigned.

    A `%%` magic whose body is not Python, such as `%%bash`, leaves empty lines.
    """
    if not _MAY_HOLD.search(cell):
        return cell
    lines = _LINE.findall(cell)[:-1]
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if lines and lines[first].startswith("%%"):
        name = lines[first][2:].split(maxsplit=1)[:1]
        if not name or name[0] not in PYTHON_BODIES:
            return "".join(_end(line) for line in lines)
        lines[first] = _end(lines[first])
        cell = "".join(lines)
    # a `%` may begin a line inside brackets or a string; no cell with an escape is Python
    return cell if _parses(cell) else _without_escapes(lines)


def _without_escapes(lines: list[str]) -> str:
    out: list[str] = []
    state = _State()
    goes_on = False
    """Whether the line before was an escape that ends in a backslash."""
    for line in lines:
        if goes_on:
            out.append(_end(line))
            goes_on = _continued(line)
        elif state.at_start and (plain := _escape(line)) is not None:
            out.append(plain)
            goes_on = _continued(line)
        else:
            out.append(line)
            state.read(line)
    return "".join(out)


def _escape(line: str) -> str | None:
    """What stands for the line if it is an escape; None if it is none."""
    body = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    if body.startswith(_ESCAPES):
        return f"{indent}pass{_end(line)}"
    assigned = _ASSIGNED.match(line)
    if assigned is not None:
        return f"{assigned['target']}= {_RESULT}{_end(line)}"
    if _code(body).rstrip("; \t").endswith("?") and not _TRIPLE.search(body):
        return f"{indent}pass{_end(line)}"
    return None


class _State:
    """How far the text so far is from the end of a statement: open brackets, an open string, a backslash."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._backslash = False

    @property
    def at_start(self) -> bool:
        """Whether the next line begins a statement."""
        return not (self._depth or self._quote or self._backslash)

    def read(self, line: str) -> None:
        """Take in one more line."""
        at = 0
        self._backslash = False
        while True:
            if self._quote:
                end = _closing(line, at, self._quote)
                if end < 0:
                    return
                self._quote, at = "", end
            token = _TOKEN.search(line, at)
            if token is None:
                self._backslash = _continued(line[at:])
                return
            at = token.end()
            if token[0].startswith("#"):
                return
            self._take(token[0])

    def _take(self, token: str) -> None:
        if token in ("'''", '"""'):
            self._quote = token
        elif token in "([{":
            self._depth += 1
        elif token in ")]}":
            self._depth = max(0, self._depth - 1)


def _closing(line: str, start: int, quote: str) -> int:
    """Where a triple-quoted string ends, or -1; a quote after a backslash ends none."""
    found = re.compile(rf"(?:\\.|(?!{quote})[^\\])*{quote}", re.DOTALL).match(line, start)
    return found.end() if found else -1


def _code(line: str) -> str:
    """The line without its comment and its strings."""
    return _TOKEN.sub(lambda token: "" if token[0][0] in "#'\"" else token[0], line)


def _continued(line: str) -> bool:
    return line.rstrip("\r\n").endswith("\\")


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
