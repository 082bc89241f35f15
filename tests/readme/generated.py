"""The parts of README.md that are generated: `python tests/readme/generated.py` writes them anew."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from compile_lint._data import rules_root
from compile_lint.rulebook import Rule, load

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
EXAMPLE = ("--target-torch", "2.13", "fixtures/broken/gpt_decoder.py")
OPERATORS = ("ops", "fixtures/ops_extension")
STUB = (*OPERATORS, "--stub", "ops_extension::shifted")
CONFIRMED = ("confirm", "fixtures/broken/gpt_decoder.py:make")
BENCHED = (
    "bench", "--config", "fixtures/bench/compile-lint.toml", "tagger", "--traffic", "fixtures/bench/lengths.csv",
    "--sizes", "4",
)  # fmt: skip
DECIDED = (
    *("decide", "--assume", "eager_ms=5000", "--assume", "compiled_ms=3500", "--assume", "cold_s=60"),
    *("--gpu-cost-per-month", "10000", "--requests-per-day", "100000", "--engineering-cost", "18000"),
)
REPORTED = (
    *("report", "--name", "detr", "--assume", "eager_ms=5000", "--assume", "compiled_ms=3500", "--assume", "cold_s=60"),
    *("--gpu-cost-per-month", "10000", "--requests-per-day", "100000", "--engineering-cost", "18000"),
    *("--format", "markdown"),
)
REPORTED_LINES = 19
CALLING = "fixtures/broken/custom_operator.py:make"
RANGES = {
    "CL1": "Control flow that depends on data",
    "CL2": "Tensor values read by Python",
    "CL3": "Shapes that depend on data",
    "CL4": "Custom operators and native code",
    "CL5": "Side effects, and Python that cannot be traced",
    "CL6": "Recompilation",
    "CL7": "Explicit opt-outs, and modules that are not traced",
    "CL8": "How torch.compile is called",
    "CL9": "The tool's own",
}


def example() -> str:
    """A real run on a shipped fixture, in a plain terminal."""
    environ = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "COMPILE_LINT_TRACEBACK")}
    command = [sys.executable, "-m", "compile_lint", "--isolated", *EXAMPLE]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 1 or done.stderr:
        raise RuntimeError(f"left with {done.returncode}: {done.stderr}")
    return f"```console\n$ compile-lint {' '.join(EXAMPLE)}\n{done.stdout}```\n"


def confirmed() -> str:
    """A real confirmation of the same fixture, on the CPU."""
    environ = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "COMPILE_LINT_TRACEBACK")}
    command = [sys.executable, "-m", "compile_lint", *CONFIRMED, "--isolated", "--device", "cpu"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 1 or done.stderr:
        raise RuntimeError(f"left with {done.returncode}: {done.stderr}")
    return f"```console\n$ compile-lint {' '.join(CONFIRMED)}\n{steady(done.stdout)}```\n"


def reported() -> str:
    """The begin of a page on figures that are assumed."""
    command = [sys.executable, "-m", "compile_lint", *REPORTED, "--isolated"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    lines = done.stdout.splitlines()[:REPORTED_LINES]
    return "\n".join([f"```console\n$ compile-lint {' '.join(REPORTED)} | head -{REPORTED_LINES}", *lines, "```\n"])


def decided() -> str:
    """A decision on figures that are assumed, without its checklist."""
    command = [sys.executable, "-m", "compile_lint", *DECIDED, "-q", "--isolated"]
    environ = {key: value for key, value in os.environ.items() if key != "FORCE_COLOR"}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60, check=True)
    return f"```console\n$ compile-lint {' '.join(DECIDED)} -q\n{done.stdout}```\n"


def formulas() -> str:
    """The formulas of `decide`, and what they take for granted."""
    from compile_lint.bench.figures import Range
    from compile_lint.decision.decide import decide
    from compile_lint.decision.formulas import assumptions
    from compile_lint.decision.formulas import formulas as lines
    from compile_lint.decision.model import Business, Evidence
    from compile_lint.report_page.catalogue import Catalogue

    catalogue = Catalogue("en")
    found = decide(Evidence("model", saving=Range(0.3, 0.3, 0.3)), Business())
    formulas_ = "\n".join(lines(catalogue))
    granted = "\n".join(f"- {line}" for line in assumptions(found, catalogue))
    return f"```text\n{formulas_}\n```\n\nTaken for granted:\n\n{granted}\n"


def operators_confirmed() -> str:
    """What a real confirmation says of the custom operators of a shipped fixture."""
    environ = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "COMPILE_LINT_TRACEBACK")}
    command = [sys.executable, "-m", "compile_lint", "confirm", CALLING, "--isolated", "--device", "cpu"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 1 or done.stderr:
        raise RuntimeError(f"left with {done.returncode}: {done.stderr}")
    found = re.search(r"^  operators\n(?:    .*\n)+", done.stdout, re.MULTILINE)
    if found is None:
        raise RuntimeError(f"no operators in {done.stdout}")
    return f"```text\n{found[0]}```\n"


def operators() -> str:
    """The inventory of the shipped extension."""
    return _operators(OPERATORS)


def stub() -> str:
    """What one of its operators lacks."""
    return _operators(STUB)


def _operators(command: tuple[str, ...]) -> str:
    whole = [sys.executable, "-m", "compile_lint", *command, "--isolated", "--color", "never"]
    done = subprocess.run(whole, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode or done.stderr:
        raise RuntimeError(f"left with {done.returncode}: {done.stderr}")
    return f"```console\n$ compile-lint {' '.join(command)}\n{done.stdout}```\n"


def steady(text: str) -> str:
    """A report without what differs between two runs: the time spent, and which build of torch it was."""
    text = re.sub(r", \d+\.\d s\)", ")", text)
    return re.sub(r"(under torch [\d.]*\d)\+\w+", r"\1", text)


def rules_table() -> str:
    """Every rule, by range."""
    return "\n".join(_tables(load(rules_root()).rules))


def _tables(rules: tuple[Rule, ...]) -> Iterator[str]:
    for prefix, title in RANGES.items():
        yield f"**{prefix}xx** {title}\n\n| code | name | kind | what |\n|---|---|---|---|"
        for rule in rules:
            if rule.code.startswith(prefix):
                yield f"| {rule.code} | {rule.name} | {rule.kind} | {_cell(rule.summary)}{_versions(rule)} |"
        yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _versions(rule: Rule) -> str:
    parts = [f"from torch {rule.since}"] * bool(rule.since) + [f"up to torch {rule.until}"] * bool(rule.until)
    return f" ({' '.join(parts)})" if parts else ""


def benched() -> str:
    """The report on a recorded measurement: a new one would differ in every figure."""
    from compile_lint.bench.read import read_record
    from compile_lint.bench.report import render

    report = render(read_record(ROOT / "tests" / "bench" / "recorded" / "tagger.json"), "text")
    return f"```console\n$ compile-lint {' '.join(BENCHED)}\n{report}```\n"


PARTS = {
    "example": example,
    "confirm": confirmed,
    "bench": benched,
    "decide": decided,
    "formulas": formulas,
    "report": reported,
    "operators-confirmed": operators_confirmed,
    "operators": operators,
    "stub": stub,
    "rules": rules_table,
}


def block(text: str, name: str) -> str:
    """What stands in README's generated part of that name."""
    found = _pattern(name).search(text)
    if found is None:
        raise ValueError(f"no part {name!r}")
    return found[0]


def renewed(text: str) -> str:
    """README with its generated parts made anew."""
    for name, make in PARTS.items():
        body = make()
        text = _pattern(name).sub(lambda _, body=body: body, text, count=1)
    return text


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- generated: {name} -->\n).*?(?=<!-- end generated -->)", re.DOTALL)


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
