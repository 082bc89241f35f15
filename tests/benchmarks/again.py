"""Measures what the cache and the processes save, side by side with TorchFix and bare imports.

    python tests/benchmarks/again.py [PATH ...]

PATH: files, or folders of them; without one a corpus is made of the shipped fixtures. COMPILE_LINT_TORCHFIX names the
program to compare with (TorchFix 0.7); without it the one on the path, if any.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

WARM_OF_COLD = 0.05
"""CPU time of a run that finds all in the cache."""
CHANGED_OF_TORCHFIX = 0.15
"""CPU time of a run that names one changed file of 500 lines and no finding, in a project whose other files are in the
cache, against TorchFix on that file. One that has a finding needs libcst, whose import alone costs nearly as much."""
CHANGED_OF_LIBCST = 3.0
"""CPU time of a run over the whole project after an edit of that file, against `import libcst`."""
TWO_OF_ONE = 0.65
"""Wall time of two processes, on a machine with two idle CPUs."""
MOST_OF_TWICE = 2.2
"""CPU time and memory of a tree of twice as many files."""
RUNS = 9

_HELPER = "def scale{n}(x):\n    return x * {n}\n"
_MODEL = """\
import torch
from {package}.helper import scale{n}


class Net{n}(torch.nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x, mask=None):
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        return scale{n}(self.linear(x)).softmax(-1)
"""


def _load(name: str):
    spec = importlib.util.spec_from_file_location(f"compile_lint_test_{name}", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


measure = _load("measure")


def lint(root: Path, cache: Path | None, *more: str) -> list[str]:
    """The command that lints a folder, or the files named behind it."""
    where = ["--no-cache"] if cache is None else ["--cache-dir", str(cache)]
    return [sys.executable, "-m", "compile_lint", "--isolated", "--exit-zero", "-qq", *where, *more, str(root)]


def copied(files: Sequence[Path], folder: Path) -> Path:
    """The files in a folder of their own, where they can be changed."""
    shared = Path(os.path.commonpath([str(path.parent.resolve()) for path in files]))
    for path in files:
        target = folder / path.resolve().relative_to(shared)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return folder


def warm(root: Path, cache: Path) -> float:
    """CPU time of a run that finds all in the cache, against the one that filled it."""
    cold = measure.cost(lint(root, cache, "--jobs", "1")).seconds
    return min(measure.cost(lint(root, cache, "--jobs", "1")).seconds for _ in range(RUNS)) / cold


def changed(root: Path, cache: Path, path: Path) -> float:
    """CPU time of a run over a file or a folder after an edit of the file at `path`."""

    def edit_and_run() -> float:
        with path.open("a", encoding="utf-8") as stream:
            stream.write("# one more line\n")
        return measure.cost(lint(root, cache)).seconds

    measure.cost(lint(root, cache))
    return min(edit_and_run() for _ in range(RUNS))


def torchfix(path: Path) -> float | None:
    """CPU time of TorchFix on a file; None where it is not to be had."""
    program = os.environ.get("COMPILE_LINT_TORCHFIX") or shutil.which("torchfix")
    if program is None:
        return None
    return min(measure.cost([program, "--select=ALL", str(path)]).seconds for _ in range(RUNS))


def libcst() -> float:
    """CPU time of `import libcst`."""
    return min(measure.cost([sys.executable, "-c", "import libcst"]).seconds for _ in range(RUNS))


def wall(run: Callable[[], object]) -> float:
    """Seconds on the clock."""
    start = time.monotonic()
    run()
    return time.monotonic() - start


def two_processes(root: Path, runs: int = 3) -> float:
    """Wall time with two processes against one, the best of some runs each."""

    def best(jobs: str) -> float:
        return min(wall(lambda: measure.cost(lint(root, None, "--jobs", jobs))) for _ in range(runs))

    return best("2") / best("1")


def idle_cpus() -> bool:
    """Whether two loops at once take hardly longer than one: else nobody can tell what two processes gain."""
    loop = [sys.executable, "-c", "for _ in range(20_000_000): pass"]

    def both() -> None:
        for child in [subprocess.Popen(loop) for _ in range(2)]:
            child.wait()

    return wall(both) < 1.25 * wall(lambda: measure.cost(loop))


def make_tree(folder: Path, files: int) -> Path:
    """A tree of packages of ten files each, nine of which call the helpers of the tenth."""
    for number in range(files // 10):
        package = folder / f"package{number}"
        package.mkdir(parents=True)
        (package / "helper.py").write_text("".join(_HELPER.format(n=n) for n in range(9)))
        for n in range(9):
            (package / f"model{n}.py").write_text(_MODEL.format(n=n, package=package.name))
    return folder


def example(files: Sequence[Path], folder: Path) -> Path:
    """A file of 500 lines without a finding: the head of one of the files, cut off at a definition."""
    made = folder / "changed.py"
    for path in sorted(files, key=lambda each: each.stat().st_size):
        lines = path.read_text(encoding="utf-8").split("\n")
        cuts = [at for at in range(450, min(len(lines), 550)) if lines[at].startswith(("class ", "def ", "@"))]
        if not cuts:
            continue
        made.write_text("\n".join(lines[: min(cuts, key=lambda at: abs(at - 500))]), encoding="utf-8")
        command = [part for part in lint(made, None) if part not in ("--exit-zero", "-qq")]
        shown = subprocess.run([*command, "-q", "--format", "concise"], check=False, capture_output=True)
        if shown.returncode == 0 and not shown.stdout:
            return made
    raise ValueError("no file is long enough and without a finding")


def main() -> None:
    """Measure what the command line names."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        named = [Path(path) for path in sys.argv[1:]]
        files = measure.files_in(named) if named else measure.make_corpus(base)
        root, cache = copied(files, base / "copy"), base / "cache"
        print(f"{'CPU, warm against cold':<44}{warm(root, cache):>8.3f}   at most {WARM_OF_COLD:g}")
        path = example(files, root)
        took, other = changed(path, cache, path), torchfix(path)
        if other is not None:
            print(
                f"{'CPU, one file changed, against TorchFix':<44}{took / other:>8.3f}   at most {CHANGED_OF_TORCHFIX:g}"
            )
        whole = changed(root, cache, path) / libcst()
        print(f"{'CPU, the whole project, against libcst':<44}{whole:>8.2f}   at most {CHANGED_OF_LIBCST:g}")
        note = "" if idle_cpus() else "   (the CPUs are busy)"
        print(f"{'wall, two processes against one':<44}{two_processes(root, 1):>8.2f}   at most {TWO_OF_ONE:g}{note}")


if __name__ == "__main__":
    main()
