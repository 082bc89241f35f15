"""Holds predicted scores against measured ones over measured cases.

    python tests/benchmarks/confirm_score.py FOLDER

FOLDER holds cases as tests/confirm/observe/truth.py takes them.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

LEAST_CORRELATION = 0.85
MOST_DIFFERENCE = 12.0
"""Points, the mean over the cases."""


def load(name: str, path: Path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def pairs(folder: Path) -> list[tuple[float, float]]:
    """Predicted and measured score of each case that has both."""
    import msgspec

    from compile_lint.cli.setup import rules
    from compile_lint.config.options import merge
    from compile_lint.confirm.join import Linter, join
    from compile_lint.confirm.observation import Observation

    truth = load("compile_lint_test_truth", Path(__file__).parents[1] / "confirm" / "observe" / "truth.py")
    book = rules({}, None)
    linter = Linter(merge({}, None, {rule.code: rule.name for rule in book.rules}, Path.cwd()), book)
    found = []
    for seen in truth.observe_all(sorted(truth.place_of(folder).absolute().glob("*.py"))).values():
        if isinstance(seen, str) or seen["status"] != "ok":
            continue
        one = msgspec.convert(seen, Observation)
        joined = join(one, linter.predict(one))
        if joined.score is not None and joined.predicted_score is not None:
            found.append((joined.predicted_score, joined.score))
    return found


def ranks(values: list[float]) -> list[float]:
    """The rank of each value; equal ones share the mean of theirs."""
    order = sorted(values)
    first = {value: order.index(value) for value in set(values)}
    return [first[value] + (order.count(value) - 1) / 2 for value in values]


def spearman(some: list[float], others: list[float]) -> float:
    """The rank correlation. ValueError where all values of one side are equal."""
    a, b = ranks(some), ranks(others)
    mean = (len(a) - 1) / 2
    over = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    under = (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
    if not under:
        raise ValueError("values that are all equal have no ranks")
    return over / under


def main() -> None:
    found = pairs(Path(sys.argv[1]))
    predicted, measured = map(list, zip(*found, strict=True))
    mean = sum(abs(a - b) for a, b in found) / len(found)
    print(f"{len(found)} cases: Spearman {spearman(predicted, measured):.3f}, mean difference {mean:.1f} points")


if __name__ == "__main__":
    main()
