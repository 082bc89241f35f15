"""Holds predicted scores against measured ones over measured cases.

    python tests/benchmarks/confirm_score.py FOLDER
    python tests/benchmarks/confirm_score.py --models SOURCES OBSERVATIONS

FOLDER holds cases as tests/confirm/observe/truth.py takes them. OBSERVATIONS holds one JSON file for each model: its
class, its breaks, the lines that ran by file below SOURCES. They tell no sizes of graphs, so only models that ran in
one graph can be compared: they score 100.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

LEAST_CORRELATION = 0.85
MOST_DIFFERENCE = 12.0
"""Points, the mean over the cases."""
TORCH = "2.13"
"""What the models were observed on."""


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


def model_pairs(sources: Path, observations: Path) -> list[tuple[float, float]]:
    """Predicted and measured score of each observed model that ran without a break, in one graph."""
    seen = [json.loads(path.read_text()) for path in sorted(observations.glob("*.json"))]
    whole = [one for one in seen if not one["error"] and not one["breaks"] and one["graphs"] == 1]
    scores = [predicted(sources.resolve(), one["class"], one["covered"]) for one in whole]
    return [(score, 100.0) for score in scores if score is not None]


def predicted(sources: Path, name: str, covered: dict[str, list[int]]) -> float | None:
    """The predicted score of a class's forward, from the files that ran and what they import."""
    from compile_lint._data import rules_root
    from compile_lint.analysis import analyze
    from compile_lint.confirm.join.files import with_imports
    from compile_lint.discover import File, Sources
    from compile_lint.rulebook import load as load_rules
    from compile_lint.settings import Settings

    ran = [str(sources / path) for path in covered if (sources / path).exists()]
    files = [File(os.path.relpath(path, sources), path) for path in with_imports(ran, [str(sources)])]
    settings = Settings(entry_points=(f"{name}.forward", f"*.{name}.forward"), target_torch=TORCH)
    report = analyze(Sources(files, (), lambda source: None), settings, load_rules(rules_root()))
    return next((one.score for one in report.scores if one.entry.endswith(f"{name}.forward")), None)


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
    given = [Path(each) for each in sys.argv[1:] if each != "--models"]
    models = "--models" in sys.argv
    found = model_pairs(*given) if models else pairs(*given)
    expected, measured = map(list, zip(*found, strict=True))
    mean = sum(abs(a - b) for a, b in found) / len(found)
    rank = "" if models else f"Spearman {spearman(expected, measured):.3f}, "
    print(f"{len(found)} cases: {rank}mean difference {mean:.1f} points")


if __name__ == "__main__":
    main()
