"""What C++ and CUDA sources declare, in the terms of the inventory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compile_lint.customops.native import NativeModule, NativeOperator, read_native
from compile_lint.customops.native.bodies import function_name
from compile_lint.discover import File
from compile_lint.findings import FileError
from compile_lint.ops.guessed import inferred_of

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
    inferred: str = ""
    """The schema that torch infers, where the C++ function is among the sources."""
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
    parts = [_part(one) for one in side.operators]
    without = [at for at, part in enumerate(parts) if part.defined and not part.schema]
    functions_of = {at: _defined_with(side.operators[at]) for at in without}
    pieces = _pieces(files, {name for names in functions_of.values() for name in names})
    for at, names in functions_of.items():
        parts[at] = replace(parts[at], inferred=_inferred(side.operators[at], names, pieces))
    return Native(tuple(parts), functions, tuple(errors))


def _defined_with(one: NativeOperator) -> list[str]:
    """The last names of the functions that an operator has for kernels."""
    functions = [function_name(kernel.function) for kernel in one.kernels if "{" not in kernel.function]
    return list(dict.fromkeys(filter(None, functions)))


def _pieces(files: Sequence[File], names: set[str]) -> dict[str, list[tuple[str, str]]]:
    """Where functions are named before a parenthesis: by name, the path and what stands around."""
    found: dict[str, list[tuple[str, str]]] = {}
    words = re.compile(rf"\b({'|'.join(sorted(names))})\s*\(") if names else None
    for file in files if words is not None else ():
        try:
            text = Path(file.real).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # told of already
        for match in words.finditer(text) if words is not None else ():
            found.setdefault(match[1], []).append((file.path, text[max(match.start() - 200, 0) : match.end() + 2000]))
    return found


def _inferred(one: NativeOperator, names: list[str], pieces: dict[str, list[tuple[str, str]]]) -> str:
    """The schema that torch infers of the function that an operator is defined with; empty where it is not seen."""
    for name in names:
        for _, text in sorted(pieces.get(name, ()), key=lambda pair: pair[0] != one.path):
            if schema := inferred_of(text, name, one.name):
                return schema
    return ""


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
