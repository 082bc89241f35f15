"""What C++ and CUDA sources declare, in the terms of the inventory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compile_lint.customops.native import NativeModule, NativeOperator, read_native
from compile_lint.discover import File
from compile_lint.findings import FileError

NATIVE_SUFFIXES = (".cpp", ".cc", ".cxx", ".cu", ".cuh", ".h", ".hpp", ".mm", ".hip")
"""Sources that can register operators."""


@dataclass(frozen=True, slots=True)
class Part:
    """What native sources say of one operator: that it is defined, or only that there are kernels for it."""

    name: str
    """`ns::name`, without the overload."""
    path: str
    line: int
    defined: bool = True
    """Whether this is `m.def`, rather than kernels for an operator that is defined elsewhere."""
    overload: str = ""
    schema: str = ""
    """The text given to `m.def`, with or without a namespace; empty where C++ infers it of a function."""
    kernels: tuple[str, ...] = ()
    """Dispatch keys."""
    touching: tuple[str, ...] = ()
    """Those whose kernel is seen to ask tensors for pointers or values."""
    note: str = ""
    """What else is to be known of it; the name and the schema may be text alone, such as a macro."""

    @property
    def full_name(self) -> str:
        """With the overload, where there is one."""
        return f"{self.name}.{self.overload}" if self.overload else self.name


@dataclass(frozen=True, slots=True)
class Function:
    """A function that an extension module binds for Python."""

    module: str
    """As the source has it: `TORCH_EXTENSION_NAME` where the build names it."""
    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Native:
    """What native sources declare."""

    parts: tuple[Part, ...] = ()
    functions: tuple[Function, ...] = ()
    errors: tuple[FileError, ...] = ()


def native_side(files: Sequence[File]) -> Native:
    """What these sources declare. That nothing can read them is an error, which makes the inventory one with gaps."""
    if not files:
        return Native()
    side = read_native(files)
    errors = [FileError(one.path or files[0].path, _placed(one.line, one.message), not one.path) for one in side.errors]
    functions = tuple(function for module in side.modules for function in _functions(module))
    return Native(tuple(_part(one) for one in side.operators), functions, tuple(errors))


def _placed(line: int, message: str) -> str:
    return f"line {line}: {message}" if line else message


def _part(one: NativeOperator) -> Part:
    # what a template does for `f<true>` may be less than what stands in it
    sure = [kernel.key for kernel in one.kernels if kernel.touches_memory and "<" not in kernel.function]
    touching = tuple(dict.fromkeys(sure))
    defined = bool(one.declared_by or one.schema)
    return Part(one.name, one.path, one.line, defined, one.overload, one.schema, one.keys, touching, one.note)


def _functions(module: NativeModule) -> Iterator[Function]:
    for name, line in module.functions:
        before, _, last = f"{module.name}.{name}".rpartition(".")
        yield Function(before, last, module.path, line)
