"""Observations made by hand, and what joining makes of them; no torch."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from compile_lint._data import rules_root
from compile_lint.config.options import merge
from compile_lint.confirm.join import Linter, join
from compile_lint.confirm.join.join import run_of
from compile_lint.confirm.join.model import Confirmation, Cost, FixFirst, JoinedBreak, JoinedRecompile
from compile_lint.confirm.observation import (
    Argument,
    Break,
    Explain,
    Observation,
    OperatorCheck,
    OperatorSeen,
    Place,
    Raised,
    Recompile,
    TensorMeta,
)
from compile_lint.rulebook import load

REASON = "Data-dependent branching"
URL = "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html"


def broken(path, line, number="GB0170", *, function="fn", skipped=False, times=1, **more):
    """A break at a line of the project."""
    at = Place(str(path), line, function)
    values = {
        "at": at,
        "project": at,
        "in_project": True,
        "graph_break_id": number,
        "url": URL,
        "reason": REASON,
        "hint": "Use torch.cond",
        "frame_skipped": skipped,
        "times": times,
        "call": 0,
        "stack": (at,),
    }
    return Break(**{**values, **more})


def again(path, line, call=1, *, function="fn", automatic=False, place=None, **more):
    """A recompilation."""
    values = {
        "guard": "L['n'] == 3",
        "reason": "n was 3 and is 4",
        "input": "n",
        "guard_place": place,
        "automatic_dynamic": automatic,
    }
    return Recompile(Place(str(path), line, function), call, **{**values, **more})


def seen(path, lines, name="model", **more):
    """An observation of `fn` of a file, of which these lines ran."""
    values = {
        "torch": "2.13.0+cpu",
        "device": "cpu",
        "entry": Place(str(path), 5, "fn"),
        "calls": 1,
        "graphs": (4,),
        "compiled_graphs": 1,
        "guards": 3,
        "explain": Explain(1, 0, (4,), 3),
        "same_result": True,
        "tolerance": "float32: rtol 1.3e-06, atol 1e-05",
        "covered": {str(path): tuple(lines)},
        "project": (str(Path(path).parent),),
        "seconds": {"total": 1.25},
    }
    return Observation(name, **{**values, **more})


def linter(**options):
    """The linter as it is without a configuration."""
    rulebook = load(rules_root())
    return Linter(merge(options, None, {rule.code: rule.name for rule in rulebook.rules}, Path.cwd()), rulebook)


def joined(observation, **options):
    """The observation joined with what the linter says."""
    return join(observation, linter(**options).predict(observation))


def joined_break(path="m.py", line=7, number="GB0170", **more):
    """A break as it is after joining."""
    values = {
        "function": "fn",
        "url": URL,
        "reason": REASON,
        "hint": "",
        "frame_skipped": False,
        "times": 1,
        "in_project": True,
        "charged_to": Place(path, line, "fn"),
        "source": "if x.sum() > 0:",
    }
    return JoinedBreak(path=path, line=line, graph_break_id=number, **{**values, **more})


def joined_recompile(path="m.py", line=5, **more):
    """A recompilation as it is after joining."""
    values = {"function": "fn", "call": 1, "guard": "L['n'] == 3", "reason": "n was 3 and is 4", "input": "n"}
    return JoinedRecompile(path=path, line=line, **{**values, **more})


def target(name="model", **more):
    """A confirmed target."""
    values = {"torch": "2.13.0", "device": "cpu", "calls": 1, "graphs": (4,), "score": 100.0, "same_result": True}
    return Confirmation(name, **{**values, **more})


def operator(name="ns::op", **more):
    """A custom operator that was called and checked."""
    sample = (Argument("x", "", (TensorMeta("float32", (2, 3), (3, 1)),)), Argument("by", "2.0"))
    values = {"schema": f"{name}(Tensor x, float by) -> Tensor", "times": 2, "samples": (sample,), "status": "passed"}
    return OperatorSeen(name, "default", **{**values, **more})


def wrong_operator(**more):
    """One whose fake kernel promises something else."""
    says = "MetadataMismatchError: Stride mismatch!"
    values = {
        "status": "failed",
        "place": Place("m.py", 7, "fn"),
        "declared": Place("ops.py", 3),
        "checks": (OperatorCheck("schema", "passed"), OperatorCheck("fake-tensor", "failed", says)),
        "differences": ("strides of the output: [3, 1] by the fake kernel, [1, 2] by the real one",),
    }
    return operator("ns::wrong", **{**values, **more})


NASTY = "a|b\n`c` <i>%25 \x1b[31m\x07 \udc80 ::error::x"
"""What a message can hold at the worst."""


def nasty():
    """A target with the worst in every text that comes from outside."""
    at = Place(f"{NASTY}.py", 3, NASTY)
    return target(
        name=NASTY,
        device=NASTY,
        entry=at,
        graphs=(2, 2),
        score=50.0,
        same_result=False,
        tolerance=NASTY,
        differences=(NASTY,),
        breaks=(
            joined_break(at.path, 3, reason=NASTY, hint=NASTY, source=NASTY, function=NASTY, stack=(at,), url=NASTY),
            joined_break(NASTY, 9, in_project=False, charged_to=at, reason=NASTY),
        ),
        recompiles=(joined_recompile(NASTY, 5, reason=NASTY, guard=NASTY, input=NASTY, function=NASTY),),
        error=Raised(NASTY, NASTY, at, traceback=NASTY),
        deductions=(Cost("break", at.path, 3, 50.0, NASTY),),
        fix_first=FixFirst("break", at.path, 3, NASTY, 50.0, 100.0),
        seen_until=at,
        operators=(
            OperatorSeen(
                NASTY,
                NASTY,
                NASTY,
                1,
                at,
                at,
                ((Argument(NASTY, NASTY),),),
                "crashed",
                NASTY,
                (OperatorCheck("schema", "failed", NASTY),),
                (NASTY,),
            ),
        ),
    )


def failed(name="gone", status="user-error", **more):
    """A target that could not be observed."""
    return Confirmation(name, status=status, message="ValueError: no", traceback="Traceback\n  ValueError: no", **more)


def run(*targets, shard=""):
    """The run of these targets."""
    return run_of(targets, shard)


replace = dataclasses.replace
