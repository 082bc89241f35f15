"""Makes instances of a target, one like the other: what is called, and the arguments of each call."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch

from compile_lint.config.nearest import hint
from compile_lint.confirm.load.errors import user_error, users_code
from compile_lint.confirm.load.fake import fake_inputs, fakes_of, modules_can_move
from compile_lint.confirm.load.inputs import Call, call_of, calls_of, described, is_named
from compile_lint.confirm.load.missing import called, check_calls, missing_init, required, signature_of
from compile_lint.confirm.load.move import place_inputs, place_module
from compile_lint.confirm.load.varied import varied
from compile_lint.confirm.observe.state import seed
from compile_lint.confirm.observe.subject import Prepared
from compile_lint.confirm.target import Target
from compile_lint.confirm.targets.grammar import init_argument

_FORM = "a callable or an nn.Module, alone or as (callable, args) or (callable, args, kwargs)"

Made = tuple[Callable[..., Any], Call | None]
"""What is called, and the arguments that came with it."""


class Maker:
    """Makes what a target names, anew each time.

    What the name stands for is found out at the first instance, within FakeTensorMode if that is on: a factory must
    not fill memory only to be recognised. Every call raises LoadError for what the user's code raises.
    """

    def __init__(self, target: Target, value: Any, inputs: Callable[[], Any] | None, device: torch.device) -> None:
        """`value` is what the name stands for, `inputs` the function of `--inputs`."""
        self.target = target
        self.value = value
        self.inputs = inputs
        self.device = device
        self.dtype: torch.dtype | None = getattr(torch, target.dtype) if target.dtype else None
        self.init = {a.name: a.value for a in (init_argument(text, "--init") for text in target.init)}
        self.factory: bool | None = None
        """Whether it is called to get what is compiled; None before that is known."""

    def __call__(self) -> Prepared:
        """A new instance, equal to the others."""
        with modules_can_move():
            return self._made()

    def _made(self) -> Prepared:
        seed(self.target.seed)
        value, brought = self._instance()
        train = self.target.train
        if train is None and isinstance(self.value, type):
            train = False
        with users_code(f"moving {self.target.name} to {self.device}"):
            place_module(value, self.device, self.dtype, train)
        # Seeded again, so that inputs do not depend on how many numbers the weights took.
        seed(self.target.seed)
        return Prepared(value, self._calls(value, brought))

    def _instance(self) -> Made:
        value = self.value
        if isinstance(value, type):
            return self._constructed(value), None
        if isinstance(value, torch.nn.Module):
            self._takes_no_init(value)
            return _copied(value), None
        if not callable(value):
            raise user_error(
                f"{self.target.name}: is {described(value)}; it must be {_FORM}, or a function that returns one"
            )
        if self.factory is None:
            return self._recognised(value)
        return self._from_factory(value) if self.factory else (value, None)

    def _takes_no_init(self, value: Any) -> None:
        if self.init:
            raise user_error(f"--init: {self.target.name} is {described(value)}, which takes no arguments")

    def _constructed(self, cls: type) -> Callable[..., Any]:
        signature = signature_of(cls)
        self._check_init(cls.__qualname__, signature)
        left = required(signature, self.init)
        if left:
            raise missing_init(cls, left, self.target)
        with users_code(f"calling {cls.__qualname__}({self._init_text()})"):
            made = cls(**copy.deepcopy(self.init))
        if not callable(made):
            raise user_error(f"{self.target.name}: an instance of {cls.__qualname__} cannot be called")
        return made  # type: ignore[no-any-return]

    def _check_init(self, name: str, signature: Any) -> None:
        if signature is None or any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
            return
        for given in self.init:
            if given not in signature.parameters:
                raise user_error(f"--init: {name} takes no {given!r}{hint(given, list(signature.parameters))}")

    def _init_text(self) -> str:
        return ", ".join(self.target.init)

    def _recognised(self, value: Callable[..., Any]) -> Made:
        """Tell a function that makes the thing from the thing itself: it takes nothing, and returns a callable."""
        signature = signature_of(value)
        if self.init:
            self._check_init(called(value), signature)
        if signature is None or required(signature, self.init):
            self._takes_no_init(value)
            self.factory = False
            return value, None
        made = self._call(value)
        found = split(made)
        if found is None and (wrong := self._wrong(made)):
            raise user_error(f"{self.target.name}: {called(value)}() returned {wrong}; it must return {_FORM}")
        self.factory = found is not None
        return found or (value, None)

    def _call(self, value: Callable[..., Any]) -> Any:
        with users_code(f"calling {called(value)}({self._init_text()})"):
            return value(**copy.deepcopy(self.init))

    def _from_factory(self, value: Callable[..., Any]) -> Made:
        made = self._call(value)
        found = split(made)
        if found is None:
            raise user_error(
                f"{self.target.name}: {called(value)}() returned {described(made)}, and a callable when called before"
            )
        return found

    def _wrong(self, made: Any) -> str:
        """What a function returned that cannot be the thing that is compiled either; empty if it can."""
        if isinstance(made, tuple) and made and callable(made[0]):
            return f"a tuple whose parts do not fit: {', '.join(described(part) for part in made)}"
        if isinstance(made, (str, bytes, type)) or (isinstance(made, (list, dict)) and _holds_module(made)):
            return described(made)
        if self.init or self.target.input or self.target.inputs or self.target.vary:
            return described(made)  # what was given must be for something
        return ""

    def _calls(self, value: Callable[..., Any], brought: Call | None) -> list[Call]:
        target, signature = self.target, signature_of(value)
        calls: list[Call] = [((), {})]
        source = "no inputs"
        if self.inputs is not None:
            calls, source = calls_of(self.inputs, target.inputs), f"--inputs {target.inputs}"
        elif target.input:
            calls, source = [call_of(target.input)], "--input"
        elif brought is not None:
            calls, source = [brought], f"the arguments that {called(self.value)}() returned"
        check_calls(value, signature, calls, source, target)
        with users_code(f"moving inputs to {self.device}"):
            placed: list[Call] = [fake_inputs(place_inputs(call, self.device, self.dtype)) for call in calls]
        return [*placed, *varied(placed[0], target.vary, signature)]


def split(made: Any) -> Made | None:
    """What a factory returned as the callable and its arguments; None if it is not of that form."""
    if not isinstance(made, tuple):
        return (made, None) if callable(made) and not isinstance(made, type) else None
    if not 2 <= len(made) <= 3 or not callable(made[0]) or isinstance(made[0], type):
        return None
    if not isinstance(made[1], (tuple, list)) or not (len(made) == 2 or is_named(made[2])):
        return None
    return made[0], (tuple(made[1]), dict(made[2]) if len(made) == 3 else {})


def _holds_module(values: Sequence[Any] | dict[Any, Any]) -> bool:
    items = values.values() if isinstance(values, dict) else values
    return any(isinstance(item, torch.nn.Module) for item in items)


def _copied(module: torch.nn.Module) -> torch.nn.Module:
    """A copy, so that one run cannot change what the next one sees; the module itself where it cannot be copied."""
    try:
        return copy.deepcopy(module, fakes_of(module))
    except Exception:
        return module
