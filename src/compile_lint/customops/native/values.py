"""What native sources register: plain frozen values with path and line (from 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

CATCH_ALL = "CompositeImplicitAutograd"
"""The key of a function given to `m.def`, or to `m.impl` without one (torch/csrc/api/library.h)."""


class NativeError(NamedTuple):
    """What could not be read, or is left out, and why. Line 0 is the whole file; an empty path, all of them."""

    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class NativeKernel:
    """A function registered for an operator and a dispatch key: `CompositeImplicitAutograd` where none is said."""

    key: str
    function: str
    """The text of the C++ expression: `&ops::nms`, `torch::dispatch(c10::DispatchKey::CPU, TORCH_FN(nms))`."""
    path: str
    line: int
    touches_memory: bool = False
    """Whether its body, where it stands in the same file, asks tensors for pointers or values."""


@dataclass(frozen=True, slots=True)
class NativeOperator:
    """An operator: what defines it (several files or branches of `#if` may), and its kernels by place."""

    name: str
    """`ns::name`; the namespace is the text of the source where a macro gives it (`TORCH_EXTENSION_NAME::name`)."""
    overload: str
    schema: str
    """As written, literals joined; empty where only kernels are found, or torch infers it from a function."""
    path: str
    line: int
    kernels: tuple[NativeKernel, ...] = ()
    declared_by: str = ""
    """`TORCH_LIBRARY`, `TORCH_LIBRARY_FRAGMENT`, `STABLE_TORCH_LIBRARY`, `RegisterOperators`; empty if not seen."""
    python_module: str = ""
    """The Python module that has the fake kernel, by `set_python_module` or `impl_abstract_pystub`."""
    note: str = ""
    """Why the name or the schema is only text, or what else is to be known of the definition."""
    others: tuple[tuple[str, int], ...] = ()
    """Further places that define it."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Dispatch keys that have a kernel, sorted."""
        return tuple(sorted({kernel.key for kernel in self.kernels}))


@dataclass(frozen=True, slots=True)
class NativeModule:
    """Functions that an extension module gives to Python (pybind11, nanobind): torch.compile does not see into them.

    A module whose functions are bound in several files is several of these.
    """

    name: str
    """`TORCH_EXTENSION_NAME` is kept as this text; submodules follow after dots."""
    functions: tuple[tuple[str, int], ...]
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class NativeClass:
    """A class registered by `torch::class_<T>`; values of it are script objects."""

    name: str
    """`ns::Class`."""
    path: str
    line: int
    methods: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NativeSide:
    """All that the native sources of a project register, sorted by name and place."""

    operators: tuple[NativeOperator, ...] = ()
    modules: tuple[NativeModule, ...] = ()
    classes: tuple[NativeClass, ...] = ()
    errors: tuple[NativeError, ...] = ()
