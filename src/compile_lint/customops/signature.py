"""What an operator takes and returns: of its schema, or of the annotations of its function."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from compile_lint.customops.declared import Operator
from compile_lint.customops.schema import Schema, SchemaError, parse_schema
from compile_lint.project.modules import FunctionNode

_ONE_TENSOR = frozenset(("Tensor", "torch.Tensor"))


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument. `tensor`: it is a tensor, or None; `many`: it is a list of tensors."""

    name: str
    tensor: bool
    many: bool = False
    mutated: bool = False
    kwarg_only: bool = False
    default: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """`returned`: how many values are returned, None where that is not known or where they are one list."""

    parameters: tuple[Parameter, ...]
    returned: int | None = None
    aliases: bool = False
    """Whether an output is declared to share memory with an argument."""

    def at(self, node: FunctionNode) -> dict[str, Parameter]:
        """The parameters of a kernel by the kernel's own names: arguments are passed to it by position."""
        own = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        placed = [one for one in self.parameters if not one.kwarg_only]
        found = dict(zip(own, placed, strict=False))
        named = {one.name: one for one in self.parameters if one.kwarg_only}
        found.update({a.arg: named[a.arg] for a in node.args.kwonlyargs if a.arg in named})
        return found

    def misfit(self, node: FunctionNode) -> bool:
        """Whether calling a kernel as torch does, with every argument that has no default, is a TypeError."""
        given = node.args
        own = [*given.posonlyargs, *given.args]
        placed = [one for one in self.parameters if not one.kwarg_only]
        needed = sum(not one.default for one in placed)
        if given.vararg is None and needed > len(own):
            return True
        if len(own) - len(given.defaults) > len(placed):
            return True
        known = {a.arg for a in given.kwonlyargs} | {a.arg for a in given.args}
        asked = {a.arg for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d is None}
        kwargs = [one for one in self.parameters if one.kwarg_only]
        missing = any(one.name not in known and not one.default for one in kwargs) and given.kwarg is None
        return missing or bool(asked - {one.name for one in kwargs})


def signature(operator: Operator) -> Signature | None:
    """None where nothing tells it."""
    if operator.schema:
        schema = _parsed(operator.schema)
        return None if schema is None else _of_schema(operator, schema)
    node = operator.function
    if not operator.custom or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    return _of_function(operator, node)


def schema_error(text: str) -> str:
    """Why torch refuses the text of a schema; empty where it takes it."""
    try:
        parse_schema(_whole(text), type_variables=True)
    except SchemaError as error:
        return str(error)
    return ""


def _whole(text: str) -> str:
    text = text.strip()
    return f"f{text}" if text.startswith("(") else text


def _parsed(text: str) -> Schema | None:
    try:
        return parse_schema(_whole(text), type_variables=True)
    except SchemaError:
        return None


def _of_schema(operator: Operator, schema: Schema) -> Signature:
    named = operator.mutates or ()
    parameters = tuple(
        Parameter(
            one.name,
            one.type.holds("Tensor"),
            one.type.holds("List"),
            one.type.mutated or one.name in named or "*" in named,
            one.kwarg_only,
            one.default is not None,
        )
        for one in schema.arguments
    )
    single_list = len(schema.returns) == 1 and schema.returns[0].type.holds("List")
    count = None if single_list or schema.varret else len(schema.returns)
    return Signature(parameters, count, bool(schema.aliases))


def _of_function(operator: Operator, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature:
    named = operator.mutates or ()
    plain = [*node.args.posonlyargs, *node.args.args]
    optional = {a.arg for a in plain[len(plain) - len(node.args.defaults) :]} if node.args.defaults else set()
    optional |= {a.arg for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None}
    found = []
    for argument in (*plain, *node.args.kwonlyargs):
        text = ast.unparse(argument.annotation) if argument.annotation is not None else ""
        tensor = "Tensor" in text
        many = tensor and any(word in text for word in ("List[", "list[", "Sequence["))
        mutated = tensor and (argument.arg in named or "*" in named or operator.mutates is None)
        keyword = argument in node.args.kwonlyargs
        found.append(Parameter(argument.arg, tensor, many, mutated, keyword, argument.arg in optional))
    return Signature(tuple(found), _returned(node.returns))


def _returned(node: ast.expr | None) -> int | None:
    """How many values an annotation promises."""
    if isinstance(node, ast.Constant) and node.value is None:
        return 0
    if node is None:
        return None
    if ast.unparse(node) in _ONE_TENSOR:
        return 1
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("tuple", "Tuple", "typing.Tuple"):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not any(isinstance(part, ast.Constant) and part.value is ... for part in parts):
            return len(parts)
    return None
