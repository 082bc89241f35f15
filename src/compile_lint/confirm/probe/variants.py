"""Changes one argument of a call: numbers become tensors, optional arguments come and go."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from compile_lint.confirm.probe.arguments import values
from compile_lint.confirm.probe.parameters import Parameter, Signature, signatures
from compile_lint.confirm.probe.target import Target
from compile_lint.confirm.probe.texts import TORCH_BY_NAME, TORCH_BY_TYPE

OPTION_VALUES = {
    "reduction": ("'none'", "'sum'"),
    "mode": ("'reflect'", "'bilinear'", "'nearest'", "'max'", "'reduced'"),
    "keepdim": ("True",),
    "dim": ("0", "(0, 1)"),
    "axis": ("0",),
    "size": ("8", "(8, 8)"),
    "scale_factor": ("2", "2.0"),
    "num_classes": ("4",),
    "stride": ("1",),
    "padding": ("1",),
    "minlength": ("4",),
    "weight": ("v", "y2"),
    "out": (),
    "device": ("'cpu'",),
    "memory_format": ("torch.contiguous_format",),
    "generator": (),
    "layout": (),
    "pin_memory": (),
    "names": (),
    "dtype": ("torch.int64", "torch.float64"),
    "prepend": ("y2",),
}
"""Values for optional parameters, where those by type would not do."""
TRIED = 3
"""Values tried for one optional parameter."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in the call, replaced in `call` by the tensor `q`. `argument` is `position:name`."""

    argument: str
    value: int | float
    call: str


@dataclass(frozen=True, slots=True)
class Variant:
    """The call with one argument added, changed or left out, as `when` says. `number`: it brings a number."""

    when: str
    call: str
    number: bool = False


def numbers(call: str, target: Target) -> Iterator[Number]:
    """Every number among the arguments, in tuples and lists too."""
    tree = _call(call)
    if tree is None:
        return
    given: list[tuple[int | str, ast.expr]] = [*enumerate(tree.args)]
    given += [(keyword.arg or "", keyword.value) for keyword in tree.keywords]
    for place, node in given:
        parts = list(enumerate(node.elts)) if isinstance(node, ast.Tuple | ast.List) else [(None, node)]
        for inside, part in parts:
            number = _number(part)
            if number is not None:
                yield Number(argument_name(place, tree, target), number, _replaced(tree, place, inside))
                break


def variants(call: str, target: Target) -> Iterator[Variant]:
    """The call with each optional argument given, then without those that it gives and need not."""
    tree = _call(call)
    if tree is None:
        return
    names = parameter_names(tree, target)
    taken = {*names[: len(tree.args)], *(keyword.arg for keyword in tree.keywords)}
    seen = set()
    for signature in signatures(target.name, target.value, target.method):
        for position, parameter in enumerate(signature):
            if parameter.required or parameter.name in taken or parameter.name in seen:
                continue
            seen.add(parameter.name)
            place = "" if parameter.keyword_only else str(position)
            yield from _added(tree, parameter, f"{place}:{parameter.name}")
    yield from _longer(tree, target, names)
    yield from _shortened(tree, target)


def parameter_names(tree: ast.Call, target: Target) -> list[str]:
    """Names of the positional parameters that the call fills; empty strings where nothing is known."""
    best: Signature = ()
    for signature in signatures(target.name, target.value, target.method):
        positional = tuple(p for p in signature if not p.keyword_only)
        least = sum(p.required for p in positional)
        if least <= len(tree.args) <= len(positional):
            best = positional
            break
        if not best and len(tree.args) <= len(positional):
            best = positional
    names = [p.name for p in best[: len(tree.args)]]
    return names + [""] * (len(tree.args) - len(names))


def _call(text: str) -> ast.Call | None:
    tree = ast.parse(text)
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Call):
        call = tree.body[0].value
        return None if any(isinstance(argument, ast.Starred) for argument in call.args) else call
    return None


def _number(node: ast.expr) -> int | float | None:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return sign * node.value
    return None


def _replaced(tree: ast.Call, place: int | str, inside: int | None) -> str:
    changed = copy.deepcopy(tree)
    name = ast.Name("q", ast.Load())
    holder = (
        changed.args[place] if isinstance(place, int) else next(k.value for k in changed.keywords if k.arg == place)
    )
    if inside is not None and isinstance(holder, ast.Tuple | ast.List):
        holder.elts[inside] = name
    elif isinstance(place, int):
        changed.args[place] = name
    else:
        next(k for k in changed.keywords if k.arg == place).value = name
    return ast.unparse(changed)


def argument_name(place: int | str, tree: ast.Call, target: Target) -> str:
    """`position:name` of an argument; the position is empty for keyword-only ones, the name where it is not known."""
    if isinstance(place, int):
        return f"{place}:{parameter_names(tree, target)[place]}"
    for signature in signatures(target.name, target.value, target.method):
        for position, parameter in enumerate(signature):
            if parameter.name == place:
                return f"{'' if parameter.keyword_only else position}:{place}"
    return f":{place}"


def _added(tree: ast.Call, parameter: Parameter, argument: str) -> Iterator[Variant]:
    """`present` stands for any value; a string or a flag is named."""
    if isinstance(parameter.default, bool) or parameter.type == "bool":
        texts: tuple[str, ...] = (str(not parameter.default),)
    elif parameter.name in OPTION_VALUES:
        texts = OPTION_VALUES[parameter.name]
    elif parameter.type == "any" and parameter.default is None:
        texts = TORCH_BY_NAME.get(parameter.name, ())
    else:
        texts = tuple(t for t in values(parameter, TORCH_BY_NAME, TORCH_BY_TYPE) if t != str(parameter.default))
    for text in texts[:TRIED]:
        value = ast.parse(text, mode="eval").body
        changed = copy.deepcopy(tree)
        changed.keywords.append(ast.keyword(parameter.name, value))
        exact = text[0] in "'TF" or text.startswith("torch.")
        yield Variant(f"{argument}={text if exact else 'present'}", ast.unparse(changed), _has_number(value))


def _has_number(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Constant) and type(n.value) in (int, float) for n in ast.walk(node))


def _longer(tree: ast.Call, target: Target, names: list[str]) -> Iterator[Variant]:
    """Calls of overloads that require more than the call gives, such as `torch.max(y, dim)`."""
    for signature in signatures(target.name, target.value, target.method):
        needed = [p for p in signature if p.required]
        given = len(tree.args)
        if (
            tree.keywords
            or len(needed) != given + 1
            or needed[given].keyword_only
            or (given == 0 and target.method is False)
        ):
            continue
        for text in values(needed[given], TORCH_BY_NAME, TORCH_BY_TYPE)[:TRIED]:
            changed = copy.deepcopy(tree)
            changed.args.append(ast.parse(text, mode="eval").body)
            state = "tensor" if needed[given].type == "tensor" else "present"
            yield Variant(f"{given}:{needed[given].name}={state}", ast.unparse(changed), state == "present")


def _shortened(tree: ast.Call, target: Target) -> Iterator[Variant]:
    for keyword in tree.keywords:
        changed = copy.deepcopy(tree)
        changed.keywords = [k for k in changed.keywords if k.arg != keyword.arg]
        yield Variant(f"{argument_name(keyword.arg or '', tree, target)}=absent", ast.unparse(changed))
    for at in range(len(tree.args) - 1, 0, -1):
        changed = copy.deepcopy(tree)
        changed.args = changed.args[:at]
        yield Variant(f"{argument_name(at, tree, target)}=absent", ast.unparse(changed))
