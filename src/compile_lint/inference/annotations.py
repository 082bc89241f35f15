"""What a type annotation says about a value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from compile_lint.inference.values import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    SIZE,
    STR,
    UNKNOWN,
    Instance,
    Map,
    Origin,
    Py,
    Seq,
    Tensor,
    Value,
    join,
    sequence,
)
from compile_lint.project.modules import ClassInfo, ModuleInfo

if TYPE_CHECKING:
    from compile_lint.project.project import Project

_PLAIN: dict[str, Value] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "bytes": Py("bytes"),
    "None": NONE,
    "torch.Size": SIZE,
    "torch.dtype": Py("dtype"),
    "torch.device": Py("device"),
    "torch.Generator": Py("generator"),
    "dict": Map({}, UNKNOWN, True),
    "typing.Dict": Map({}, UNKNOWN, True),
    "list": Seq("list", None, UNKNOWN),
    "tuple": Seq("tuple", None, UNKNOWN),
}
_TENSORS = {"torch.Tensor": "", "torch.nn.Parameter": "float", "torch.nn.parameter.Parameter": "float"}
_TYPED = {"Long": "int", "Int": "int", "Short": "int", "Byte": "int", "Char": "int", "Bool": "bool", "Float": "float"}
_TYPED |= {"Half": "float", "Double": "float", "BFloat16": "float"}
_LISTS = {"list": "list", "List": "list", "Sequence": "list", "Iterable": "list", "set": "set", "Set": "set"}
_DICTS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"}


def tensor_dtype(dotted: str) -> str | None:
    """The dtype class of a tensor type's name ("" unknown); None where the name is no tensor type."""
    if dotted in _TENSORS:
        return _TENSORS[dotted]
    if dotted.startswith("torch.") and dotted.endswith("Tensor"):
        return _TYPED.get(dotted.rpartition(".")[2].removesuffix("Tensor"), "")
    if dotted.startswith("jaxtyping."):
        return {"Bool": "bool", "Int": "int", "Int64": "int", "Float": "float"}.get(dotted.rpartition(".")[2], "")
    return None


def annotated(node: ast.expr | None, module: ModuleInfo, project: Project, depth: int = 0) -> Value | None:
    """The value that an annotation promises; None where it says nothing of use."""
    if node is None or depth > 4:
        return None
    if isinstance(node, ast.Constant):
        return _from_constant(node, module, project, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _either([node.left, node.right], module, project, depth)
    if isinstance(node, ast.Subscript):
        return _from_subscript(node, module, project, depth)
    dotted = module.dotted(node)
    dtype = tensor_dtype(dotted)
    if dtype is not None:
        return Tensor(dtype, origin=Origin(node, module, "annotation"), made="input")
    if dotted in _PLAIN:
        return _PLAIN[dotted]
    target = module.classes.get(dotted) or project.resolve(dotted)
    if isinstance(target, ClassInfo):
        return Instance(target)
    if isinstance(target, tuple):  # an alias such as `OptTensor = Optional[Tensor]`
        owner, name = target
        return annotated(owner.assigns[name][-1], owner, project, depth + 1)
    if dotted in module.assigns and not target:
        return annotated(module.assigns[dotted][-1], module, project, depth + 1)
    if dotted.rpartition(".")[2] in ("OptTensor",):
        return None
    return None


def _from_constant(node: ast.Constant, module: ModuleInfo, project: Project, depth: int) -> Value | None:
    if node.value is None:
        return NONE
    if isinstance(node.value, str):
        try:
            return annotated(ast.parse(node.value, mode="eval").body, module, project, depth + 1)
        except (SyntaxError, ValueError):
            return None
    return None


def _from_subscript(node: ast.Subscript, module: ModuleInfo, project: Project, depth: int) -> Value | None:
    name = module.dotted(node.value)
    last = name.rpartition(".")[2]
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    dtype = tensor_dtype(name)
    if dtype is not None:
        return Tensor(dtype, origin=Origin(node, module, "annotation"), made="input")
    if last == "Optional":
        return _either([*inner, ast.Constant(None)], module, project, depth)
    if last == "Union":
        return _either(inner, module, project, depth)
    if last in ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "Unpack"):
        return annotated(inner[0], module, project, depth + 1)
    if last in ("Literal",):
        return STR if all(isinstance(i, ast.Constant) and isinstance(i.value, str) for i in inner) else None
    if last in ("tuple", "Tuple"):
        return _tuple(inner, module, project, depth)
    if last in ("Iterator", "Generator"):
        return Seq("iterator", None, annotated(inner[0], module, project, depth + 1) or UNKNOWN)
    if last in _LISTS:
        return Seq(_LISTS[last], None, annotated(inner[0], module, project, depth + 1) or UNKNOWN)
    if last in _DICTS:
        value = annotated(inner[-1], module, project, depth + 1) or UNKNOWN
        # dictionaries of tensors often hold a size or a flag besides: the use of a value tells more
        return Map({}, UNKNOWN if isinstance(value, Tensor) else value, True)
    return None


def _tuple(inner: list[ast.expr], module: ModuleInfo, project: Project, depth: int) -> Value:
    values = [annotated(i, module, project, depth + 1) or UNKNOWN for i in inner if not _is_ellipsis(i)]
    if len(inner) == 2 and _is_ellipsis(inner[1]):
        return Seq("tuple", None, values[0])
    return sequence("tuple", tuple(values))


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _either(parts: list[ast.expr], module: ModuleInfo, project: Project, depth: int) -> Value | None:
    result: Value | None = None
    for part in parts:
        value = annotated(part, module, project, depth + 1)
        if value is None:
            return None
        if result is not None and not _joins(result, value):
            return None
        result = value if result is None else join(result, value)
    return result


def _joins(a: Value, b: Value) -> bool:
    """Whether one annotation of two kinds still says which kind it is: only `None` may stand beside another."""
    return a is NONE or b is NONE or type(a) is type(b)
