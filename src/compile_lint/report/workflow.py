"""Workflow commands of GitHub Actions, and lines that are none.

The form is GitHub's: `::error file=a.py,line=3,title=...::message`, with %, CR and LF spelt as %25, %0D and %0A, and
in properties also `:` and `,` as %3A and %2C.
"""

from __future__ import annotations

from compile_lint.report.paint import safe


def command(
    level: str,
    message: str,
    path: str = "",
    line: int = 0,
    title: str = "",
    *,
    end_line: int = 0,
    columns: tuple[int, int] | None = None,
) -> str:
    """One workflow command. `level` is `error`, `warning` or `notice`; `columns` count from 1 and need one line."""
    given = {"file": path.replace("\\", "/"), "line": str(line) if path and line else "", "title": title}
    if path and end_line >= line > 0:
        given["endLine"] = str(end_line)
        if columns is not None and end_line == line:
            given["col"], given["endColumn"] = map(str, columns)
    properties = ",".join(f"{name}={_property(value)}" for name, value in given.items() if value)
    return f"::{level}{' ' + properties if properties else ''}::{_escaped(message)}"


def plain(text: str) -> str:
    """The lines of a report so that none of them is a command, whatever a file or a target is called.

    GitHub takes `::` for one at the start of a line, white space before it left out, and `##[` anywhere in it.
    """
    return "".join(f"{_plain(line)}\n" for line in text.splitlines())


def _plain(line: str) -> str:
    line = line.replace("##[", "# #[")
    return f"| {line}" if line.lstrip().startswith("::") else line


def _escaped(value: str) -> str:
    """A message: line ends are kept, spelt out as GitHub does; any other control character as the text report does."""
    kept = "\n".join(safe(line) for line in value.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return kept.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _escaped(value).replace(":", "%3A").replace(",", "%2C")
