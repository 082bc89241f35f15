"""`compile-lint ops --stub`: all that an operator of the inventory lacks, as Python to paste."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from compile_lint.customops.schema import Schema, SchemaError, parse_schema
from compile_lint.ops import stub
from compile_lint.ops.guessed import of_call, of_signature
from compile_lint.ops.model import Row

TextOf = Callable[[str], str | None]
"""The text of a file by its path as the inventory shows it."""

_WITHOUT = "Only where gradients are to flow through it; leave it out otherwise."
_COMPOSED = "CompositeImplicitAutograd"
_NUMBERED = re.compile(r"_\d+")
"""Arguments of a schema that torch infers of a C++ function."""


class NoStubError(ValueError):
    """Nothing can be written for an operator: why, in words."""


def lacking(row: Row, native: Sequence[str], text_of: TextOf) -> str:
    """The Python that registers what an operator lacks; empty where it lacks nothing.

    Args:
        row: the operator.
        native: paths of C++ sources, for the signatures of what they bind.
        text_of: reads a file.

    Raises:
        NoStubError: nothing can be written for it.
    """
    if row.kind == "operator" and (row.schema or row.declared is not None):
        return _registrations(row, native, text_of)
    if row.kind in ("operator", "pybind", "foreign"):
        return _whole(row, native, text_of)
    raise NoStubError(f"{row.name} is no operator ({row.kind}): nothing can be registered for it")


def _registrations(row: Row, native: Sequence[str], text_of: TextOf) -> str:
    """A fake kernel and an autograd formula, where it has none."""
    schema = _schema(row, native, text_of)
    parts = []
    composed = any(key.startswith("Composite") for key in row.kernels) and row.verdict == "ready"
    if not row.fake and not composed and not _needs_none(schema):
        parts.append(stub.fake(schema))
    if not row.autograd and _COMPOSED not in row.kernels and stub.differentiable(schema):
        parts.append(f"# {_WITHOUT}\n{stub.autograd(schema)}")
    return _file(parts)


def _schema(row: Row, native: Sequence[str], text_of: TextOf) -> Schema:
    """The operator's schema: as it is written, or of the C++ function that torch infers it from."""
    schema: Schema | None = None
    if row.schema:
        try:
            schema = parse_schema(row.schema)
        except SchemaError as error:
            raise NoStubError(f"{row.full_name}: its schema cannot be read: {error}") from error
        if not schema.arguments or not all(_NUMBERED.fullmatch(one.name) for one in schema.arguments):
            return schema
    found = _signature(row, row.full_name, native, text_of) or schema  # one that torch infers has no names
    if found is None:
        raise NoStubError(f"{row.full_name}: its schema cannot be told, and so neither its arguments; {row.reason}")
    return found


def _needs_none(schema: Schema) -> bool:
    return not schema.returns and bool(schema.mutates)


def _whole(row: Row, native: Sequence[str], text_of: TextOf) -> str:
    """A whole registration around native code, or for an operator that nothing declares."""
    name = row.full_name if row.kind == "operator" else _operator_name(row)
    schema = _signature(row, name, native, text_of)
    if schema is None:
        raise NoStubError(f"{row.name}: neither its signature nor a call of it is in sight, to tell its arguments by")
    imported, call = _call(row, schema)
    owner = stub.function_name(schema)
    parts = [stub.custom_op(schema, call)]
    if not _needs_none(schema):
        parts.append(stub.fake(schema, f"{owner}.register_fake"))
    if stub.differentiable(schema):
        parts.append(f"# {_WITHOUT}\n{stub.autograd(schema, owner)}")
    return _file(parts, imported)


def _file(parts: Sequence[str], imported: str = "") -> str:
    if not parts:
        return ""
    head = stub.imports(*parts)
    head += f"\nimport {imported}\n" if imported else ""
    return "\n\n".join([head, *parts]).replace("\n\n\n\n", "\n\n\n")


def _operator_name(row: Row) -> str:
    """`pkg::name` for `pkg._C.name`."""
    parts = [part for part in row.name.split(".") if re.fullmatch(r"\w+", part)]
    outer = parts[0].strip("_").lower() if len(parts) > 1 else ""
    return f"{outer or 'mylib'}::{parts[-1] if parts else 'operator'}"


def _signature(row: Row, name: str, native: Sequence[str], text_of: TextOf) -> Schema | None:
    """From the C++ function that is bound under the name; from one that is called so; or from a call in Python."""
    last = re.split(r"[.:]", row.name)[-1]
    texts = [text for path in native if (text := text_of(path)) and last in text] if row.kind != "foreign" else []
    bound = re.compile(rf'\b(?:def|op)\(\s*"(?:\w+::)?{re.escape(last)}"\s*,\s*&?\s*([\w:]+)')
    for function in (*(found[1] for text in texts for found in bound.finditer(text)), last):
        plain = function.rpartition("::")[2]
        for path in native if texts else ():
            text = text_of(path)
            schema = of_signature(text, plain, name) if text and plain in text else None
            if schema is not None:
                return schema
    for use in row.uses:
        text = text_of(use.path)
        found = of_call(text, use.line, row.name, name) if text else None
        if found is not None:
            return found
    return None


def _call(row: Row, schema: Schema) -> tuple[str, str]:
    """What has to be imported, and the expression that calls the native code."""
    arguments = ", ".join(stub.argument_names(schema))
    if row.kind == "operator":
        return "", "..."
    module, _, last = row.name.rpartition(".")
    if row.kind == "foreign" or not module:
        return "", f"{'.'.join(row.name.split('.')[1:]) or row.name}({arguments})"
    return module, f"{module}.{last}({arguments})"
