"""What requests come, by input size: read from a file, or from `--vary`.

A traffic file is CSV in UTF-8; blank lines and lines that begin with # are skipped:

    file:    header row*  |  row*
    header:  dimension (',' dimension)* [',' 'count']     dimension: path (' ' path)*, as `--vary` writes paths
             'shape' [',' 'count']
    row:     INT (',' INT)*                               a size for each dimension, and how many requests had it
             SHAPE [',' INT]                              SHAPE: INT ('x' INT)*, of the first tensor, such as 8x128

Without a header each row is a shape. A row without a count is one request.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from compile_lint.bench.record import Size
from compile_lint.config.errors import ConfigError
from compile_lint.confirm.targets.vary import path_of, vary

_COUNT = "count"
_SHAPE = "shape"
_DIGITS = re.compile(r"\d{1,12}")
_MOST = 10_000
"""Combinations of `--vary` that are taken."""


@dataclass(frozen=True, slots=True)
class Requests:
    """Traffic before anything is measured of it."""

    source: str
    dimensions: tuple[str, ...]
    """Paths as `--vary` writes them; those that change together are separated by blanks."""
    sizes: tuple[Size, ...]
    """Each distinct size once, in the order in which they come first."""


@dataclass(frozen=True, slots=True)
class _Form:
    """What the rows hold."""

    dimensions: tuple[str, ...]
    """Empty where each row is a shape."""
    counted: bool


def read_traffic(path: str | Path) -> Requests:
    """The traffic in a file.

    Raises:
        ConfigError: it cannot be read or is not of the grammar; the text names file and line.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return parse(file, str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def parse(lines: Iterator[str], place: str) -> Requests:
    """The same from its lines. `place` names the file."""
    rows = _rows(lines, place)
    first = next(rows, None)
    if first is None:
        raise ConfigError(f"{place}: holds no request; write a line for each, such as 8x128, or shape,count")
    form = _header(*first, place)
    found: dict[tuple[int, ...], int] = {}
    dimensions = form.dimensions if form is not None else ()
    shapes = form is None or not form.dimensions
    for number, cells in rows if form is not None else itertools.chain([first], rows):
        where = f"{place}:{number}"
        values, count = _shape(cells, where) if shapes else _sizes(cells, form, where)
        if shapes and not dimensions:
            dimensions = tuple(f"0.{dimension}" for dimension in range(len(values)))
        if len(values) != len(dimensions):
            raise ConfigError(f"{where}: {len(values)} sizes, and {len(dimensions)} in the lines before")
        found[values] = found.get(values, 0) + count
    sizes = tuple(Size(values, count) for values, count in found.items() if count)
    if not sizes:
        raise ConfigError(f"{place}: holds no request below its header; write a line for each")
    return Requests(place, dimensions, sizes)


def of_vary(texts: Sequence[str]) -> Requests:
    """Each combination of the values of `--vary` as one request.

    Raises:
        ConfigError: a text is not of the grammar of `--vary`, or there are too many.
    """
    found = [vary(text, "--vary") for text in texts]
    dimensions = tuple(" ".join(path.text for path in each.paths) for each in found)
    combined = list(itertools.islice(itertools.product(*(each.values for each in found)), _MOST + 1))
    if len(combined) > _MOST:
        raise ConfigError(f"--vary: gives more than {_MOST} combinations of sizes")
    sizes = tuple(Size(values, 1) for values in dict.fromkeys(combined))
    return Requests(" ".join(f"--vary {text}" for text in texts), dimensions, sizes)


def _rows(lines: Iterator[str], place: str) -> Iterator[tuple[int, list[str]]]:
    """The rows with their line numbers, cells stripped."""
    reader = csv.reader(lines)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                yield reader.line_num, cells
    except csv.Error as error:
        raise ConfigError(f"{place}:{reader.line_num}: is not CSV: {error}") from error


def _header(number: int, cells: list[str], place: str) -> _Form | None:
    """The form that the first row says, None where it is a request itself."""
    if cells[0][:1].isdigit() and "." not in cells[0]:
        return None
    counted = len(cells) > 1 and cells[-1].lower() == _COUNT
    names = cells[:-1] if counted else cells
    if [name.lower() for name in names] == [_SHAPE]:
        return _Form((), counted)
    for name in names:
        if not name.split():
            raise ConfigError(f"{place}:{number}: a column has no name; name a dimension, such as x.0, or {_COUNT}")
        for part in name.split():
            path_of(part, f"{place}:{number}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(f"{place}:{number}: {twice!r} is named twice")
    return _Form(tuple(" ".join(name.split()) for name in names), counted)


def _shape(cells: list[str], where: str) -> tuple[tuple[int, ...], int]:
    if len(cells) > 2:
        raise ConfigError(f"{where}: expected a shape such as 8x128, or shape,count, not {','.join(cells)!r}")
    values = tuple(_number(part, where, "a size") for part in cells[0].lower().split("x"))
    return values, _number(cells[1], where, "a count") if len(cells) > 1 else 1


def _sizes(cells: list[str], form: _Form | None, where: str) -> tuple[tuple[int, ...], int]:
    assert form is not None, "a file without a header holds shapes"
    expected = len(form.dimensions) + form.counted
    if len(cells) != expected:
        raise ConfigError(f"{where}: {len(cells)} cells, and the header has {expected}")
    values = tuple(_number(cell, where, "a size") for cell in cells[: len(form.dimensions)])
    return values, _number(cells[-1], where, "a count") if form.counted else 1


def _number(cell: str, where: str, what: str) -> int:
    if not _DIGITS.fullmatch(cell):
        raise ConfigError(f"{where}: {cell!r} is not {what}: write a whole number that is not negative")
    return int(cell)
