"""The values that a schema is read into: types with their alias annotations, arguments, and the schema itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Alias:
    """An alias annotation: `(a)`, `(a!)`, `(a|b)`, `(a -> *)`; the bare `!` names no set."""

    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    write: bool = False

    def __str__(self) -> str:
        mark = "!" if self.write else ""
        if not self.before:
            return mark
        after = f" -> {'|'.join(self.after)}" if self.after else ""
        return f"({'|'.join(self.before)}{mark}{after})"


@dataclass(frozen=True, slots=True)
class Type:
    """A type: a name, or `List`, `Optional`, `Tuple`, `Dict`, `Union`, `Future`, `Await`, `RRef` with what it holds."""

    name: str
    inner: tuple[Type, ...] = ()
    size: int | None = None
    """The length that a list of an argument says it has: `int[2]`."""
    alias: Alias | None = None

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.inner))
        if self.name == "List":
            text = f"{inner}[{'' if self.size is None else self.size}]"
        elif self.name == "Optional":
            text = f"{inner}?"
        else:
            text = f"({inner})" if self.name == "Tuple" else f"{self.name}({inner})" if self.inner else self.name
        return text + (str(self.alias) if self.alias else "")

    @property
    def optional(self) -> bool:
        """Whether None is a value of it."""
        return self.name == "Optional"

    @property
    def plain(self) -> str:
        """The text without alias annotations: `Tensor(a!)[]` is `Tensor[]`."""
        return str(self._bare())

    def _bare(self) -> Type:
        return Type(self.name, tuple(inner._bare() for inner in self.inner), self.size)

    @property
    def annotations(self) -> tuple[Alias, ...]:
        """Alias annotations, those of what it holds first."""
        held = tuple(alias for inner in self.inner for alias in inner.annotations)
        return (*held, self.alias) if self.alias else held

    @property
    def mutated(self) -> bool:
        """Whether the operator writes to the value, or to what it holds."""
        return any(alias.write for alias in self.annotations)

    def holds(self, name: str) -> bool:
        """Whether the type is called so, or holds such a type: `Tensor?[]` holds `Tensor`."""
        return self.name == name or any(inner.holds(name) for inner in self.inner)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument, or one value that is returned (whose name may be empty); the default is text as in the schema."""

    name: str
    type: Type
    default: str | None = None
    kwarg_only: bool = False

    @property
    def alias(self) -> Alias | None:
        """The outermost alias annotation."""
        found = self.type.annotations
        return found[-1] if found else None

    @property
    def mutated(self) -> bool:
        """Whether the operator writes to it."""
        return self.type.mutated

    def __str__(self) -> str:
        text = f"{self.type} {self.name}" if self.name else str(self.type)
        return text if self.default is None else f"{text}={self.default}"


@dataclass(frozen=True, slots=True)
class Schema:
    """An operator's schema. `namespace` and `overload` are empty where the text has none."""

    namespace: str
    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    vararg: bool = False
    varret: bool = False

    @property
    def qualified(self) -> str:
        """`ns::name`, without the overload."""
        return f"{self.namespace}::{self.name}" if self.namespace else self.name

    @property
    def mutates(self) -> tuple[str, ...]:
        """Arguments that the operator writes to."""
        return tuple(argument.name for argument in self.arguments if argument.mutated)

    @property
    def aliases(self) -> tuple[str, ...]:
        """Arguments whose memory a returned value may share."""
        sets = {name for value in self.returns for alias in value.type.annotations for name in alias.before}
        return tuple(argument.name for argument in self.arguments if _sets_of(argument) & sets)

    @property
    def returns_tensor(self) -> bool:
        """Whether a tensor is among what is returned, or held by it."""
        return any(value.type.holds("Tensor") for value in self.returns)

    def __str__(self) -> str:
        parts: list[str] = []
        for argument in self.arguments:
            if argument.kwarg_only and "*" not in parts:
                parts.append("*")
            parts.append(str(argument))
        parts += ["..."] if self.vararg else []
        name = f"{self.qualified}.{self.overload}" if self.overload else self.qualified
        return f"{name}({', '.join(parts)}) -> {self._returned()}"

    def _returned(self) -> str:
        values = [*map(str, self.returns), *(["..."] if self.varret else [])]
        return values[0] if len(values) == 1 and values[0][0] != "(" else f"({', '.join(values)})"


def _sets_of(argument: Argument) -> set[str]:
    names = {name for alias in argument.type.annotations for name in (*alias.before, *alias.after)}
    return names - {"*"}
