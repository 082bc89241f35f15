"""What one native source says, before files are joined: the namespace may be known only to the file that calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from compile_lint.customops.native.values import NativeClass, NativeError


@dataclass(frozen=True, slots=True)
class Owner:
    """What a registration belongs to: a macro's block, or a function that is handed the library or the module."""

    namespace: str
    """Or the module's name. Empty in a function."""
    key: str = ""
    macro: str = ""
    function: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """One `m.def`; the schema is empty where only a name is given."""

    owner: Owner
    name: str
    overload: str
    schema: str
    note: str
    python_module: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Implementation:
    """A function for an operator; the key is empty where the owner's counts."""

    owner: Owner
    name: str
    overload: str
    key: str
    function: str
    path: str
    line: int
    touches_memory: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """A function that a module gives to Python."""

    owner: Owner
    submodule: str
    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A block hands its library or module to a function, which may stand in another file."""

    owner: Owner
    function: str


@dataclass(slots=True)
class Found:
    """What files register; `add` joins the lists and nothing else."""

    definitions: list[Definition] = field(default_factory=list)
    implementations: list[Implementation] = field(default_factory=list)
    modules: list[tuple[Owner, str, int]] = field(default_factory=list)
    """The blocks of extension modules, with path and line."""
    bindings: list[Binding] = field(default_factory=list)
    classes: list[NativeClass] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    errors: list[NativeError] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """All that another file registers, too."""
        self.definitions += other.definitions
        self.implementations += other.implementations
        self.modules += other.modules
        self.bindings += other.bindings
        self.classes += other.classes
        self.passed += other.passed
        self.errors += other.errors
