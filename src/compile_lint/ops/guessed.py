"""The schema that native code would have as an operator: from its C++ signature, or from a call of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from compile_lint.customops.schema import Schema, SchemaError, parse_schema

_DROPPED = re.compile(
    r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b(const|static|inline|extern|constexpr|volatile|struct|class|typename|virtual|"
    r"at|torch|c10|std)\b(::)?|\s|[&*]|__restrict__|\[\[[^\]]*\]\]"
)
_TYPES = {
    "Tensor": "Tensor",
    "TensorList": "Tensor[]",
    "OptionalTensorRef": "Tensor?",
    "IntArrayRef": "int[]",
    "SymIntArrayRef": "SymInt[]",
    "SymInt": "SymInt",
    "Scalar": "Scalar",
    "ScalarType": "ScalarType",
    "Dtype": "ScalarType",
    "Device": "Device",
    "Generator": "Generator",
    "string": "str",
    "string_view": "str",
    "bool": "bool",
    "void": "()",
    **dict.fromkeys(("double", "float"), "float"),
    **dict.fromkeys(("int", "int64_t", "int32_t", "long", "longlong", "size_t", "unsigned", "uint64_t"), "int"),
}
_HOLDERS = {"optional": "?", "ArrayRef": "[]", "vector": "[]", "List": "[]"}
_WRITTEN = re.compile(r"(^|_)(out|outputs?|results?|res|dst|ret|buffer|workspace|cache)(_|$|\d)")
_TEMPLATE = re.compile(r"template\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>")
_QUALIFIED = re.compile(r"[\w:<>,\s&*\[\]]*$")


def of_signature(text: str, function: str, name: str) -> Schema | None:
    """The schema of a C++ function that a source defines or declares; None where a type has no place in schemas.

    Args:
        text: of the source.
        function: its name there, which may be qualified.
        name: `ns::name` of the operator.
    """
    for arguments, returned in _signatures(text, function):
        return _schema(name, arguments, returned)
    return None


def inferred_of(text: str, function: str, name: str) -> str:
    """The schema that torch infers of a C++ function that a source defines or declares: it has no arguments' names.

    Empty where the function is not there, or a type has no place in schemas (c10/core/op_registration/infer_schema.h).
    """
    for arguments, returned in _signatures(text, function):
        listed = ", ".join(f"{kind} _{at}" for at, (_, kind, _) in enumerate(arguments))
        return f"{name}({listed}) -> {returned}"
    return ""


def _signatures(text: str, function: str) -> Iterator[tuple[list[tuple[str, str, bool]], str]]:
    last = function.rpartition("::")[2].strip("&* ")
    if not re.fullmatch(r"\w+", last):
        return
    for found in re.finditer(rf"\b{last}\s*\(", text):
        before = _QUALIFIED.search(text, 0, found.start())
        inside, end = _inside(text, found.end())
        after = text[end : end + 40].lstrip()
        returned = _before(_TEMPLATE.sub("", before[0]) if before else "")
        if returned is None or not after.startswith(("{", ";", "->", "noexcept")):
            continue
        arguments = [_argument(part) for part in _split(inside)]
        if all(arguments):
            yield [one for one in arguments if one], returned


def _before(text: str) -> str | None:
    """The type that the last lines before a function's name say; what stands above them belongs to something else."""
    lines = text.splitlines()
    lines += [""] * text.endswith("\n")
    tried = (" ".join(lines[-count:]) for count in (1, 2, 3))
    return next((kind for one in tried if one.strip() and (kind := _type(one)) is not None), None)


def of_call(text: str, line: int, function: str, name: str) -> Schema | None:
    """The schema that a call of native code suggests; None where there is no such call on the line."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    last = function.rpartition(".")[2].rpartition("::")[2]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.lineno == line and _called(node.func) == last:
            given = [*((None, one) for one in node.args), *((k.arg, k.value) for k in node.keywords if k.arg)]
            arguments = list(_named(given))
            return _schema(name, arguments, "()" if id(node) in bare else "Tensor")
    return None


def _schema(name: str, arguments: list[tuple[str, str, bool]], returned: str) -> Schema | None:
    """What returns nothing is taken to write to a tensor: to those that are called so, else to all that it may."""
    written: set[str] = set()
    if returned == "()":
        may = [one for one, kind, fixed in arguments if kind.startswith("Tensor") and not fixed]
        written = {one for one in may if _WRITTEN.search(one.lower())} or set(may)
    parts = []
    for at, (one, kind, _) in enumerate(arguments):
        mark = f"(a{at}!)" if one in written else ""
        parts.append(f"Tensor{mark}{kind.removeprefix('Tensor')} {one}" if mark else f"{kind} {one}")
    try:
        return parse_schema(f"{name}({', '.join(parts)}) -> {returned}")
    except SchemaError:
        return None


def _inside(text: str, start: int) -> tuple[str, int]:
    """What stands in the parentheses that open before `start`, without comments, and where they end."""
    depth, at = 1, start
    while at < len(text) and depth:
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    inside = re.sub(r"//[^\n]*|/\*.*?\*/", "", text[start : at - 1], flags=re.DOTALL)
    return inside, at


def _split(text: str) -> list[str]:
    """Parts between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "<({[") - (sign in ">)}]")
        if sign == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _argument(text: str) -> tuple[str, str, bool] | None:
    """Name, type, and whether it is const, of one argument of a C++ function."""
    text = text.partition("=")[0].strip()
    found = re.fullmatch(r"(.*[\s&*>])(\w+)", text, re.DOTALL)
    kind = _type(found[1]) if found else None
    if found is None or kind is None or kind == "()":
        return None
    return found[2], kind, "const" in found[1].split("<")[0].split()


def _type(text: str) -> str | None:
    """The schema's type for a C++ type; None where there is none."""
    if "unsigned char" in text or "char*" in text.replace(" ", ""):
        return None
    plain = _DROPPED.sub("", text)
    if plain in _TYPES:
        return _TYPES[plain]
    found = re.fullmatch(r"(\w+)<(.*)>", plain)
    if found is None:
        return None
    inner = [_type(part) for part in _split(found[2])]
    if found[1] == "tuple" and all(inner):
        return f"({', '.join(one for one in inner if one)})"
    if found[1] in _HOLDERS and len(inner) == 1 and inner[0]:
        return inner[0] + _HOLDERS[found[1]]
    return None


def _called(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _named(given: list[tuple[str | None, ast.expr]]) -> Iterator[tuple[str, str, bool]]:
    """A name and a type for each value that a call gives; what is no literal is taken for a tensor."""
    taken: set[str] = set()
    for at, (keyword, value) in enumerate(given):
        name = keyword or (value.id if isinstance(value, ast.Name) else getattr(value, "attr", "")) or f"arg{at}"
        name = name if name not in taken and name.isidentifier() else f"arg{at}"
        taken.add(name)
        kind = "Tensor"
        if isinstance(value, ast.Constant):
            kind = {bool: "bool", int: "int", float: "float", str: "str"}.get(type(value.value), "Tensor?")
        elif isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant):
            kind = "float" if isinstance(value.operand.value, float) else "int"
        yield name, kind, False
