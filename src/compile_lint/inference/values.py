"""What an expression can be while TorchDynamo traces it. `UNKNOWN` never becomes a certain finding.

The kinds follow what Dynamo distinguishes: a tensor has no Python value while tracing, a size has one (a SymInt), a
Python value is a guard, a host scalar was read from a tensor and has already split the graph where it was read.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from compile_lint.project.modules import ClassInfo, FunctionInfo, ModuleInfo

CERTAIN: Final = 3
LIKELY: Final = 2
POSSIBLE: Final = 1


class Origin:
    """Where a value was made: the expression, or the parameter, that a finding names as its reason.

    `base` is the origin of the tensor that the expression was applied to, where there is one.
    """

    __slots__ = ("base", "module", "node", "reason")

    def __init__(self, node: ast.AST, module: ModuleInfo, reason: str = "", base: Origin | None = None) -> None:
        self.node = node
        self.module = module
        self.reason = reason
        self.base = base


class Value:
    """Base of all kinds; by itself only `UNKNOWN` is one."""

    __slots__ = ()

    def key(self) -> object:
        """What two calls must share for one summary to serve both."""
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{self.key()}>"


class Unknown(Value):
    """Nothing is known. `number`: out of arithmetic, so a number or a tensor; `truth`: out of a comparison."""

    __slots__ = ("argument", "number", "truth")

    def __init__(self, number: bool = False, truth: bool = False, argument: str = "") -> None:
        self.number = number
        self.truth = truth
        self.argument = argument

    def key(self) -> object:
        """What two calls must share of it."""
        return "?"


KNOWN = "known"
"""`made` of a tensor whose value is known while tracing; see known.py."""
PERHAPS = "known if static"
"""`made` of a tensor whose value is known where sizes are static and it has one element."""
_COMPUTED = ("computed", KNOWN, PERHAPS)
"""Ways in which a tensor is made inside the trace."""


class Tensor(Value):
    """A tensor. `dtype`: bool, int, float or empty; `scalar`: True for 0-d, False for at least 1-d, None unknown."""

    __slots__ = ("argument", "dtype", "layout", "made", "optional", "origin", "scalar", "sure")

    def __init__(
        self,
        dtype: str = "",
        scalar: bool | None = None,
        sure: int = CERTAIN,
        origin: Origin | None = None,
        made: str = "computed",
        optional: bool = False,
        layout: str = "",
        argument: str = "",
    ) -> None:
        self.dtype = dtype
        self.scalar = scalar
        self.sure = sure
        self.origin = origin
        self.made = made
        self.optional = optional
        self.layout = layout
        self.argument = argument

    def key(self) -> object:
        """What two calls must share of it."""
        return (
            "t",
            self.dtype,
            self.scalar,
            self.sure,
            self.made if self.made in _COMPUTED else "",
            self.optional,
            self.layout,
        )

    def replaced(self, **changes: object) -> Tensor:
        """The same tensor with some facts changed."""
        made = Tensor(
            self.dtype,
            self.scalar,
            self.sure,
            self.origin,
            self.made,
            self.optional,
            self.layout,
            self.argument,
        )
        for name, value in changes.items():
            setattr(made, name, value)
        return made


class Const(Value):
    """A Python constant whose value is known."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def key(self) -> object:
        """What two calls must share of it."""
        value = self.value
        return ("c", type(value).__name__) if not isinstance(value, (bool, type(None))) else ("c", value)


class Tracing(Const):
    """True because the code is being traced (`torch.compiler.is_compiling()`), whatever else a helper asks for."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(True)

    def key(self) -> object:
        """What two calls must share of it."""
        return "tracing"


class Py(Value):
    """A Python value of a known type (int, bool, float, str, dtype, device ...) that is not known itself."""

    __slots__ = ("argument", "optional", "type")

    def __init__(self, type: str, argument: str = "", optional: bool = False) -> None:
        self.type = type
        self.argument = argument
        self.optional = optional

    def key(self) -> object:
        """What two calls must share of it."""
        return ("p", self.type, self.optional)


class Sym(Value):
    """A number that comes from the sizes of tensors (a SymInt or what arithmetic makes of one)."""

    __slots__ = ()


class Host(Value):
    """A Python number read from a tensor: the graph was split where it was read, from there on it is plain Python."""

    __slots__ = ("type",)

    def __init__(self, type: str = "") -> None:
        self.type = type


class Size(Value):
    """A tuple of sizes (`x.shape`)."""

    __slots__ = ()


class Ndarray(Value):
    """A numpy array that stands for a tensor while tracing."""

    __slots__ = ("origin", "scalar")

    def __init__(self, origin: Origin | None = None, scalar: bool = False) -> None:
        self.origin = origin
        self.scalar = scalar

    def key(self) -> object:
        """What two calls must share of it."""
        return ("nd", self.scalar)


class Seq(Value):
    """A list, tuple, set, ModuleList ...; `items` where all are known, else `elem` stands for each."""

    __slots__ = ("argument", "elem", "items", "type")

    def __init__(self, type: str, items: tuple[Value, ...] | None, elem: Value, argument: str = "") -> None:
        self.type = type
        self.items = items
        self.elem = elem
        self.argument = argument

    def key(self) -> object:
        """What two calls must share of it."""
        if self.items is not None and len(self.items) <= 6:
            return ("s", self.type, tuple(item.key() for item in self.items))
        return ("s", self.type, self.elem.key())


class Map(Value):
    """A dict; `items` by constant key where known, `elem` stands for every other value."""

    __slots__ = ("argument", "elem", "items", "open")

    def __init__(self, items: Mapping[object, Value], elem: Value, open: bool = False, argument: str = "") -> None:
        self.items = items
        self.elem = elem
        self.open = open
        self.argument = argument

    def key(self) -> object:
        """What two calls must share of it."""
        return ("m", self.elem.key())


class Module(Value):
    """A Python module or any name that is not defined in the linted tree, by its dotted name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def key(self) -> object:
        """What two calls must share of it."""
        return ("x", self.name)


class External(Value):
    """An instance of a class that is not defined in the linted tree (`torch.nn.Linear(...)`), by the class's name."""

    __slots__ = ("name", "parts")

    def __init__(self, name: str, parts: tuple[Value, ...] = ()) -> None:
        self.name = name
        self.parts = parts

    def key(self) -> object:
        """What two calls must share of it."""
        return ("e", self.name, tuple(p.key() for p in self.parts[:4]))


class Class(Value):
    """A class of the linted tree."""

    __slots__ = ("info",)

    def __init__(self, info: ClassInfo) -> None:
        self.info = info

    def key(self) -> object:
        """What two calls must share of it."""
        return ("k", id(self.info))


class Instance(Value):
    """An object of a class of the linted tree. `fields` are what its constructor call stored, where that was seen."""

    __slots__ = ("fields", "info", "super_of")

    def __init__(
        self, info: ClassInfo, fields: dict[str, Value] | None = None, super_of: ClassInfo | None = None
    ) -> None:
        self.info = info
        self.fields = fields
        self.super_of = super_of

    def key(self) -> object:
        """What two calls must share of it."""
        return ("i", id(self.info))


class Func(Value):
    """A function of the linted tree, with the receiver it is bound to and the variables it closes over."""

    __slots__ = ("bound", "closure", "info")

    def __init__(
        self, info: FunctionInfo, bound: Value | None = None, closure: Mapping[str, Value] | None = None
    ) -> None:
        self.info = info
        self.bound = bound
        self.closure = closure

    def key(self) -> object:
        """What two calls must share of it."""
        return ("f", id(self.info), self.bound.key() if self.bound is not None else None)


class Method(Value):
    """An attribute of a value that is no project object: `x.sum`, `d.items`, `unknown.thing`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def key(self) -> object:
        """What two calls must share of it."""
        return ("a", self.receiver.key(), self.name)


class Bound(Value):
    """A callable with arguments bound in front (`functools.partial`) or wrapped by a transform (`torch.vmap`)."""

    __slots__ = ("args", "func", "kwargs")

    def __init__(self, func: Value, args: tuple[Value, ...] = (), kwargs: Mapping[str, Value] | None = None) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs or {}

    def key(self) -> object:
        """What two calls must share of it."""
        return ("b", self.func.key())


class Union(Value):
    """One of a few callables or objects."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Value, ...]) -> None:
        self.options = options

    def key(self) -> object:
        """What two calls must share of it."""
        return ("u", tuple(o.key() for o in self.options))


UNKNOWN: Final = Unknown()
NUMBER: Final = Unknown(number=True)
TRUTH: Final = Unknown(truth=True)
NONE: Final = Const(None)
SYM: Final = Sym()
SIZE: Final = Size()
BOOL: Final = Py("bool")
INT: Final = Py("int")
FLOAT: Final = Py("float")
STR: Final = Py("str")
HOST: Final = Host()
MAX_OPTIONS: Final = 4


def python_type(value: Value) -> str:
    """The name of the Python type, or the empty string where it is not known."""
    if isinstance(value, Const):
        return type(value.value).__name__
    if isinstance(value, Py):
        return value.type
    if isinstance(value, Sym):
        return "int"
    if isinstance(value, Seq):
        return value.type
    if isinstance(value, Map):
        return "dict"
    return ""


def join(a: Value, b: Value) -> Value:
    """What a variable is where two paths meet."""
    if a is b:
        return a
    ta, tb = type(a), type(b)
    if ta is Tracing or tb is Tracing:
        # a helper that asks several questions, one of them whether this is being compiled
        return a if ta is Tracing else b
    if ta is Tensor:
        return _join_tensor(a, b)  # type: ignore[arg-type]
    if tb is Tensor:
        return _join_tensor(b, a)  # type: ignore[arg-type]
    if ta is tb:
        return _join_same(a, b)
    if ta is Unknown or tb is Unknown:
        return UNKNOWN
    return _join_mixed(a, b)


def _join_tensor(a: Tensor, b: Value) -> Value:
    if type(b) is Tensor:
        return Tensor(
            a.dtype if a.dtype == b.dtype else "",
            a.scalar if a.scalar == b.scalar else None,
            min(a.sure, b.sure),
            a.origin or b.origin,
            a.made if a.made == b.made else "computed",
            a.optional or b.optional,
            a.layout if a.layout == b.layout else "",
        )
    if isinstance(b, Const) and b.value is None:
        return a if a.optional else a.replaced(optional=True)
    if isinstance(b, (Const, Py, Sym, Host)):
        return a.replaced(sure=min(a.sure, LIKELY))
    if isinstance(b, Unknown):
        return a.replaced(sure=POSSIBLE)
    return UNKNOWN


def _join_same(a: Value, b: Value) -> Value:
    if isinstance(a, Const) and isinstance(b, Const):
        return _join_const(a, b)
    if isinstance(a, Seq) and isinstance(b, Seq):
        return _join_seq(a, b)
    if isinstance(a, Map) and isinstance(b, Map):
        return _join_map(a, b)
    if isinstance(a, Py) and isinstance(b, Py):
        return a if a.type == b.type else UNKNOWN
    if isinstance(a, Unknown) and isinstance(b, Unknown):
        return NUMBER if a.number and b.number else UNKNOWN
    if a.key() == b.key():
        return a
    if isinstance(a, (Instance, Func, External, Class, Module)):
        return Union((a, b))
    if isinstance(a, Union) and isinstance(b, Union):
        return unite(a.options + b.options)
    return UNKNOWN


def _join_const(a: Const, b: Const) -> Value:
    if type(a.value) is type(b.value):
        return a if a.value == b.value else Py(type(a.value).__name__)
    if a.value is None or b.value is None:
        other = b if a.value is None else a
        return Py(type(other.value).__name__, optional=True)
    return UNKNOWN


def _join_seq(a: Seq, b: Seq) -> Value:
    if a.type != b.type:
        return UNKNOWN
    if a.items is not None and b.items is not None and len(a.items) == len(b.items):
        items = tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True))
        return Seq(a.type, items, join(a.elem, b.elem))
    # an empty list says nothing about what the other path put into it
    if a.items == ():
        return Seq(b.type, None, b.elem)
    if b.items == ():
        return Seq(a.type, None, a.elem)
    return Seq(a.type, None, join(a.elem, b.elem))


def _join_map(a: Map, b: Map) -> Value:
    items = {key: join(value, b.items[key]) if key in b.items else value for key, value in a.items.items()}
    items.update({key: value for key, value in b.items.items() if key not in a.items})
    return Map(items, join(a.elem, b.elem), True)


_NUMBERS = (Py, Const, Sym, Host)


def _join_mixed(a: Value, b: Value) -> Value:
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        none_a, none_b = (isinstance(v, Const) and v.value is None for v in (a, b))
        if none_a or none_b:
            other = b if none_a else a
            return Py(other.type, other.argument, True) if isinstance(other, Py) else other
        return Py(python_type(a)) if python_type(a) == python_type(b) and python_type(a) else Py("number")
    if isinstance(a, Const) and a.value is None:
        return b
    if isinstance(b, Const) and b.value is None:
        return a
    objects = (Instance, Func, External, Class, Module, Union)
    if isinstance(a, objects) and isinstance(b, objects):
        return unite((*options(a), *options(b)))
    return UNKNOWN


def options(value: Value) -> tuple[Value, ...]:
    """The alternatives of a union, or the value alone."""
    return value.options if isinstance(value, Union) else (value,)


def unite(values: tuple[Value, ...]) -> Value:
    """A union of different values; too many are unknown."""
    seen: dict[object, Value] = {}
    for value in values:
        for option in options(value):
            seen.setdefault(option.key(), option)
    if not seen:
        return UNKNOWN
    if len(seen) == 1:
        return next(iter(seen.values()))
    return Union(tuple(seen.values())) if len(seen) <= MAX_OPTIONS else UNKNOWN


def join_all(values: list[Value] | tuple[Value, ...]) -> Value:
    """The join of several; of none, unknown."""
    if not values:
        return UNKNOWN
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def sequence(type: str, items: tuple[Value, ...], argument: str = "") -> Seq:
    """A list, tuple or set of known items."""
    return Seq(type, items, join_all(items), argument)
