"""One observation and what the linter says of its files, joined."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from compile_lint.confirm.join.code import Code
from compile_lint.confirm.join.figures import of_run, of_target, run_score_of
from compile_lint.confirm.join.measured import measure
from compile_lint.confirm.join.model import Confirmation, ConfirmRun, JoinedBreak, JoinedRecompile
from compile_lint.confirm.join.predict import Linter, Prediction
from compile_lint.confirm.join.verdicts import Judge, Site
from compile_lint.confirm.observation import Break, Observation, OperatorSeen, Place, Raised, Recompile
from compile_lint.discover import shown

_BREAKING = ("break", "error")


def join_all(
    seen: Sequence[Observation],
    linter: Linter,
    torch_config: Mapping[str, dict[str, object]] | None = None,
    shard: str = "",
) -> ConfirmRun:
    """All targets of a run joined.

    Args:
        seen: the observations, in the order to report them.
        linter: what predicts.
        torch_config: settings of torch._dynamo.config by target name.
        shard: `1/4` where only that share of the targets was run.
    """
    configs = torch_config or {}
    return run_of([join(one, linter.predict(one, configs.get(one.name))) for one in seen], shard)


def run_of(targets: Sequence[Confirmation], shard: str = "") -> ConfirmRun:
    """The run that these targets make, with its score and figures."""
    return ConfirmRun(tuple(targets), run_score_of(targets), of_run(targets), shard)


def join(seen: Observation, predicted: Prediction, cwd: str | None = None, code: Code | None = None) -> Confirmation:
    """One target joined.

    Args:
        seen: what was observed.
        predicted: what the linter says.
        cwd: what paths become relative to, by default the working directory.
        code: the sources of the files that are named, by default as they lie on the disk.
    """
    folder = cwd or os.getcwd()
    code = code or Code()
    judge = Judge(seen, code, folder)
    findings = tuple(judge.judge(finding) for finding in predicted.shown)
    codes = _codes(predicted, judge)
    breaks = tuple(sorted((_break(one, judge, codes, code, folder) for one in seen.breaks), key=_order))
    recompiles = tuple(_recompile(one, folder) for one in seen.recompiles)
    entry = _shown(seen.entry, folder)
    made = Confirmation(
        name=seen.name,
        status=seen.status,
        message=seen.message,
        traceback=seen.traceback,
        torch=seen.torch,
        device=seen.device,
        entry=entry,
        calls=seen.calls,
        graphs=seen.graphs,
        ops_outside_graphs=seen.ops_outside_graphs,
        compiled_graphs=seen.compiled_graphs,
        guards=seen.guards,
        explain=seen.explain,
        breaks=breaks,
        findings=findings,
        recompiles=recompiles,
        recompile_limit_hit=seen.recompile_limit_hit,
        error=_raised(seen.error, folder),
        same_result=seen.same_result,
        tolerance=seen.tolerance,
        differences=seen.differences,
        seen_until=_shown(seen.seen_until, folder),
        operators=tuple(_operator(one, predicted.declared, folder) for one in seen.operators),
        seconds=dict(seen.seconds),
        predicted_score=None if predicted.score is None else predicted.score.score,
    )
    if seen.status == "ok":
        error = made.error
        found = measure(replace(seen, error=error), breaks, recompiles, entry)
        made = replace(made, score=found.score, deductions=found.costs, fix_first=found.fix_first)
    return replace(made, figures=of_target(made))


def _order(one: JoinedBreak) -> tuple[bool, str, int, str]:
    return (not one.in_project, one.path, one.line, one.graph_break_id)


def _codes(predicted: Prediction, judge: Judge) -> dict[Site, tuple[str, ...]]:
    """The rules that say of a statement that it breaks or raises."""
    found: dict[Site, dict[str, None]] = {}
    for finding in predicted.all:
        if finding.kind in _BREAKING:
            for site in judge.sites(finding):
                found.setdefault(site, {})[finding.code] = None
    return {site: tuple(sorted(codes)) for site, codes in found.items()}


def _break(one: Break, judge: Judge, codes: Mapping[Site, tuple[str, ...]], code: Code, cwd: str) -> JoinedBreak:
    mine = codes.get(judge.site(one.project), ()) if one.project is not None else ()
    return JoinedBreak(
        path=shown(one.at.path, cwd),
        line=one.at.line,
        function=one.at.function,
        graph_break_id=one.graph_break_id,
        url=one.url,
        reason=one.reason,
        hint=one.hint,
        frame_skipped=one.frame_skipped,
        times=one.times,
        in_project=one.in_project,
        stack=tuple(_place(place, cwd) for place in one.stack),
        predicted=bool(mine),
        codes=mine,
        call=one.call,
        charged_to=_shown(one.project, cwd),
        consequence_of=_consequence(one.consequence_of, cwd),
        source=code.line(one.at.path, one.at.line),
    )


def _consequence(text: str, cwd: str) -> str:
    path, colon, line = text.rpartition(":")
    return f"{shown(path, cwd)}:{line}" if colon and os.path.isabs(path) else text


def _recompile(one: Recompile, cwd: str) -> JoinedRecompile:
    return JoinedRecompile(
        path=shown(one.place.path, cwd),
        line=one.place.line,
        function=one.place.function,
        call=one.call,
        guard=one.guard,
        reason=one.reason,
        input=one.input,
        guard_place=_shown(one.guard_place, cwd),
        automatic_dynamic=one.automatic_dynamic,
    )


def _operator(one: OperatorSeen, declared: Mapping[str, Place], cwd: str) -> OperatorSeen:
    place = declared.get(one.qualified) or declared.get(one.name)
    return replace(one, place=_shown(one.place, cwd), declared=_shown(place or one.declared, cwd))


def _raised(error: Raised | None, cwd: str) -> Raised | None:
    return None if error is None else replace(error, place=_shown(error.place, cwd))


def _shown(place: Place | None, cwd: str) -> Place | None:
    return None if place is None else _place(place, cwd)


def _place(place: Place, cwd: str) -> Place:
    return Place(shown(place.path, cwd), place.line, place.function)
