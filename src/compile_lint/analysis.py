"""One run over a tree: what the cache knows, the analysis of the other files, and the report of all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from compile_lint.effort import Effort
from compile_lint.findings import Report, Source
from compile_lint.project.project import Project
from compile_lint.results import FileResult, report_of
from compile_lint.rulebook.lookup import Rulebook
from compile_lint.settings import Settings

if TYPE_CHECKING:
    from compile_lint.cache import Basis, Known

Progress = Callable[[int, int], None]
Analysed = tuple[FileResult, "Basis | None"]
ALONE = Effort()


def analyze(
    sources: Iterable[Source],
    settings: Settings,
    rulebook: Rulebook,
    progress: Progress | None = None,
    effort: Effort = ALONE,
    named: Collection[str] | None = None,
) -> Report:
    """Analyse a tree of sources. Findings are of every rule and carry no suppressions yet.

    Candidates less sure than `settings.min_confidence` are dropped early, before anything is parsed a second time. The
    report is the same for every `effort`.

    Args:
        sources: all that may be read.
        settings: of the run.
        rulebook: all rules.
        progress: told of files done, and of all files.
        effort: what is remembered, and how many processes share the work.
        named: the paths of the files whose entries are analysed; None for all. The others are read as far as those
            lead into them.
    """
    project = Project(sources)
    paths = [path for path in project.sources if named is None or path in named]
    return _report(
        _Work(sources, project, settings, rulebook.valid_for(settings.target_torch), effort), paths, progress
    )


def analyze_project(
    project: Project, paths: Sequence[str], settings: Settings, rulebook: Rulebook, progress: Progress | None = None
) -> Report:
    """Analyse the entries of some files of a project; the others are read as far as those lead into them."""
    rules = rulebook.valid_for(settings.target_torch)
    return _report(_Work((), project, settings, rules, ALONE), paths, progress)


def _report(work: _Work, paths: Sequence[str], progress: Progress | None) -> Report:
    known = _known(work)
    results = dict(known.all(paths)) if known is not None else {}
    for result, basis in _analysed(work, [path for path in paths if path not in results]):
        results[result.path] = result
        if known is not None and basis is not None:
            known.keep(result, basis)
        if progress is not None:
            progress(len(results), len(paths))
    return report_of((results[path] for path in paths), work.rules)


def _known(work: _Work) -> Known | None:
    if work.effort.cache is None:
        return None
    from compile_lint.cache import Known

    return Known(work.effort.cache, work.project, work.settings, work.rules)


class _Work:
    """What files are analysed with."""

    def __init__(
        self, sources: Iterable[Source], project: Project, settings: Settings, rules: Rulebook, effort: Effort
    ) -> None:
        self.sources = sources
        self.project = project
        self.settings = settings
        self.rules = rules
        self.effort = effort

    @property
    def based(self) -> bool:
        """Whether what each result rests on is asked for too."""
        return self.effort.cache is not None


def _analysed(work: _Work, paths: list[str]) -> Iterator[Analysed]:
    """The results of some files, in any order."""
    workers = work.effort.workers([len(work.project.sources[path].text) for path in paths])
    if workers > 1:
        from compile_lint.parallel import Pool

        left = set(paths)
        with Pool(workers, work.sources, work.settings, work.rules, work.based) as pool:
            for result, basis in pool.analysed(paths):
                left.discard(result.path)
                yield result, basis
        paths = [path for path in paths if path in left]  # no process could be started
    if paths:
        yield from _analysed_here(work, paths)


def _analysed_here(work: _Work, paths: list[str]) -> Iterator[Analysed]:
    from compile_lint.file_analysis import QuietCollector, Task, analyse_file

    task = Task.of(work.project, work.settings, work.rules)
    if work.based:
        from compile_lint.cache import basis_of
    with QuietCollector():
        for path in paths:
            result = analyse_file(task, path)
            basis = basis_of(work.project, result) if work.based else None
            yield result.without_reads(), basis
