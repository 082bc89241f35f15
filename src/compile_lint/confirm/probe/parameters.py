"""What parameters a callable takes: from torch's schemas, from signatures, and from docstrings."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import inspect
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import get_testing_overrides

SCHEMA_TYPES = {
    "Tensor": "tensor",
    "int": "int",
    "float": "float",
    "number": "number",
    "bool": "bool",
    "str": "str",
    "List[int]": "ints",
    "List[float]": "floats",
    "List[Tensor]": "tensors",
    "List[Optional[Tensor]]": "tensors",
    "ScalarType": "dtype",
    "Device": "device",
}
ANNOTATIONS = (
    (r"Tensor\b(?!.*[Tt]uple|.*[Ll]ist)", "tensor"),
    (r"^(typing\.)?(Optional\[)?(int|SymInt)\b", "int"),
    (r"^(typing\.)?(Optional\[)?(float|Number|Scalar)\b", "float"),
    (r"^(typing\.)?(Optional\[)?bool\b", "bool"),
    (r"^(typing\.)?(Optional\[)?str\b", "str"),
    (r"BroadcastingList|_size|(Tuple|List|Sequence|tuple|list)\[int", "ints"),
    (r"dtype", "dtype"),
    (r"device", "device"),
    (r"Callable", "function"),
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """`type` is tensor, int, float, number, ints, floats, tensors, bool, str, dtype, device, function or any."""

    name: str
    type: str
    required: bool
    keyword_only: bool
    default: Any = None


Signature = tuple[Parameter, ...]


def signatures(name: str, value: Any, method: bool) -> list[Signature]:
    """The ways in which `value` can be called, most telling first; methods come without `self`."""
    found: list[Signature] = []
    if name.startswith("torch."):
        found += _schemas(name.rsplit(".", 1)[-1], method, name)
    found += [s for s in (_inspected(value),) if s is not None]
    found += _documented(value)
    found += [s for s in (_inspected(_overridable(value)),) if s is not None]
    if method and not name.startswith("torch.Tensor."):
        found = [s[1:] if s and s[0].name in ("self", "$self", "cls") else s for s in found]
    elif method:
        found = [s[1:] if s and s[0].name in ("self", "input") else s for s in found]
    return list(dict.fromkeys(s for s in found if _hashable(s)))


def _hashable(signature: Signature) -> bool:
    try:
        hash(signature)
    except Exception:
        return False
    return True


@functools.cache
def _by_name() -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = defaultdict(list)
    for schema in torch._C._jit_get_all_schemas():
        namespace, _, short = schema.name.partition("::")
        writes = any(a.kwarg_only and not a.has_default_value() for a in schema.arguments)
        if namespace == "aten" and not writes:
            table[short].append(schema)
    return table


def _schemas(short: str, method: bool, name: str) -> list[Signature]:
    """Operators are known as `topk`, and as `linalg_svd`, `fft_fft`, `special_erf` in namespaces."""
    parent = name.split(".")[-2]
    table = _by_name()
    prefixed = f"{parent}_{short}"
    schemas = table[prefixed] if prefixed in table else table.get(short, [])
    found = []
    for schema in sorted(schemas, key=_required):
        if any(str(a.type) in ("t", "Any") or str(a.type).startswith("Dict") for a in schema.arguments):
            continue
        parameters = tuple(_from_schema(a) for a in schema.arguments)
        if method and parameters and parameters[0].type == "tensor":
            parameters = (Parameter("self", "tensor", True, False), *parameters[1:])
        elif parameters and parameters[0].name == "self":
            parameters = (dataclasses.replace(parameters[0], name="input"), *parameters[1:])
        found.append(parameters)
    return found


def _required(schema: Any) -> int:
    """The shortest form of a call comes first; what longer forms do is left to variants."""
    return sum(not argument.has_default_value() for argument in schema.arguments)


def _from_schema(argument: Any) -> Parameter:
    text = str(argument.real_type)
    inner = re.fullmatch(r"Optional\[(.*)\]", text)
    kind = SCHEMA_TYPES.get(inner.group(1) if inner else text, "any")
    default = argument.default_value if argument.has_default_value() else None
    if isinstance(default, list):
        default = tuple(default)
    return Parameter(argument.name, kind, not argument.has_default_value(), argument.kwarg_only, default)


def _overridable(value: Any) -> Callable[..., Any] | None:
    try:
        return _testing_overrides().get(value)
    except TypeError:
        return None


@functools.cache
def _testing_overrides() -> dict[Any, Callable[..., Any]]:
    table: dict[Any, Callable[..., Any]] = get_testing_overrides()
    return table


def _inspected(value: Any) -> Signature | None:
    if value is None:
        return None
    try:
        signature = inspect.signature(value)
    except Exception:
        return None
    found = []
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        required = parameter.default is parameter.empty
        default = None if required else parameter.default
        kind = _annotated(parameter, default)
        default = tuple(default) if isinstance(default, list) else default
        found.append(Parameter(parameter.name, kind, required, parameter.kind == parameter.KEYWORD_ONLY, default))
    return tuple(found)


def _annotated(parameter: inspect.Parameter, default: Any) -> str:
    annotation = parameter.annotation
    if annotation is not parameter.empty:
        text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "") or str(annotation)
        text = str(annotation) if "[" in str(annotation) or "|" in str(annotation) else text
        for pattern, kind in ANNOTATIONS:
            if re.search(pattern, text):
                return kind
    by_value = {bool: "bool", int: "int", float: "float", str: "str"}
    return by_value.get(type(default), "any")


def _documented(value: Any) -> list[Signature]:
    """Signatures that the first line of a docstring shows, as C functions and numpy's have."""
    text = getattr(value, "__doc__", None)
    short = getattr(value, "__name__", None)
    if not isinstance(text, str) or not isinstance(short, str):
        return []
    found = []
    for line in text.strip().splitlines()[:12]:
        match = re.match(rf"\s*(?:[\w.]+\.)?{re.escape(short)}\((.*)\)", line)
        if match:
            signature = _parse(match.group(1))
            if signature is not None:
                found.append(signature)
    return found


def _parse(text: str) -> Signature | None:
    plain = re.sub(r"[\[\]]", "", text) if re.search(r"\[\s*,|,\s*\[", text) else text
    try:
        tree = ast.parse(f"lambda {plain}: None", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(tree, ast.Lambda):
        return None
    positional = [*tree.args.posonlyargs, *tree.args.args]
    missing = len(positional) - len(tree.args.defaults)
    found = [
        _from_text(argument, tree.args.defaults[at - missing] if at >= missing else None, False)
        for at, argument in enumerate(positional)
    ]
    found += [_from_text(a, d, True) for a, d in zip(tree.args.kwonlyargs, tree.args.kw_defaults, strict=True)]
    return tuple(found)


def _from_text(argument: ast.arg, default: ast.expr | None, keyword_only: bool) -> Parameter:
    value = None
    with contextlib.suppress(ValueError):
        value = ast.literal_eval(default) if default is not None else None
    kind = {bool: "bool", int: "int", float: "float", str: "str"}.get(type(value), "any")
    return Parameter(argument.arg, kind, default is None, keyword_only, value)
