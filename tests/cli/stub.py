"""An analysis that finds what comments tell it to, `# BAD CL101 likely`: for tests of the command line alone."""

import re
import sys
import types

from compile_lint.findings import EntryScore, Finding, Report
from compile_lint.score import readiness

_BAD = re.compile(r"# BAD (?P<code>CL\d+)(?: (?P<confidence>\w+))?")


def analyze(sources, settings, rulebook, progress=None, effort=None):
    findings, scores, files = [], [], 0
    total = len(sources)
    for source in sources:
        files += 1
        if progress is not None:
            progress(files, total)
        if "# CRASH" in source.text:
            raise RuntimeError("as the file asks")
        if "# CTRL-C" in source.text:
            raise KeyboardInterrupt
        mine = [*_findings(source, rulebook)]
        findings.extend(mine)
        if "forward" in source.text:
            sizes = [4] * (1 + sum(finding.kind == "break" for finding in mine))
            scores.append(EntryScore("Net.forward", source.path, 1, readiness(sizes), len(sizes), sum(sizes)))
    return Report(tuple(sorted(findings, key=lambda finding: finding.place)), tuple(scores), (), files)


def _findings(source, rulebook):
    for number, line in enumerate(source.text.split("\n"), 1):
        for bad in _BAD.finditer(line):
            rule = rulebook.get(bad["code"])
            column = len(line) - len(line.lstrip()) + 1
            yield Finding(
                code=rule.code,
                name=rule.name,
                kind=rule.kind,
                confidence=bad["confidence"] or "certain",
                path=source.path,
                line=number,
                column=column,
                end_line=number,
                end_column=max(column + 1, bad.start() - 1),
                message=f"found {rule.name}",
                why="`y` comes from `x.sum()`, line 1",
                instead=rule.instead,
                function="Net.forward",
                entry="Net.forward",
            )


def install(modules=sys.modules):
    """Put it in the place of the real one."""
    module = types.ModuleType("compile_lint.analysis")
    module.analyze = analyze
    modules["compile_lint.analysis"] = module


if __name__ == "__main__":
    install()
    from compile_lint.cli import main

    main()
