"""Reading a unified diff, as git and diff write it, into what became of each file."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchedFile, PatchSet

from compile_lint.changed.model import Changes, FileChange, Removed
from compile_lint.config.errors import ConfigError

NO_FILE = "/dev/null"
_ESCAPE = re.compile(rb"\\(?:(?P<octal>[0-3][0-7]{2})|(?P<sign>.))", re.DOTALL)
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_OF_A_DIFF = re.compile(rb"(?m)^(?:--- |\+\+\+ |@@ |diff |Binary files )")


def from_diff(data: bytes, folders: Sequence[str], place: str = "--diff") -> Changes:
    """The changes that a unified diff tells of.

    Its paths are looked for in each of the folders, without the first part (`a/`, `b/`) and with it.

    Args:
        data: the diff. Nothing at all is no change.
        folders: absolute; where the paths in the diff may start.
        place: how a complaint names the diff.

    Raises:
        ConfigError: it is no unified diff, or none of its files is there.
    """
    files = parse(data, place)
    named = [name for source, target, _ in files for name in (target, source) if name != NO_FILE]
    present = [target for _, target, _ in files if target != NO_FILE]
    at = _locator(present, folders)
    if at is None:
        raise ConfigError(
            f"{place}: {present[0]}: no such file, nor any other of the diff; run it in the folder that the paths of "
            "the diff start at"
        )
    return Changes(tuple(_change(source, target, file, at) for source, target, file in files)) if named else Changes()


def from_git_diff(data: bytes, top: str) -> list[FileChange]:
    """The changes in what git wrote, with the prefixes a/ and b/, about the work tree at `top`."""

    def at(name: str) -> str:
        return os.path.join(top, _without_first(name))

    return [_change(source, target, file, at) for source, target, file in parse(data, "git diff")]


def parse(data: bytes, place: str) -> list[tuple[str, str, PatchedFile]]:
    """The old name, the new name and the hunks of each file. Names are as they stand there, without quotes.

    Raises:
        ConfigError: it is no unified diff.
    """
    # Bytes that are no UTF-8 pass through; and nothing but a line feed ends a line.
    text = io.StringIO(data.decode("utf-8", "surrogateescape"), newline="\n")
    try:
        patch = PatchSet(text)
    except UnidiffParseError as error:
        raise ConfigError(f"{place}: is not a unified diff: {' '.join(str(error).split())}") from error
    if not patch and data.strip() and not _OF_A_DIFF.search(data):
        raise ConfigError(f"{place}: is not a unified diff: no file is named in it")
    return [(unquoted(file.source_file), unquoted(file.target_file), file) for file in patch]


def unquoted(name: str) -> str:
    """A name without the quotes and escapes that git puts round unusual ones."""
    if len(name) < 2 or not (name[0] == name[-1] == '"'):
        return name
    raw = os.fsencode(name[1:-1])
    return os.fsdecode(_ESCAPE.sub(_unescaped, raw))


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match["octal"]:
        return bytes([int(match["octal"], 8)])
    return _ESCAPES.get(match["sign"], match["sign"])


def _locator(present: Sequence[str], folders: Sequence[str]) -> Callable[[str], str] | None:
    """How to come from a name in the diff to a path: the way by which the most of its files are found."""
    ways: list[Callable[[str], str]] = [
        lambda name, folder=folder, cut=cut: os.path.join(folder, cut(name))  # type: ignore[misc]
        for folder in folders
        for cut in (_without_first, str)
    ]
    counts = [sum(os.path.exists(way(name)) for name in present) for way in ways]
    best = max(range(len(ways)), key=lambda index: (counts[index], -index))
    return ways[best] if counts[best] or not present else None


def _without_first(name: str) -> str:
    return name.partition("/")[2] or name


def _change(source: str, target: str, file: PatchedFile, at: Callable[[str], str]) -> FileChange:
    return FileChange(
        path="" if target == NO_FILE else os.path.realpath(at(target)),
        old_path="" if source == NO_FILE else os.path.realpath(at(source)),
        added=tuple(line.target_line_no for hunk in file for line in hunk if line.is_added and line.target_line_no),
        removed=tuple(_removed(file)),
    )


def _removed(file: PatchedFile) -> Iterator[Removed]:
    for hunk in file:
        # of a hunk that adds nothing and has no context, the start is the line before it
        after = hunk.target_start - 1 if hunk.target_length else hunk.target_start
        for line in hunk:
            if line.is_removed:
                yield Removed(after, line.value.removesuffix("\n").encode("utf-8", "surrogateescape"))
            elif line.is_added or line.is_context:
                after += 1
