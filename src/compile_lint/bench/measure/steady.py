"""The two processes that come first: one that compiles nothing, one that begins cold and then calls both in turn."""

from __future__ import annotations

from compile_lint.bench.measure import agree, start
from compile_lint.bench.measure.calls import INDUCTOR, Calls, described
from compile_lint.bench.measure.context import Context
from compile_lint.bench.measure.first import first_calls
from compile_lint.bench.measure.machine import compiler, machine
from compile_lint.bench.measure.peak import Peak
from compile_lint.bench.measure.turns import FEWEST, calls_of_a_repeat, in_turn


def eager(context: Context) -> None:
    """A process that compiles nothing: the first call, the memory, and one repeat of eager calls."""
    target, peak = context.target, Peak(context.clock.cuda)
    calls = Calls(context)
    found = machine(context.subject.device)
    needed = not context.clock.cuda and (target.backend or INDUCTOR) == INDUCTOR
    context.say(machine=found, inputs=described(calls), compiler_missing=compiler()[1] if needed else "")
    context.phase("eager calls")
    peak.reset()
    calls.seeded()
    with calls.eagerly() as call:
        result, took = context.clock.wall(call)
        context.say(calls=(took,))
        agree.remember(context, result)
        del result
        count = calls_of_a_repeat(context, [context.clock.steady(call) for _ in range(FEWEST)])
        repeat = tuple(context.clock.steady(call) for _ in range(min(count, 2 * FEWEST)))
    context.say(eager=(repeat,), eager_memory=peak.read())
    if context.answer.eager_memory is None:
        context.note("this system does not tell the peak memory of a process; it was not measured")


def steady(context: Context) -> None:
    """A cold start; agreement with eager; then repeats A B A B of eager and compiled calls."""
    calls = Calls(context)
    function = calls.compiled(context.target.dynamic)
    if calls.itself:
        context.note("the target is compiled by its own code: its own options of torch.compile count")
    context.phase("first compiled call")
    first_calls(context, calls, function, on_result=agree.compare)
    if context.answer.error:
        return
    if context.plan.save_artifacts:
        start.save(context)
    in_turn(context, calls, function)
