"""Records what models of installed libraries do: `python tests/confirm/recorded/record.py FOLDER NAME...`.

FOLDER is the library's (`site-packages/transformers`), NAMEs are targets of `fixtures/confirm/compile-lint.toml`. Each
recording holds the observation, what the linter predicted, and what the join asked of the sources, so that it can be
joined again where neither torch nor the library is installed. Paths begin at `site-packages` or at the fixtures.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import sys
from pathlib import Path

import msgspec

from compile_lint._data import rules_root
from compile_lint.config.file import read
from compile_lint.config.options import merge
from compile_lint.confirm.join import Linter, join
from compile_lint.confirm.join.code import Code
from compile_lint.confirm.targets.resolve import resolve
from compile_lint.confirm.worker import confirm_all
from compile_lint.rulebook import load

HERE = Path(__file__).parent
FIXTURES = Path(__file__).parents[3] / "fixtures" / "confirm"


class Asked(Code):
    """Notes what it was asked, where the answer is not the line alone."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, dict[int, str]] = {}
        self.statements: dict[str, dict[int, tuple[int, int]]] = {}
        self.functions: dict[str, dict[int, tuple[int, int] | None]] = {}
        self.loops: dict[str, dict[int, tuple[int, int] | None]] = {}

    def line(self, path, line):
        return self.lines.setdefault(path, {}).setdefault(line, super().line(path, line))

    def statement(self, path, line):
        span = super().statement(path, line)
        if span != (line, line):
            self.statements.setdefault(path, {})[line] = span
        return span

    def function(self, path, line):
        return self.functions.setdefault(path, {}).setdefault(line, super().function(path, line))

    def behind(self, path, line):
        return self.loops.setdefault(path, {}).setdefault(line, super().behind(path, line))

    def noted(self) -> dict[str, object]:
        return {"line": self.lines, "statement": self.statements, "function": self.functions, "behind": self.loops}


def main(folder: str, names: list[str]) -> None:
    package = Path(folder).resolve()
    os.chdir(package.parent)  # findings are shown relative to it
    rulebook = load(rules_root())
    file = read(FIXTURES / "compile-lint.toml")
    options = merge({}, None, {rule.code: rule.name for rule in rulebook.rules}, Path.cwd())
    targets = [
        dataclasses.replace(target, project=(*target.project, str(package)))
        for target in resolve(names, {"device": "cpu"}, file, FIXTURES)
    ]
    linter = Linter(options, rulebook)
    for seen in confirm_all(targets):
        predicted, code = linter.predict(seen), Asked()
        made = join(seen, predicted, code=code)
        print(seen.name, seen.status, seen.message, made.figures, made.score, made.predicted_score, flush=True)
        shown = {finding.place for finding in predicted.shown}
        findings = [slim(finding) | {"shown": finding.place in shown} for finding in predicted.all]
        whole = {"observation": seen, "findings": findings, "score": predicted.score, "code": code.noted()}
        folders = (package.parent, Path(torch_folder()).parent)
        write(seen.name, whole, {**{str(each): "/site-packages" for each in folders}, str(FIXTURES): "/fixtures"})


def torch_folder() -> str:
    """Where torch lies; it need not be where the library is."""
    return os.path.dirname(importlib.util.find_spec("torch").origin)


def slim(finding):
    """A finding without the texts that its rule gives."""
    return dataclasses.asdict(finding) | {"why": "", "instead": ""}


def write(name, whole, short) -> None:
    """One line for each part, so that a change can be read."""
    lines = [f'"{key}": {msgspec.json.encode(value).decode()}' for key, value in whole.items()]
    text = "{" + ",\n".join(lines) + "}\n"
    for prefix, shorter in short.items():
        text = text.replace(prefix, shorter)
    (HERE / f"{name}.json").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
