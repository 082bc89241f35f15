"""What an operator lacks, written out with its own names and types: to be pasted and filled in."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Sequence

from compile_lint.customops.schema import Argument, Schema, Type

_TYPES = {
    "Tensor": "torch.Tensor",
    "SymInt": "int",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "Scalar": "torch.types.Number",
    "ScalarType": "torch.dtype",
    "Device": "torch.device",
    "MemoryFormat": "torch.memory_format",
    "Layout": "torch.layout",
    "Generator": "torch.Generator",
}
_ZEROS = {"SymInt": "0", "int": "0", "float": "0.0", "bool": "False", "str": '""', "Scalar": "0"}
_REDUCTIONS = {"Mean": "1", "Sum": "2", "None": "None"}
_WIDTH = 100
FILL_IN = "as the kernel's output: shape, dtype, strides, device"


def fake(schema: Schema, decorator: str = "") -> str:
    """A fake kernel: a function that makes outputs of the right kind, without a look at any value.

    Args:
        schema: of the operator.
        decorator: what registers it; by the operator's name if it is not given.
    """
    head = decorator or f'torch.library.register_fake("{full_name(schema)}")'
    lines = [f"@{head}", *signature("_", schema)]
    if not schema.returns:
        return "\n".join([*lines, "    return None"]) + "\n"
    return "\n".join([*lines, f"    # {FILL_IN}", f"    return {_outputs(schema)}"]) + "\n"


def autograd(schema: Schema, owner: str = "") -> str:
    """A formula for gradients: what is kept for it, and a backward to fill in.

    Args:
        schema: of the operator.
        owner: the function that is the operator, where one is at hand.
    """
    given = [one for one in schema.arguments if not one.kwarg_only]
    stem = re.sub(r"\W", "_", schema.name)
    tensors = [one for one in given if _is_tensor(one.type)]
    plain = [one for one in given if not one.type.holds("Tensor")]
    lines = [f"def _{stem}_setup_context({', '.join(_context_arguments(schema))}):"]
    lines += [f"    {_unpacked([_name(one) for one in given])} = inputs"] if given else []
    lines += [f"    ctx.save_for_backward({', '.join(_name(one) for one in tensors)})"] if tensors else []
    lines += [f"    ctx.{_name(one)} = {_name(one)}" for one in plain]
    lines += ["    pass"] if len(lines) == 1 else []
    lines += ["", "", f"def _{stem}_backward(ctx, {', '.join(_gradients(schema))}):"]
    lines += [f"    {_unpacked([_name(one) for one in tensors])} = ctx.saved_tensors"] if tensors else []
    wanted = ", ".join(_name(one) for one in given if one.type.holds("Tensor"))
    lines += [
        f"    # return a gradient for each of {', '.join(_name(one) for one in given)}; None for what has none",
        f'    raise NotImplementedError("the gradient of {full_name(schema)} for {wanted}")',
        "",
        "",
    ]
    register = f"{owner}.register_autograd(" if owner else f'torch.library.register_autograd("{full_name(schema)}", '
    lines += [f"{register}_{stem}_backward, setup_context=_{stem}_setup_context)"]
    return "\n".join(lines) + "\n"


def differentiable(schema: Schema) -> bool:
    """Whether torch takes an autograd formula for it: it makes tensors of tensors, and writes to none."""
    tensors = [one for one in schema.arguments if one.type.holds("Tensor")]
    return (
        bool(tensors)
        and schema.returns_tensor
        and not schema.mutates
        and not schema.aliases
        and not any(one.kwarg_only for one in tensors)
    )


def custom_op(schema: Schema, call: str) -> str:
    """The registration of a function that is no operator yet; `call` is what it does, as an expression."""
    mutates = "(" + "".join(f'"{name}", ' for name in schema.mutates).strip() + ")"
    mutates = mutates.replace(",)", ")") if len(schema.mutates) > 1 else mutates
    lines = [f'@torch.library.custom_op("{full_name(schema)}", mutates_args={mutates})']
    lines += [*signature(function_name(schema), schema), f"    {'return ' if schema.returns else ''}{call}"]
    return "\n".join(lines) + "\n"


def imports(*parts: str) -> str:
    """The imports that some parts of a stub need."""
    text = "\n".join(parts)
    lines = ["from collections.abc import Sequence"] if "Sequence[" in text else []
    lines += ["from typing import Optional"] if "Optional[" in text else []
    return "\n".join([*lines, *([""] if lines else []), "import torch"]) + "\n"


def signature(name: str, schema: Schema) -> list[str]:
    """The `def` line of a Python function with the schema's arguments, on several lines where it is long."""
    parts: list[str] = []
    for argument in schema.arguments:
        if argument.kwarg_only and "*" not in parts:
            parts.append("*")
        parts.append(_parameter(argument))
    returns = _returned(schema)
    line = f"def {name}({', '.join(parts)}){returns}:"
    if len(line) <= _WIDTH:
        return [line]
    return [f"def {name}(", *(f"    {part}," for part in parts), f"){returns}:"]


def full_name(schema: Schema) -> str:
    """`ns::name.overload`."""
    return f"{schema.qualified}.{schema.overload}" if schema.overload else schema.qualified


def function_name(schema: Schema) -> str:
    """A name for the Python function that is the operator."""
    return _safe(re.sub(r"\W", "_", schema.name))


def argument_names(schema: Schema) -> list[str]:
    """The arguments as a call passes them on."""
    return [f"{_name(one)}={_name(one)}" if one.kwarg_only else _name(one) for one in schema.arguments]


def _safe(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _name(argument: Argument) -> str:
    return _safe(argument.name)


def _parameter(argument: Argument) -> str:
    kind = python_type(argument.type)
    text = f"{_name(argument)}: {kind}" if kind else _name(argument)
    default = _default(argument)
    return text if default is None else f"{text} = {default}" if kind else f"{text}={default}"


def python_type(kind: Type) -> str:
    """The annotation of a schema's type; empty where Python has none for it."""
    if kind.name in ("Optional", "List") and kind.inner:
        inner = python_type(kind.inner[0])
        outer = "Optional" if kind.name == "Optional" else "Sequence"
        return f"{outer}[{inner}]" if inner else ""
    return _TYPES.get(kind.name, "")


def _default(argument: Argument) -> str | None:
    """The default as Python writes it."""
    text, kind = argument.default, argument.type
    if text is None:
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        if text in _REDUCTIONS:
            return _REDUCTIONS[text]
        return {"true": "True", "false": "False"}.get(text, f"torch.{text}" if text.isidentifier() else text)
    if kind.name == "Device" and isinstance(value, str):
        return f'torch.device("{value}")'
    return repr(value).replace("'", '"') if isinstance(value, str) else repr(value)


def _returned(schema: Schema) -> str:
    kinds = [python_type(value.type).replace("Sequence[", "list[") for value in schema.returns]
    if not kinds:
        return " -> None"
    if not all(kinds):
        return ""
    return f" -> {kinds[0]}" if len(kinds) == 1 else f" -> tuple[{', '.join(kinds)}]"


def _outputs(schema: Schema) -> str:
    made = [_output(schema, value) for value in schema.returns]
    return made[0] if len(made) == 1 else f"({', '.join(made)})"


def _output(schema: Schema, value: Argument) -> str:
    """An expression for one output: the argument that it is, or a tensor like the first one."""
    sets = {name for alias in value.type.annotations for name in alias.before}
    for argument in schema.arguments:
        if sets & {name for alias in argument.type.annotations for name in alias.before}:
            return _name(argument)
    if value.type.name == "List":
        return f"[{_made(schema, value.type.inner[0])}]"
    return _made(schema, value.type)


def _made(schema: Schema, kind: Type) -> str:
    if not kind.holds("Tensor"):
        return _ZEROS.get(kind.inner[0].name if kind.inner else kind.name, "None")
    for argument in schema.arguments:
        if argument.type.name == "Tensor":
            return f"torch.empty_like({_name(argument)})"
    for argument in schema.arguments:
        if argument.type.name == "List" and argument.type.inner[0].name == "Tensor":
            return f"torch.empty_like({_name(argument)}[0])"
    return "torch.empty(())"


def _is_tensor(kind: Type) -> bool:
    return kind.name == "Tensor" or (kind.name == "Optional" and kind.inner[0].name == "Tensor")


def _context_arguments(schema: Schema) -> Iterator[str]:
    yield from ("ctx", "inputs")
    if any(one.kwarg_only for one in schema.arguments):
        yield "keyword_only_inputs"
    yield "output"


def _gradients(schema: Schema) -> list[str]:
    if len(schema.returns) == 1:
        return ["grad_output"]
    return [f"grad_{_safe(value.name) if value.name else at}" for at, value in enumerate(schema.returns)]


def _unpacked(names: Sequence[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)
