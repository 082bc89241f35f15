"""The schema that torch infers of a function for `torch.library.custom_op`, read off its annotations.

It follows torch/_library/infer_schema.py of 2.13.
"""

from __future__ import annotations

import ast

from compile_lint.customops.declared import Operator
from compile_lint.project.modules import ModuleInfo

_LISTS = frozenset(("list", "typing.List", "typing.Sequence", "collections.abc.Sequence", "List", "Sequence"))
_OPTIONAL = frozenset(("typing.Optional", "Optional"))
_UNIONS = frozenset(("typing.Union", "Union"))
_TUPLES = frozenset(("tuple", "typing.Tuple", "Tuple"))
_TYPES = {
    "torch.Tensor": "Tensor",
    "Tensor": "Tensor",
    "int": "SymInt",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "torch.types.Number": "Scalar",
    "torch.types._Number": "Scalar",
    "types.Number": "Scalar",
    "torch.dtype": "ScalarType",
    "dtype": "ScalarType",
    "torch.types._dtype": "ScalarType",
    "torch.device": "Device",
    "device": "Device",
}
"""`types`, `dtype` and so on without torch: torch adds these names for annotations that are strings."""
_LISTED = frozenset(("Tensor", "SymInt", "float", "bool", "Scalar"))
_OPTIONAL_LISTED = _LISTED - {"Tensor", "Scalar"}
_RETURNED = frozenset(("Tensor", "Tensor[]", "SymInt", "float", "bool", "Scalar"))


class NoSchemaError(ValueError):
    """custom_op raises where it is declared: why, in words."""


def inferred_schema(module: ModuleInfo, operator: Operator) -> str:
    """`ns::name(Tensor x) -> Tensor` of a custom_op's function.

    Raises:
        NoSchemaError: torch infers none.
        LookupError: an annotation is a name whose meaning is not known here.
    """
    node = operator.function
    if node is None or isinstance(node, ast.Lambda):
        raise LookupError("its function is not in sight")
    if node.args.posonlyargs or node.args.vararg or node.args.kwarg:
        raise NoSchemaError(f"`{node.name}` has positional-only arguments, or `*args`, or `**kwargs`")
    reader = _Types(module)
    parts, given = [], operator.mutates or ()
    plain = node.args.args
    defaults = [None] * (len(plain) - len(node.args.defaults)) + list(node.args.defaults)
    every = [*zip(plain, defaults, strict=True), *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]
    for number, (argument, default) in enumerate(every):
        if number == len(plain):
            parts.append("*")
        parts.append(_argument(reader, argument, default, number, given))
    missing = sorted(set(given) - {argument.arg for argument, _ in every} - {"*"})
    if missing:
        raise NoSchemaError(f"`mutates_args` names {missing[0]!r}, which is no argument of `{node.name}`")
    return f"{operator.name}({', '.join(parts)}) -> {reader.returned(node)}"


def _argument(
    reader: _Types, argument: ast.arg, default: ast.expr | None, number: int, mutates: tuple[str, ...]
) -> str:
    if argument.annotation is None:
        raise NoSchemaError(f"argument `{argument.arg}` has no annotation")
    kind = reader.parameter(argument.annotation)
    if not kind:
        raise NoSchemaError(f"argument `{argument.arg}`: no schema has the type `{ast.unparse(argument.annotation)}`")
    if argument.arg in mutates or ("*" in mutates and kind.startswith("Tensor")):
        if not kind.startswith("Tensor"):
            raise NoSchemaError(f"`mutates_args` names `{argument.arg}`, which is no tensor")
        kind = f"Tensor(a{number}!){kind.removeprefix('Tensor')}"
    text = f"{kind} {argument.arg}"
    return text if default is None else f"{text}={_default(reader, default)}"


def _default(reader: _Types, node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return f'"{node.value}"' if isinstance(node.value, str) else repr(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return f"-{node.operand.value!r}"
    dotted = reader.dotted(node)
    if dotted.startswith("torch."):
        return dotted.removeprefix("torch.")
    raise LookupError(f"the default `{ast.unparse(node)}` is known when the file runs")


class _Types:
    """Annotations of one file as the types of schemas; an empty text stands for a type that no schema has."""

    def __init__(self, module: ModuleInfo) -> None:
        self._module = module

    def dotted(self, node: ast.expr) -> str:
        return self._module.dotted(node)

    def parameter(self, node: ast.expr) -> str:
        node = _unquoted(node)
        inner = self._optional(node)
        if inner is None:
            return self._listed(node, True) or self._base(node)
        if not self._is_list(inner):
            base = self._base(inner)
            return base and f"{base}?"
        listed = self._listed(inner, False)
        return f"{listed}?" if listed.removesuffix("[]") in _OPTIONAL_LISTED else ""

    def returned(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
        """What stands behind the arrow. Raises NoSchemaError."""
        if node.returns is None:
            raise NoSchemaError(f"`{node.name}` has no return annotation")
        given = _unquoted(node.returns)
        if isinstance(given, ast.Constant) and given.value is None:
            return "()"
        if isinstance(given, ast.Subscript) and self.dotted(given.value) in _TUPLES:
            inner = [self._one_returned(part) for part in _parts(given)]
            return f"(({inner[0]}))" if len(inner) == 1 else f"({', '.join(inner)})"
        return self._one_returned(given)

    def _one_returned(self, node: ast.expr) -> str:
        node = _unquoted(node)
        kind = self._listed(node, False) or self._base(node)
        if kind not in _RETURNED:
            raise NoSchemaError(f"no schema returns the type `{ast.unparse(node)}`")
        return kind

    def _base(self, node: ast.expr) -> str:
        if self._union(node):
            members = {self.dotted(part) for part in self._union(node)}
            return "Scalar" if members == {"int", "float", "bool"} else ""
        dotted = self.dotted(node)
        kind = _TYPES.get(dotted)
        if kind is None and dotted and (dotted in self._module.assigns or self._elsewhere(dotted)):
            raise LookupError(f"the type `{dotted}` is made elsewhere")
        return kind or ""

    def _elsewhere(self, dotted: str) -> bool:
        """Whether an import makes the name: it may be another for a type that schemas have, as NewTypes are."""
        known = ("torch.nn.", "torch.Size", "typing.", "collections.abc.")
        return not dotted.startswith(known) and any(
            dotted == name or dotted.startswith(f"{name}.") for name in self._module.imports.values()
        )

    def _is_list(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Subscript) and self.dotted(node.value) in _LISTS

    def _listed(self, node: ast.expr, optional: bool) -> str:
        """`Tensor[]`, and with `optional` `Tensor?[]` too."""
        if not isinstance(node, ast.Subscript) or not self._is_list(node):
            return ""
        item = _unquoted(node.slice)
        inside = self._optional(item) if optional else None
        base = self._base(item if inside is None else inside)
        if inside is not None:
            return "Tensor?[]" if base == "Tensor" else ""
        return f"{base}[]" if base in _LISTED else ""

    def _optional(self, node: ast.expr) -> ast.expr | None:
        """What `Optional[...]`, `... | None` or `Union[..., None]` holds; None for anything else."""
        if isinstance(node, ast.Subscript) and self.dotted(node.value) in _OPTIONAL:
            return _unquoted(node.slice)
        members = self._union(node)
        left = [part for part in members if not (isinstance(part, ast.Constant) and part.value is None)]
        if not members or len(left) == len(members):
            return None
        joined = left[0]
        for part in left[1:]:
            joined = ast.BinOp(joined, ast.BitOr(), part)
        return joined

    def _union(self, node: ast.expr) -> list[ast.expr]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return [*(self._union(node.left) or [node.left]), *(self._union(node.right) or [node.right])]
        if isinstance(node, ast.Subscript) and self.dotted(node.value) in _UNIONS:
            return _parts(node)
        return []


def _parts(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _unquoted(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return node
    return node
