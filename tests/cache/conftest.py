"""A linted tree in a folder, and runs over it with a cache."""

import os
from dataclasses import dataclass, field
from textwrap import dedent

import pytest

from compile_lint import analysis, file_analysis
from compile_lint.cache import Folder
from compile_lint.discover import Sources, find
from compile_lint.effort import Effort
from compile_lint.settings import Settings


@dataclass
class Tree:
    """Files in a folder. `analysed` are the paths that the last run had to analyse."""

    root: object
    rules: object
    analysed: list = field(default_factory=list)

    def write(self, **files):
        for name, text in files.items():
            path = self.root / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))

    @property
    def cache(self):
        return self.root / ".compile_lint_cache"

    def run(self, cached=True, jobs=1, **settings):
        self.analysed.clear()
        sources = Sources(find(["."], [".compile_lint_cache"], False, os.getcwd()).files)
        effort = Effort(Folder(self.cache) if cached else None, jobs)
        return analysis.analyze(sources, Settings(target_torch="2.13", **settings), self.rules, None, effort)

    def entries(self):
        return sorted(self.cache.glob("*/*/*.json"))


@pytest.fixture
def tree(tmp_path, monkeypatch, linting):
    monkeypatch.chdir(tmp_path)
    made = Tree(tmp_path, linting.rulebook())
    inner = file_analysis.analyse_file

    def watched(task, path):
        made.analysed.append(path)
        return inner(task, path)

    monkeypatch.setattr(file_analysis, "analyse_file", watched)
    return made
