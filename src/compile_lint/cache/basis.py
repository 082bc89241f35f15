"""What a result rests on, in a form that a later run can hold against its own files."""

from __future__ import annotations

from dataclasses import dataclass

from compile_lint.project.project import Project, module_name
from compile_lint.results import FileResult


@dataclass(slots=True)
class Basis:
    """The answers that an analysis was given, with digests of the texts that it read; see `Reads`."""

    path: str
    module: str
    """Its dotted name."""
    names: dict[str, str | None]
    texts: dict[str, str]
    """Path -> digest of its text: of the file itself, and of every one that was read."""
    tops: dict[str, bool]
    words: list[tuple[tuple[str, ...], str]]
    """Words, and a digest of all files that hold one of them."""

    def holds(self, project: Project, path: str) -> bool:
        """Whether the files of a run would give the same answers to the analysis of the file at `path`."""
        sources, paths = project.sources, project.paths
        return (
            self.path == path
            and path in self.texts
            and self.module == module_name(sources[path])[0]
            and all(paths.get(name) == found for name, found in self.names.items())
            and all(project.has_top(top) == found for top, found in self.tops.items())
            and all(read in sources and project.digest(read) == text for read, text in self.texts.items())
            and all(project.digest_of_all(words) == text for words, text in self.words)
        )


def basis_of(project: Project, result: FileResult) -> Basis:
    """What a result rests on. The project must be the one that it was made with."""
    reads = result.reads
    return Basis(
        result.path,
        module_name(project.sources[result.path])[0],
        dict(reads.names),
        {path: project.digest(path) for path in sorted({result.path, *reads.paths})},
        dict(reads.tops),
        [(words, project.digest_of_all(words)) for words in sorted(reads.words)],
    )
