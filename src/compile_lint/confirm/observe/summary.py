"""Turns what was heard into the breaks and recompilations of an observation. No torch in here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from compile_lint.confirm.observation import Break, Place, Recompile
from compile_lint.confirm.observe import guards, places
from compile_lint.confirm.observe.places import Places, users_own
from compile_lint.confirm.observe.records import BreakRecord, Frame, Guard, RecompileRecord


def breaks(heard: Iterable[tuple[int, BreakRecord]], where: Places) -> tuple[Break, ...]:
    """One a source line, in the order in which they were first seen."""
    found: dict[tuple[str, int], Break] = {}
    before: list[BreakRecord] = []
    for call, record in heard:
        record = replace(record, stack=users_own(record.stack))
        key = (record.at.path, record.at.line)
        failed = _not_resumed(record, before[-1]) if before else None
        cause = failed or _given_up_around(record, before)
        if key in found:
            found[key] = _again(found[key], record)
        else:
            found[key] = _first(record, call, cause, where)
        if failed is not None:
            key = (failed.at.path, failed.at.line)
            why = found[key].skip_reason or " ".join((*record.ids[:1], record.reason.partition(":")[0]))
            found[key] = replace(found[key], frame_skipped=True, skip_reason=why)
        before.append(record)
    return tuple(found.values())


def _first(record: BreakRecord, call: int, cause: BreakRecord | None, where: Places) -> Break:
    at = where.place(record.at)
    in_project = where.in_project(at.path)
    return Break(
        at=at,
        project=at if in_project else where.innermost(record.stack),
        in_project=in_project,
        graph_break_id=record.ids[0] if record.ids else "",
        url=record.url,
        reason=record.reason,
        hint=record.hint,
        frame_skipped=record.frame_skipped,
        times=1,
        call=call,
        stack=tuple(where.place(frame) for frame in record.stack) or (at,),
        consequence_of=f"{cause.at.path}:{cause.at.line}" if cause is not None else "",
        skip_reason=_skip_reason(record),
    )


def _again(seen: Break, record: BreakRecord) -> Break:
    new = [each for each in record.ids[:1] if each not in (seen.graph_break_id, *seen.also)]
    return replace(
        seen,
        times=seen.times + 1,
        also=(*seen.also, *new) if seen.graph_break_id else (),
        graph_break_id=seen.graph_break_id or (new[0] if new else ""),
        frame_skipped=seen.frame_skipped or record.frame_skipped,
        skip_reason=seen.skip_reason or _skip_reason(record),
    )


def _skip_reason(record: BreakRecord) -> str:
    return " ".join((*record.skip_ids, record.skip_reason)).strip()


def _not_resumed(record: BreakRecord, before: BreakRecord) -> BreakRecord | None:
    """The break before, if this record only says that the graph could not be ended there.

    TorchDynamo then names the line of the frame that it was about to resume in: on the way to the line that broke.
    """
    if not record.frame_skipped or before.frame_skipped or record.at == before.at:
        return None
    if not record.stack or len(before.stack) < len(record.stack):
        return None
    here, same = record.stack[-1], before.stack[len(record.stack) - 1]
    on_the_way = record.stack[:-1] == before.stack[: len(record.stack) - 1]
    return before if on_the_way and (here.path, here.name) == (same.path, same.name) else None


def _given_up_around(record: BreakRecord, before: Sequence[BreakRecord]) -> BreakRecord | None:
    """The break for which the function around a comprehension was given up, if this record is about its iterator.

    Before Python 3.12 a comprehension is a function, which is compiled alone where the one around it is not; it then
    takes an iterator that TorchDynamo cannot trace.
    """
    if not record.frame_skipped or record.at.name not in _COMPREHENSIONS or not _ITERATES.search(record.reason):
        return None
    outer = [(frame.path, frame.name) for frame in record.stack[:-1]][-1:]
    return next(
        (each for each in before if each.frame_skipped and outer and outer[0] in _functions_of(each)),
        None,
    )


_ITERATES = re.compile(r"_iterator|__next__|next\(\)|iternext")
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def _functions_of(record: BreakRecord) -> set[tuple[str, str]]:
    return {(frame.path, frame.name) for frame in record.stack}


def recompiles(
    heard: Sequence[tuple[int, RecompileRecord]], opened: Sequence[bool | None], where: Places, known: Sequence[str]
) -> tuple[Recompile, ...]:
    """Each recompilation with the guard of the version that was compiled last; `known` are paths of source files.

    `opened` says of each whether the graph that it captured leaves a size or a number open, None where it captured
    none: then a size that changes a guard only once is taken for made dynamic.
    """
    found: list[Recompile] = []
    about = Counter(_about(record) for _, record in heard)
    for (call, record), open_now in zip(heard, opened, strict=True):
        guard = record.guards[0] if record.guards else Guard("")
        meant = guards.meaning(guard.text, guard.hint) if guard.text else guards.Meaning("TorchDynamo gives no reason")
        function = record.function
        found.append(
            Recompile(
                place=places.definition(function.path, function.line, function.name),
                call=call,
                guard=guards.readable(guard.text),
                reason=meant.words,
                input=meant.subject,
                guard_place=_guard_place(guard, where, [function.path, *known]),
                automatic_dynamic=meant.number and (about[_about(record)] == 1 if open_now is None else open_now),
            )
        )
    return tuple(found)


def _about(record: RecompileRecord) -> tuple[Frame, str, str]:
    """The code that is compiled again, and what about."""
    return record.function, record.name, guards.meaning(record.guards[0].text).subject if record.guards else ""


def _guard_place(guard: Guard, where: Places, known: Sequence[str]) -> Place | None:
    if (found := where.innermost(guard.stack)) is not None:
        return found
    path = places.resolve(guard.short_path, known) if guard.short_path else ""
    return where.innermost([Frame(path, guard.line)]) if path else None
