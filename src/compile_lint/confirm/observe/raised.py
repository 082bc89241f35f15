"""Exceptions of the user's code and of the compiler, as plain values."""

from __future__ import annotations

import traceback

from compile_lint.confirm.exceptions import user_traceback
from compile_lint.confirm.observation import Place, Raised
from compile_lint.confirm.observe import records
from compile_lint.confirm.observe.places import Places, users_own
from compile_lint.confirm.observe.records import Frame

CATCHABLE = (Exception, SystemExit)
"""What a call of the user's is expected to raise; an interrupt of the user at the keyboard goes on."""
_HARNESS = ("__torch_function__", "__torch_dispatch__", "handle_torch_function", "_fn", "compile_wrapper")
_LENGTH = 2000


def raised(error: BaseException, places: Places, call: int) -> Raised:
    """The exception with its innermost line in the project: the one that TorchDynamo names, else of the traceback."""
    text = str(error)
    named = records.user_frames(text)
    found = records.ids(text)
    return Raised(
        kind=type(error).__name__,
        message=_message(text),
        place=places.innermost(named) or places.innermost(frames(error)),
        call=call,
        graph_break_id=found[0] if found else "",
        traceback=user_traceback(error, _of_the_harness),
    )


def _message(text: str) -> str:
    """Without the stack that TorchDynamo appends, and what it says of its own settings."""
    for mark in ("\nfrom user code:", "\nSet TORCHDYNAMO_VERBOSE", "\nSet TORCH_LOGS"):
        text = text.partition(mark)[0]
    return text.strip()[:_LENGTH]


def frames(error: BaseException) -> tuple[Frame, ...]:
    """The frames of the traceback below this tool, outermost first."""
    summary = traceback.extract_tb(error.__traceback__)
    return users_own(Frame(each.filename, each.lineno or 0, records.plain_name(each.name)) for each in summary)


def _of_the_harness(frame: traceback.FrameSummary) -> bool:
    return frame.name in _HARNESS and _in_torch(frame.filename)


def _in_torch(path: str) -> bool:
    return path.endswith(("torch/overrides.py", "torch/_dynamo/eval_frame.py"))


def data_dependent(error: BaseException) -> bool:
    """Whether a fake tensor was asked for a value that only real data has."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        each = todo.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        if type(each).__name__ in _DATA_DEPENDENT:
            return True
        todo += [each.__cause__, each.__context__]
    return False


_DATA_DEPENDENT = (
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "GuardOnDataDependentSymNode",
    "UnsupportedFakeTensorException",
)


def first_place(error: BaseException, places: Places) -> Place | None:
    """The innermost line of the project on the way to the exception; else the innermost line outside torch."""
    stack = frames(error)
    inside = places.innermost(stack)
    if inside is not None or not stack:
        return inside
    outside = [frame for frame in stack if "/torch/" not in frame.path]
    return places.place(outside[-1]) if outside else None
