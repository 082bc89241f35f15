"""Workflow commands of GitHub Actions: an annotation for each thing at its line, then the summary as plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compile_lint.confirm.join.model import Confirmation, ConfirmRun
from compile_lint.confirm.report import text, words
from compile_lint.report.workflow import command, plain


def render(run: ConfirmRun, failures: Sequence[str] = ()) -> str:
    """Annotations, then the summary."""
    lines = [line for target in run.targets for line in _target(target)]
    lines += [command("error", f"compile-lint: {failure}", title="compile-lint confirm") for failure in failures]
    return "".join(f"{line}\n" for line in dict.fromkeys(lines)) + plain(text.render(run, False, -1))


def _target(target: Confirmation) -> Iterator[str]:
    if target.status != "ok":
        yield command("error", f"{target.status}: {target.message}", title=f"{target.name}: {target.status}")
    if target.error is not None:
        at = target.error.place
        message = f"raises only when compiled: {target.error.kind}: {words.first_line(target.error.message, 300)}"
        yield command("error", message, at.path if at else "", at.line if at else 0, target.name)
    for one in target.breaks:
        if one.consequence_of:
            continue
        at = one.charged_to
        where = f" in {words.place(one.path, one.line)}" if not one.in_project else ""
        rules = f" [{', '.join(one.codes)}]" if one.codes else ""
        hint = f"\n{one.hint}" if one.hint else ""
        path, line = (at.path, at.line) if at else (one.path, one.line)
        title = " ".join(filter(None, ("graph break", one.graph_break_id)))
        yield command("warning", f"{target.name}: {one.reason}{where}{rules}{hint}", path, line, title)
    for again in target.recompiles:
        if not again.automatic_dynamic:
            at = again.guard_place
            path, line = (at.path, at.line) if at else (again.path, again.line)
            yield command("warning", f"{target.name}: {words.recompile_words(again)}", path, line, "recompilation")
    for operator in target.operators:
        if operator.status not in ("passed", "not-checked"):
            at = operator.place
            problems = "\n".join(words.operator_problems(operator))
            path, line = (at.path, at.line) if at else ("", 0)
            message = f"{target.name}: {operator.qualified} {words.operator_words(operator)}\n{problems}"
            yield command("warning", message, path, line, f"custom operator {operator.status}")
    if target.same_result is False:
        yield command("error", f"results differ from eager: {'; '.join(target.differences)}", title=target.name)
