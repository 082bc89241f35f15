"""Measures compile-lint against parsers on the same files, side by side: ratios hold on any machine, seconds do not.

    python tests/benchmarks/measure.py [PATH ...]

PATH: files, or folders of them; without one a corpus is made of the shipped fixtures. Each measurement is a process of
its own, and its whole CPU time counts, start-up and all. Linux and macOS (it needs the resource usage of children).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"

MOST_OF_AST = 5.0
"""CPU time against ast.parse of the same files."""
MOST_OF_LIBCST = 0.7
"""CPU time against libcst.parse_module of the same files."""
MOST_MEGABYTES = 250.0
"""Peak of resident memory, in MB of 2**20 bytes."""
MOST_OF_TWICE = 2.2
"""CPU time of twice as many bytes: of all files against every other one."""
MOST_OF_CLICK = 3.0
"""CPU time of `compile-lint --help` against `import click`."""

_READ = "import sys\ntexts = [open(path, encoding='utf-8').read() for path in sys.stdin.read().split('\\n') if path]\n"
_AST = _READ + "import ast\nfor text in texts:\n    ast.parse(text)\n"
_LIBCST = _READ + "import libcst\nfor text in texts:\n    libcst.parse_module(text)\n"
_LINT = (
    "import sys\nfrom compile_lint.cli import main\n"
    "paths = [path for path in sys.stdin.read().split('\\n') if path]\n"
    "main(['--isolated', '--no-cache', '--jobs', '1', '--exit-zero', '-qq', '--', *paths])\n"
)


@dataclass(frozen=True)
class Cost:
    """CPU time in seconds and peak memory in MB of one process."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Ratios:
    """What one comparison gave."""

    files: int
    megabytes: float
    """Size of the files, in MB of 2**20 bytes."""
    parse: Cost
    libcst: Cost
    lint: Cost
    half: Cost
    share: float
    """Of the bytes, what the half has."""

    @property
    def of_ast(self) -> float:
        return self.lint.seconds / self.parse.seconds

    @property
    def of_libcst(self) -> float:
        return self.lint.seconds / self.libcst.seconds

    @property
    def of_twice(self) -> float:
        return self.lint.seconds / self.half.seconds * self.share * 2


def cost(command: Sequence[str], given: str = "") -> Cost:
    """Run a command to its end, with text on its standard input, and say what it took. RuntimeError if it fails.

    An installed package has its bytecode beside it; so must a checkout, or each run would compile all of it again.
    """
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as stdin:
        stdin.write(given.encode())
        stdin.seek(0)
        child = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ
        )
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(command[:3])} ... left with {child.returncode}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def compare(paths: Sequence[Path]) -> Ratios:
    """Parse and lint the files, and lint every other one of them."""
    names = [str(path.resolve()) for path in paths]
    sizes = [path.stat().st_size for path in paths]
    python = [sys.executable, "-c"]
    return Ratios(
        len(paths),
        sum(sizes) / 2**20,
        parse=cost([*python, _AST], "\n".join(names)),
        libcst=cost([*python, _LIBCST], "\n".join(names)),
        lint=cost([*python, _LINT], "\n".join(names)),
        half=cost([*python, _LINT], "\n".join(names[::2])),
        share=sum(sizes[::2]) / sum(sizes),
    )


def help_ratio(runs: int = 7) -> float:
    """CPU time of `compile-lint --help` against importing click, the best of some runs each."""
    click = min(cost([sys.executable, "-c", "import click"]).seconds for _ in range(runs))
    shown = min(cost([sys.executable, "-m", "compile_lint", "--help"]).seconds for _ in range(runs))
    return shown / click


def files_in(paths: Sequence[Path]) -> list[Path]:
    """The Python files among the paths and below them that are UTF-8 and parse, so that all three can take them."""
    found = sorted({file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))})
    return [path for path in found if _parses(path)]


def _parses(path: Path) -> bool:
    try:
        compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def make_corpus(folder: Path, files: int = 90) -> list[Path]:
    """Modeling files made of the fixtures, no two of which share a name of a class; one in nine has broken models."""
    clean = sorted((FIXTURES / "clean").glob("*.py"))
    broken = sorted((FIXTURES / "broken").glob("*.py"))
    made = []
    for number in range(files):
        sources = broken if number % 9 == 8 else clean
        parts = [_renamed(source.read_text(encoding="utf-8"), f"{number}_{i}") for i, source in enumerate(sources)]
        path = folder / f"modeling_{number:03}.py"
        path.write_text("\n\n".join(parts), encoding="utf-8")
        made.append(path)
    return made


def _renamed(text: str, suffix: str) -> str:
    names = set(re.findall(r"^(?:class|def) (\w+)|^    def (\w+)", text, re.MULTILINE))
    plain = {name for pair in names for name in pair if name and not name.startswith("_") and name != "forward"}
    return re.sub(r"\b(?:" + "|".join(sorted(plain)) + r")\b", lambda match: f"{match[0]}_{suffix}", text)


def table(ratios: Ratios, help_took: float) -> str:
    """The figures with their bounds, for people."""
    rows = [
        ("CPU against ast.parse", f"{ratios.of_ast:.1f}", MOST_OF_AST),
        ("CPU against libcst.parse_module", f"{ratios.of_libcst:.2f}", MOST_OF_LIBCST),
        ("peak memory, MB", f"{ratios.lint.megabytes:.0f}", MOST_MEGABYTES),
        ("CPU, twice the files", f"{ratios.of_twice:.2f}", MOST_OF_TWICE),
        ("--help against import click", f"{help_took:.2f}", MOST_OF_CLICK),
    ]
    head = (
        f"{ratios.files} files, {ratios.megabytes:.1f} MB; CPU seconds: ast {ratios.parse.seconds:.2f}, "
        f"libcst {ratios.libcst.seconds:.2f}, compile-lint {ratios.lint.seconds:.2f}\n"
    )
    return head + "".join(f"{name:<38}{value:>8}   at most {bound:g}\n" for name, value, bound in rows)


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    chosen = parser.parse_args().paths
    with tempfile.TemporaryDirectory() as folder:
        files = files_in(chosen) if chosen else make_corpus(Path(folder))
        print(table(compare(files), help_ratio()), end="")


if __name__ == "__main__":
    main()
