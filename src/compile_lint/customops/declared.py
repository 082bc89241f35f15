"""The custom operators that one file declares: what `torch.library` is told about each, read off the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from compile_lint.customops.helpers import Helper
from compile_lint.project.modules import FunctionNode, ModuleInfo

COMPOSITE = frozenset(("CompositeImplicitAutograd", "CompositeExplicitAutograd"))
MARKS = ("torch.library", "import Library", "import library", "register_fake", "custom_op(", "triton_op(")
"""A file without one of these registers nothing."""
MAKERS = frozenset(f"torch.library.{name}" for name in ("custom_op", "triton_op"))
"""What makes an operator out of a function."""
FAKES = frozenset(("register_fake", "impl_abstract", "_register_fake"))
PARTS = FAKES | {"register_autograd", "register_vmap", "register_torch_dispatch", "register_kernel", "impl"}
_NUMBERS = frozenset(("int", "float", "bool", "torch.types.Number"))


@dataclass(slots=True)
class Operator:
    """One operator: where it comes from, its kernels by dispatch key, and its fake kernel."""

    name: str
    custom: bool
    schema: str = ""
    function: FunctionNode | None = None
    kernels: dict[str, FunctionNode | None] = field(default_factory=dict)
    fakes: list[FunctionNode | None] = field(default_factory=list)
    mutates: tuple[str, ...] | None = None
    """What `mutates_args` of custom_op names; `*` for "unknown", and None where it is neither."""
    line: int = 0
    """Where it is defined; of one that is defined elsewhere, where something is registered for it first."""
    devices: tuple[str, ...] = ()
    """The device types that a custom_op has kernels for; none where its function serves all."""
    autograd: bool = False
    vmap: bool = False
    variants: list[FunctionNode] = field(default_factory=list)
    """Kernels that `register_kernel` gives a custom_op for single device types."""
    helpers: dict[str, FunctionNode] = field(default_factory=dict)
    """The functions of the files that it is made in, by name: its kernels may call them."""
    traced: bool = False
    """Whether the function is looked into, as that of a triton_op is; None is then its fake kernel."""

    inferred: bool = False
    """Whether its schema is made of a function that may not be in sight."""

    @property
    def defined(self) -> bool:
        """Whether this is more than kernels for an operator that is defined elsewhere."""
        return self.custom or bool(self.schema) or self.inferred

    def register(self, what: str, keys: list[str], function: FunctionNode | None, fallthrough: bool = False) -> None:
        """Note a registration by the name of the function that makes it; `keys` are dispatch keys or device types."""
        if what in FAKES:
            self.fakes.append(function)
        elif what == "register_kernel":
            self.devices += tuple(keys)
            self.variants += [function] if function is not None else []
        elif what == "impl":
            for key in keys:
                self._kernel(key, function, fallthrough)
        self.autograd = self.autograd or what == "register_autograd"
        self.vmap = self.vmap or what == "register_vmap"

    def _kernel(self, key: str, function: FunctionNode | None, fallthrough: bool) -> None:
        if key == "Meta":
            self.fakes.append(function)
        if key.startswith("Autograd"):
            self.autograd = self.autograd or not fallthrough
        self.kernels[key] = function

    @property
    def returns(self) -> str:
        """The return type: of the schema, or of the function's annotation."""
        if self.schema:
            return self.schema.partition("->")[2].strip()
        node = self.function
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            return ast.unparse(node.returns)
        return ""

    @property
    def returns_nothing(self) -> bool:
        """Such an operator needs no fake kernel."""
        return self.returns in ("()", "None")

    @property
    def returns_number(self) -> bool:
        """A number cannot be an output of a graph's operation."""
        return self.returns in _NUMBERS or self.returns in ("SymInt", "Scalar")


@dataclass(slots=True)
class Declared:
    """The operators of a file by qualified name, the functions that are operators, and functions allowed in graphs."""

    operators: dict[str, Operator] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    allowed: set[str] = field(default_factory=set)
    loads_libraries: bool = False
    of_imported: list[tuple[str, str, list[str], FunctionNode | None]] = field(default_factory=list)
    """What is registered for operators that other files declare: the dotted name of the operator's function, and what
    `Operator.register` takes."""
    nameless: list[int] = field(default_factory=list)
    """The lines that define operators whose names are made when the file runs."""
    helpers: dict[str, Helper] = field(default_factory=dict)
    """The file's own functions that register what they are given."""
    helped: set[str] = field(default_factory=set)
    """Dotted names of such functions that it calls."""


def declared_in(module: ModuleInfo, helpers: Mapping[str, Helper] | None = None) -> Declared:
    """Read a file's declarations, at any depth of its code.

    `helpers` are functions of other files that register what they are given, by the dotted names that this one calls.
    """
    found = Declared()
    if not helpers and not any(mark in module.text for mark in (*MARKS, "load_library", "allow_in_graph")):
        return found
    from compile_lint.customops.reader import Reader

    Reader(module, found, helpers or {}).read()
    return found
