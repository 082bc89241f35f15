"""Counts, in real packages' sources, the `m.def` that a plain search finds against those that the inventory has.

    python tests/benchmarks/native_ops.py [--missing] FOLDER ...

FOLDER: one package's unpacked source archive each. Prints for each: native files and MB, the `m.def(` that a search of
the text finds, how many of them the inventory has (as an operator, or as a function bound to Python), why others are
left out (in a comment, in the body of a macro, or as an error says), what is unexplained, errors, and seconds of CPU
for each MB. Exits with 1 if anything is unexplained or a package takes longer than 2 s for a MB.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from compile_lint.customops.native import NativeSide, native_files, read_native
from compile_lint.customops.native.text import code_only, macros
from compile_lint.discover.walk import File

MOST_SECONDS = 2.0
"""CPU for each MB of native sources."""
_SEARCH = re.compile(r"\bm\s*\.\s*def\s*\(")
_COLUMNS = ("files", "MB", "m.def", "operators", "bound", "comment", "macro", "error", "missing", "errors", "s/MB")


@dataclass(frozen=True)
class Measured:
    """One package: where its `m.def` went, and what it took."""

    files: int
    megabytes: float
    seconds: float
    went: Counter[str]
    missing: list[str]
    side: NativeSide

    @property
    def seconds_per_megabyte(self) -> float:
        return self.seconds / max(self.megabytes, 0.05)

    @property
    def good(self) -> bool:
        return not self.missing and self.seconds_per_megabyte <= MOST_SECONDS


def measure(folder: Path) -> Measured:
    """Take the inventory of a folder and search its sources."""
    folder = folder.resolve()
    files = native_files([str(folder)], respect_gitignore=False, cwd=str(folder))
    size = sum(Path(file.real).stat().st_size for file in files) / 1e6
    start = time.process_time()
    side = read_native(files)
    seconds = time.process_time() - start
    went: Counter[str] = Counter()
    missing = []
    known = _places(side)
    for path, line, where in (found for file in files for found in _searched(file)):
        reason = where or known.get((path, line), "missing")
        went[reason] += 1
        if reason == "missing":
            missing.append(f"{path}:{line}")
    return Measured(len(files), size, seconds, went, missing, side)


def _places(side: NativeSide) -> dict[tuple[str, int], str]:
    errors = {(path, line): "error" for path, line, _ in side.errors}
    bound = {(module.path, line): "bound" for module in side.modules for _, line in module.functions}
    defined = {place: "operators" for one in side.operators for place in ((one.path, one.line), *one.others)}
    return {**errors, **bound, **defined}


def _searched(file: File) -> Iterator[tuple[str, int, str]]:
    """Path and line of each `m.def(`, with `comment` or `macro` where it is no code of its own."""
    text = Path(file.real).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if not _SEARCH.search(text):
        return
    code = code_only(text)
    without = macros(text, code)[1]
    for match in _SEARCH.finditer(text):
        where = "comment" if code[match.start()] == " " else "macro" if without[match.start()] == " " else ""
        yield file.path, text.count("\n", 0, match.start()) + 1, where


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--missing", action="store_true", help="list what is unexplained, and all errors")
    options = parser.parse_args()
    print(f"{'package':20}" + "".join(f"{column:>11}" for column in _COLUMNS))
    bad = False
    for folder in options.folders:
        found = measure(folder)
        counts = [found.went[name] for name in ("operators", "bound", "comment", "macro", "error", "missing")]
        cells = [found.files, f"{found.megabytes:.2f}", sum(found.went.values()), *counts, len(found.side.errors)]
        print(f"{folder.name:20}" + "".join(f"{cell:>11}" for cell in (*cells, f"{found.seconds_per_megabyte:.2f}")))
        if options.missing:
            for line in (*found.missing, *(f"{p}:{n}: {words}" for p, n, words in found.side.errors)):
                print(f"    {line}")
        bad = bad or not found.good
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
