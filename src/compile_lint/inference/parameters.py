"""What a function's parameters are: from annotations, defaults, use, and what its callers pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference.annotations import annotated
from compile_lint.inference.values import (
    CERTAIN,
    LIKELY,
    NONE,
    UNKNOWN,
    Class,
    Const,
    Func,
    Instance,
    Map,
    Origin,
    Py,
    Seq,
    Tensor,
    Unknown,
    Value,
    join_all,
    python_type,
    sequence,
)
from compile_lint.project.modules import FunctionInfo

if TYPE_CHECKING:
    from compile_lint.inference.engine import Engine
    from compile_lint.inference.usage import Usage

_COMMON = frozenset(
    [
        "sum",
        "mean",
        "any",
        "all",
        "max",
        "min",
        "std",
        "prod",
        "argmax",
        "argmin",
        "reshape",
        "shape",
        "ndim",
        "T",
        "astype",
    ]
)
_NOT_TENSOR = frozenset(
    [
        "items",
        "keys",
        "values",
        "get",
        "append",
        "extend",
        "pop",
        "update",
        "join",
        "split",
        "startswith",
        "training",
        "forward",
    ]
)


def entry_values(engine: Engine, func: Func, explicit: bool) -> dict[str, Value]:
    """The variables of an entry at its start. Only what the function itself says is known."""
    info = func.info
    args = info.node.args
    env: dict[str, Value] = {}
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    skip_first = info.owner is not None and not info.is_static
    for i, (parameter, default) in enumerate(zip(positional, defaults, strict=True)):
        if i == 0 and (skip_first or (func.bound is not None and not info.is_static)):
            env[parameter.arg] = func.bound or _receiver(info)
            continue
        first = explicit and i == int(skip_first)
        env[parameter.arg] = _entry_value(engine, info, parameter, default, first)
    for parameter, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        env[parameter.arg] = _entry_value(engine, info, parameter, default, False)
    if args.vararg:
        env[args.vararg.arg] = Seq("tuple", None, _element(engine, info, args.vararg), args.vararg.arg)
    if args.kwarg:
        env[args.kwarg.arg] = Map({}, UNKNOWN, True, args.kwarg.arg)
    return env


def _receiver(info: FunctionInfo) -> Value:
    if info.owner is None:
        return UNKNOWN
    return Class(info.owner) if info.is_classmethod else Instance(info.owner)


def _element(engine: Engine, info: FunctionInfo, parameter: ast.arg) -> Value:
    return annotated(parameter.annotation, info.module, engine.project) or UNKNOWN


def _entry_value(
    engine: Engine, info: FunctionInfo, parameter: ast.arg, default: ast.expr | None, first: bool
) -> Value:
    said = annotated(parameter.annotation, info.module, engine.project)
    if said is not None and not isinstance(said, Unknown):
        return _named(said, parameter, default)
    use = engine.usage(info)[parameter.arg]
    if default is not None:
        return _from_default(engine, info, parameter, default, use)
    if _is_tensor(engine, use) or (first and _may_be_tensor(use)):
        return _input(info, parameter, use)
    return Unknown(argument=parameter.arg)


def _named(value: Value, parameter: ast.arg, default: ast.expr | None) -> Value:
    """The annotated value, remembered as an argument, and possibly None where that is the default."""
    optional = isinstance(default, ast.Constant) and default.value is None
    if isinstance(value, Tensor):
        return value.replaced(optional=value.optional or optional, argument=parameter.arg)
    if isinstance(value, Py):
        return Py(value.type, parameter.arg, value.optional or optional)
    if isinstance(value, Seq):
        return Seq(value.type, value.items, value.elem, parameter.arg)
    if isinstance(value, Map):
        return Map(value.items, value.elem, value.open, parameter.arg)
    return value


def _from_default(engine: Engine, info: FunctionInfo, parameter: ast.arg, default: ast.expr, use: Usage) -> Value:
    if isinstance(default, ast.Constant) and default.value is None:
        if _is_tensor(engine, use):
            return _input(info, parameter, use).replaced(optional=True)
        return Unknown(argument=parameter.arg)
    if isinstance(default, ast.Constant):
        named = "" if isinstance(default.value, str) else parameter.arg
        return Py(type(default.value).__name__, named)
    if isinstance(default, ast.UnaryOp) and isinstance(default.operand, ast.Constant):
        return Py(type(default.operand.value).__name__, parameter.arg)
    if isinstance(default, ast.Tuple):
        return Seq("tuple", None, UNKNOWN, parameter.arg)
    return Unknown(argument=parameter.arg)


def _input(info: FunctionInfo, parameter: ast.arg, use: Usage) -> Tensor:
    told = sorted(use.attributes & _COMMON) or sorted(use.attributes)
    reason = f"used {told[0]}" if told else "argument"
    return Tensor(
        sure=LIKELY,
        origin=Origin(parameter, info.module, reason),
        made="input",
        argument=parameter.arg,
    )


def _is_tensor(engine: Engine, use: Usage) -> bool:
    """Whether what is done to a parameter is done to tensors only."""
    if use.called or use.string or use.attributes & _NOT_TENSOR:
        return False
    return use.tensor or (use.indexed and use.arithmetic) or bool(use.attributes & engine.tensor_methods)


def _may_be_tensor(use: Usage) -> bool:
    """Whether the first argument of a compile region can be the tensor that such functions start with."""
    if use.called or use.python or use.iterated or use.number or use.string:
        return False
    return not (
        use.attributes - _COMMON - {"size", "to", "dtype", "device", "dim", "float", "requires_grad", "requires_grad_"}
    )


def bind_call(engine: Engine, func: Func, args: list[Value], kwargs: dict[str, Value], open: bool) -> dict[str, Value]:
    """The variables of a called function at its start."""
    info = func.info
    spec = info.node.args
    if func.bound is not None and not info.is_static:
        args = [func.bound, *args]
    positional = [*spec.posonlyargs, *spec.args]
    defaults = [None] * (len(positional) - len(spec.defaults)) + list(spec.defaults)
    env: dict[str, Value] = {}
    for i, (parameter, default) in enumerate(zip(positional, defaults, strict=True)):
        given = args[i] if i < len(args) else kwargs.get(parameter.arg)
        env[parameter.arg] = _passed(engine, info, parameter, default, given, open)
    for parameter, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        env[parameter.arg] = _passed(engine, info, parameter, default, kwargs.get(parameter.arg), open)
    if spec.vararg:
        rest = tuple(args[len(positional) :])
        env[spec.vararg.arg] = Seq("tuple", None, join_all(rest)) if open else sequence("tuple", rest)
    if spec.kwarg:
        named = {p.arg for p in (*positional, *spec.kwonlyargs)}
        extra: dict[object, Value] = {k: v for k, v in kwargs.items() if k not in named}
        env[spec.kwarg.arg] = Map(extra, join_all(list(extra.values())), open)
    return env


def _passed(
    engine: Engine, info: FunctionInfo, parameter: ast.arg, default: ast.expr | None, given: Value | None, open: bool
) -> Value:
    if given is not None and not isinstance(given, Unknown):
        return _checked(engine, info, parameter, given)
    if given is None and default is not None and not open:
        return _default_value(engine, info, default)
    said = annotated(parameter.annotation, info.module, engine.project)
    if said is not None and not isinstance(said, Unknown):
        value = _named(said, parameter, default)
        return value.replaced(argument="") if isinstance(value, Tensor) else said
    use = engine.usage(info).get(parameter.arg)
    if use is not None and _is_tensor(engine, use):
        return _input(info, parameter, use).replaced(made="unknown", argument="")
    return given if given is not None else UNKNOWN


def _checked(engine: Engine, info: FunctionInfo, parameter: ast.arg, given: Value) -> Value:
    """An annotation confirms a tensor that is only possible."""
    if isinstance(given, Tensor) and given.sure < CERTAIN and parameter.annotation is not None:
        said = annotated(parameter.annotation, info.module, engine.project)
        if isinstance(said, Tensor):
            return given.replaced(sure=CERTAIN)
    if isinstance(given, Tensor) and parameter.annotation is not None:
        said = annotated(parameter.annotation, info.module, engine.project)
        if isinstance(said, Py):
            return UNKNOWN  # the annotation and the caller say different things
    if isinstance(given, Const) and given.value is not None and not isinstance(given.value, bool):
        return Py(python_type(given)) if not isinstance(given.value, str) else given
    return given


def _default_value(engine: Engine, info: FunctionInfo, default: ast.expr) -> Value:
    if isinstance(default, ast.Constant):
        if default.value is None:
            return NONE
        return Const(default.value) if isinstance(default.value, (bool, str)) else Py(type(default.value).__name__)
    from compile_lint.inference.expressions import evaluate

    return evaluate(engine.module_frame(info.module), default)
