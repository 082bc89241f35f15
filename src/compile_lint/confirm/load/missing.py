"""What a call or a class still needs, and a command line that would give it."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter, Signature
from typing import Any

import torch

from compile_lint.config.nearest import hint
from compile_lint.confirm.load.errors import LoadError, user_error
from compile_lint.confirm.load.inputs import Call
from compile_lint.confirm.load.move import module_of
from compile_lint.confirm.target import Target

_VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_DEFAULT = "float32[2,8]"
_IDS = re.compile(r"(^|_)(ids?|idx|index|indices|tokens?|labels?)$")
_VALUES = {"int": "8", "float": "0.5", "bool": "true", "str": "'text'"}
"""A literal for each annotation that has one."""
_NN = torch.nn
_SHAPES: tuple[tuple[Any, Callable[[Any], str]], ...] = (
    (_NN.Embedding, lambda layer: f"int64[2,8]<{layer.num_embeddings}"),
    (_NN.Linear, lambda layer: f"float32[2,{layer.in_features}]"),
    (_NN.Conv1d, lambda layer: f"float32[2,{layer.in_channels},32]"),
    (_NN.Conv2d, lambda layer: f"float32[2,{layer.in_channels},32,32]"),
    (_NN.Conv3d, lambda layer: f"float32[2,{layer.in_channels},16,32,32]"),
    (_NN.RNNBase, lambda layer: f"float32[2,8,{layer.input_size}]"),
    (_NN.MultiheadAttention, lambda layer: f"float32[2,8,{layer.embed_dim}]"),
    (_NN.LayerNorm, lambda layer: f"float32[2,{','.join(map(str, layer.normalized_shape))}]"),
)
"""What the first layer of a model takes says what the model may take."""


def signature_of(value: Any) -> Signature | None:
    """The signature of what is called (`forward` of a module), None where Python knows none."""
    try:
        return inspect.signature(value.forward if isinstance(value, torch.nn.Module) else value)
    except (TypeError, ValueError, AttributeError):
        return None


def required(signature: Signature | None, named: Iterable[str] = (), positional: int = 0) -> list[Parameter]:
    """The parameters that a call with these arguments leaves without a value."""
    if signature is None:
        return []
    left = []
    for parameter in signature.parameters.values():
        if parameter.kind in _VARIABLE:
            continue
        if positional and parameter.kind is not Parameter.KEYWORD_ONLY:
            positional -= 1
        elif parameter.default is Parameter.empty and parameter.name not in named:
            left.append(parameter)
    return left


def check_calls(value: Any, signature: Signature | None, calls: Sequence[Call], source: str, target: Target) -> None:
    """See that the arguments of each call fit.

    Raises:
        LoadError: arguments are missing, with a command line that would do, or too many, or of unknown name.
    """
    if signature is None:
        return
    for arguments, named in calls:
        left = required(signature, named, len(arguments))
        if left:
            raise _missing_inputs(value, signature, left, target)
        try:
            signature.bind(*arguments, **named)
        except TypeError as error:
            known = [name for name, parameter in signature.parameters.items() if parameter.kind not in _VARIABLE]
            strange = [name for name in named if name not in known]
            words = f"{called(value)} takes no {strange[0]!r}{hint(strange[0], known)}" if strange else str(error)
            raise user_error(f"{source}: {words}{'' if strange else f': {_shown(value, signature)}'}") from None


def _missing_inputs(value: Any, signature: Signature, left: Sequence[Parameter], target: Target) -> LoadError:
    names = ", ".join(parameter.name for parameter in left)
    given = target.input if not target.inputs else ()
    new = [f"{parameter.name}={guess}" for parameter, guess in zip(left, _guesses(value, left), strict=True)]
    # A name cannot be given to a positional-only one; those come first, in order.
    bare = {parameter.name for parameter in left if parameter.kind is Parameter.POSITIONAL_ONLY}
    texts = [*given, *(text.partition("=")[2] if text.partition("=")[0] in bare else text for text in new)]
    return user_error(
        f"{_shown(value, signature)} has no input for {names}; this would do: {command(target, 'input', texts)}"
    )


def missing_init(cls: type, left: Sequence[Parameter], target: Target) -> LoadError:
    """The complaint about a class whose arguments are missing."""
    names = ", ".join(parameter.name for parameter in left)
    texts = [*target.init, *(f"{parameter.name}={_literal(parameter) or 8}" for parameter in left)]
    return user_error(f"{cls.__qualname__} needs values for {names}; this would do: {command(target, 'init', texts)}")


def command(target: Target, option: str, texts: Sequence[str]) -> str:
    """The command line of the target with these values of one option."""
    kept = {"init": target.init, "input": target.input, option: tuple(texts)}
    words = [f"--{name}={text}" if text.startswith("-") else f"--{name} {_quoted(text)}"
             for name in ("init", "input") for text in kept[name]]  # fmt: skip
    return " ".join(["compile-lint confirm", shlex.quote(target.name), *words])


def _quoted(text: str) -> str:
    return f"'{text}'" if "'" not in text else shlex.quote(text)


def called(value: Any) -> str:
    """How what is called is named: `Net.forward`, or the function's name."""
    if isinstance(value, torch.nn.Module):
        return f"{type(value).__qualname__}.forward"
    return str(getattr(value, "__qualname__", None) or type(value).__qualname__)


def _shown(value: Any, signature: Signature) -> str:
    """With its parameters' names."""
    signs: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
    names = [signs.get(parameter.kind, "") + parameter.name for parameter in signature.parameters.values()]
    return f"{called(value)}({', '.join(names)})"


def _guesses(value: Any, parameters: Sequence[Parameter]) -> list[str]:
    """A specification for each: the first tensor as the first layer takes it."""
    first = _first_layer(value)
    guesses = []
    for parameter in parameters:
        literal = _literal(parameter)
        guesses.append(literal or first or ("int64[2,8]<10" if _IDS.search(parameter.name) else _DEFAULT))
        first = "" if not literal else first
    return guesses


def _literal(parameter: Parameter) -> str:
    """A literal of the annotated type; empty where it has none."""
    annotation = parameter.annotation
    name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return _VALUES.get(name, "")


def _first_layer(value: Any) -> str:
    module = module_of(value)
    for layer in module.modules() if module is not None else ():
        for kind, shape in _SHAPES:
            if isinstance(layer, kind):
                return shape(layer)
    return ""
