"""Outside functions whose effect on tracing is more than a row of the fact tables can say.

Each handler takes the frame, the call's node, the name and the arguments, and gives the result's value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from compile_lint.inference import known
from compile_lint.inference.iteration import element, items_of, length
from compile_lint.inference.values import (
    BOOL,
    CERTAIN,
    INT,
    LIKELY,
    NONE,
    POSSIBLE,
    SIZE,
    STR,
    SYM,
    UNKNOWN,
    Bound,
    Class,
    Const,
    External,
    Func,
    Host,
    Instance,
    Map,
    Method,
    Module,
    Ndarray,
    Py,
    Seq,
    Size,
    Sym,
    Tensor,
    Tracing,
    Unknown,
    Value,
    join,
    join_all,
    python_type,
    sequence,
)

if TYPE_CHECKING:
    from compile_lint.facts import Condition, Fact, Term
    from compile_lint.inference.calls import Arguments
    from compile_lint.inference.frame import Frame

Handler = Callable[["Frame", ast.AST, str, "Arguments"], Value]
_SCALAR = "capture_scalar_outputs"


def find(name: str) -> Handler | None:
    """The handler of a function, by its dotted name."""
    return _CALLS.get(name)


def arguments_of(*values: Value) -> Arguments:
    """Arguments for a call that torch or Python makes itself."""
    from compile_lint.inference.calls import Arguments

    return Arguments(list(values), {}, False, [])


def _apply(frame: Frame, node: ast.AST, func: Value, *values: Value) -> Value:
    from compile_lint.inference.calls import apply

    return apply(frame, node, func, arguments_of(*values))


# builtins -----------------------------------------------------------------------------------------------------------


def _cast(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    kind = name.rpartition(".")[2]
    value = args.get(0, "x")
    if isinstance(value, Tensor):
        if value.sure >= LIKELY:
            needs = "" if kind == "complex" else _SCALAR
            frame.emit(
                "cast", node, value=value, subject=args.nodes[0] if args.nodes else node, callee=name, needs=needs
            )
            if kind == "complex":
                frame.emit("host-value-guard", node, value=value, subject=node, splits=False)
        return read_value(frame, node, value, kind)
    if isinstance(value, Ndarray):
        of_sizes = value.origin is not None and value.origin.reason == "sizes"
        frame.emit("numpy-shape" if of_sizes else "ndarray-read", node, LIKELY, value=value, subject=node)
        return Host(kind)
    if isinstance(value, (Sym, Host)):
        return value if kind != "bool" else BOOL
    if isinstance(value, Const):
        return _cast_constant(kind, value)
    return Py(kind)


def read_value(frame: Frame, node: ast.AST, value: Tensor, kind: str) -> Value:
    """What reading a tensor gives: a plain number, or where the read is captured one that only the data tells."""
    if frame.engine.settings.torch_config.get(_SCALAR) and kind != "complex":
        return Tensor(value.dtype, True, value.sure, frame.origin(node), "input")
    return Host(kind)


def _cast_constant(kind: str, value: Const) -> Value:
    if kind == "bool":
        return value if isinstance(value, Tracing) else Const(bool(value.value))
    if isinstance(value.value, (int, float)) and kind in ("int", "float"):
        return Const(int(value.value) if kind == "int" else float(value.value))
    return Py(kind)


def _len(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "obj")
    if isinstance(value, Seq) and value.items is not None and not value.type.startswith("range"):
        return Const(len(value.items)) if value.type in ("tuple", "ModuleList") else INT
    if isinstance(value, Unknown) and value.argument:
        frame.engine.argument_measured(frame, node, value)
    if isinstance(value, Instance):
        method = frame.engine.method(value, "__len__")
        if method is not None:
            return frame.engine.call_function(frame, node, method, [], {})
    return SYM if isinstance(value, (Tensor, Unknown)) else INT


def _range(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    elem: Value = INT
    for i, value in enumerate(args.positional):
        if isinstance(value, Tensor):
            where = args.nodes[i] if i < len(args.nodes) else node
            frame.emit("range", node, value=value, subject=where)
        elif isinstance(value, Sym):
            frame.engine.shape_used(frame, node, node, "a loop count")
        elif isinstance(value, (Unknown, Py)) and value.argument:
            frame.engine.argument_counted(frame, node, value)
    if len(args.positional) == 1 and isinstance(args.positional[0], Const) and type(args.positional[0].value) is int:
        return Seq(f"range:{max(args.positional[0].value, 0)}", None, elem)
    return Seq("range", None, elem)


def _any_all(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "iterable")
    if value is None:
        return BOOL
    each = element(frame, node, value)
    if isinstance(each, Tensor):
        lazy = isinstance(value, Seq) and value.type == "generator"
        where = args.nodes[0] if args.nodes else node
        frame.emit("builtin-truth", node, value=each, subject=where, callee=name, skip=lazy)
    return BOOL


def _sum(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "iterable")
    each = element(frame, node, value) if value is not None else UNKNOWN
    if isinstance(each, Tensor):
        frame.operations()
        return frame.tensor(node, each.dtype, None, each.sure, of=each)
    return each if isinstance(each, (Sym, Host, Ndarray)) else UNKNOWN


def _extreme(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    values = list(args.positional)
    if len(values) == 1:
        values = [element(frame, node, values[0])]
    if "key" in args.keywords:
        from compile_lint.inference.externals import sort_event

        sort_event(frame, node, sequence("list", tuple(values)), args)
        return join_all(values)
    tensors = [v for v in values if isinstance(v, Tensor)]
    if tensors:
        frame.operations()
        return frame.tensor(node, tensors[0].dtype, tensors[0].scalar, min(t.sure for t in tensors), of=tensors[0])
    if any(isinstance(v, Sym) for v in values):
        return SYM
    if any(isinstance(v, Host) for v in values):
        return Host()
    return join_all(values) if not any(isinstance(v, Const) for v in values) else _no_constant(values)


def _no_constant(values: list[Value]) -> Value:
    value = join_all(values)
    return Py(python_type(value)) if isinstance(value, Const) else value


def _sorted(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    from compile_lint.inference.externals import sort_event

    value = args.get(0, "iterable") or UNKNOWN
    sort_event(frame, node, value, args)
    each = element(frame, node, value)
    return Seq("list", None, each)


def _convert(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    kind = name.rpartition(".")[2]
    value = args.get(0, "iterable")
    if value is None:
        return Seq(kind, (), UNKNOWN)
    if isinstance(value, Size) and kind in ("list", "tuple"):
        return SIZE if kind == "tuple" else Seq("list", None, SYM)
    if isinstance(value, Seq) and value.items is not None and not value.type.startswith("range"):
        return Seq(kind, value.items, value.elem)
    if isinstance(value, Unknown) and value.argument and not value.number:
        return UNKNOWN
    return Seq(kind, None, element(frame, node, value))


def _dict(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    items: dict[object, Value] = dict(args.keywords.items())
    is_open = args.open
    first = args.get(0, "mapping")
    if isinstance(first, Map):
        items = {**first.items, **items}
        is_open = is_open or first.open
    elif first is not None:
        is_open = True
    return Map(items, join_all(list(items.values())), is_open)


def _enumerate(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "iterable") or UNKNOWN
    pair = sequence("tuple", (INT, element(frame, node, value)))
    return _counted("list", pair, length(value))


def _counted(type: str, each: Value, count: int) -> Value:
    return Seq(f"range:{count}", None, each)


def _zip(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if args.open and len(args.positional) == 1:
        row = args.positional[0]  # zip(*rows): columns of the rows
        if isinstance(row, Seq) and row.items is not None:
            return sequence("list", tuple(Seq("tuple", None, item) for item in row.items))
        return UNKNOWN
    pair = sequence("tuple", tuple(element(frame, node, v) for v in args.positional))
    return _counted("list", pair, min((length(v) for v in args.positional), default=1))


def _map(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if not args.positional:
        return UNKNOWN
    each = [element(frame, node, v) for v in args.positional[1:]]
    # what map() calls runs in a generator-like frame, but Dynamo inlines it
    return Seq("generator", None, _apply(frame, node, args.positional[0], *each))


def _filter(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    each = element(frame, node, args.positional[1])
    kept = _apply(frame, node, args.positional[0], each)
    if isinstance(kept, Tensor):
        frame.emit("builtin-truth", node, value=kept, subject=node, callee=name)
    return Seq("list", None, each)


def _reversed(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "seq") or UNKNOWN
    if isinstance(value, Seq) and value.items is not None:
        return Seq(value.type, value.items[::-1], value.elem)
    return value if isinstance(value, Seq) else Seq("list", None, element(frame, node, value))


def _next(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "iterator") or UNKNOWN
    if isinstance(value, Method):
        return UNKNOWN
    return element(frame, node, value)


def _isinstance(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value, kind = args.get(0, "obj"), args.get(1, "class")
    if isinstance(kind, Module) and isinstance(value, Tensor) and value.sure == CERTAIN and not value.optional:
        return Const(True) if kind.name == "torch.Tensor" else BOOL
    if isinstance(kind, Module) and isinstance(value, (Py, Sym, Size, Map)) and kind.name == "torch.Tensor":
        # a default says little about what callers pass
        open_ = isinstance(value, (Py, Map)) and (bool(value.argument) or getattr(value, "optional", False))
        return BOOL if open_ else Const(False)
    return BOOL


def _getattr(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    from compile_lint.inference import attributes

    base, key = args.get(0, "obj"), args.get(1, "name")
    if base is None or not (isinstance(key, Const) and isinstance(key.value, str)):
        return frame.engine.any_member(base) if isinstance(base, Instance) else UNKNOWN
    read = ast.copy_location(
        ast.Attribute(args.nodes[0] if args.nodes else ast.Name("x", ast.Load()), key.value, ast.Load()), node
    )
    value = attributes.read(frame, read, base)
    default = args.get(2, "default")
    if isinstance(value, Module) and (find(value.name) or frame.engine.facts.get(value.name)):
        return value  # it is there: the default is for other versions
    return value if default is None else join(value, default) if not isinstance(value, Unknown) else UNKNOWN


def _setattr(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    base, key, value = args.get(0, "obj"), args.get(1, "name"), args.get(2, "value")
    if isinstance(base, Instance) and isinstance(key, Const) and frame.stores is not None and value is not None:
        frame.stores[str(key.value)] = value
    return NONE


def _text(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "object")
    if isinstance(value, Tensor) and value.sure >= LIKELY and name != "builtins.format":
        frame.emit("format", node, value=value, subject=args.nodes[0] if args.nodes else node, callee=name)
    return STR


def _round(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "number")
    if isinstance(value, Tensor):
        fact = frame.engine.facts.get(f"{name}[tensor]")
        if fact is not None and fact.outcome in ("break", "skip", "error"):
            frame.emit("call", node, value=value, subject=node, callee=name, ids=fact.ids)
        return frame.tensor(node, value.dtype, value.scalar, value.sure)
    return value if isinstance(value, (Host, Sym)) else INT


def _abs(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "x") or UNKNOWN
    if isinstance(value, Tensor):
        frame.operations()
        return frame.tensor(node, value.dtype, value.scalar, value.sure)
    return value if not isinstance(value, Const) else UNKNOWN


def _id(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "obj")
    if isinstance(value, Tensor) and value.made in ("input", "attribute"):
        frame.emit("tensor-identity", node, value=value, subject=node, splits=False)
    return INT


def _iter(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "obj") or UNKNOWN
    return Seq("generator", None, element(frame, node, value))


def _type(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "obj")
    if isinstance(value, Instance):
        return Class(value.info)
    return UNKNOWN


def _print(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    fact = frame.engine.facts.get("builtins.print")
    ids = fact.ids if fact is not None else ("GB0059",)
    frame.emit("call", node, subject=node, callee="builtins.print", ids=ids)
    return NONE


# functions that call what they are given ---------------------------------------------------------------------------


def _partial(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if not args.positional:
        return UNKNOWN
    return Bound(args.positional[0], tuple(args.positional[1:]), args.keywords)


def _reduce(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    each = element(frame, node, args.positional[1])
    return _apply(frame, node, args.positional[0], each, each)


def _passes_first(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return args.positional[0] if args.positional else External(name + "()")


def _decorator_factory(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """A decorator that leaves the function as it is, with or without being called first."""
    if args.positional and isinstance(args.positional[0], (Func, Class, Bound, Instance)) and name != "functools.wraps":
        return args.positional[0]
    return External("decorator")


def _apply_decorator(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    return args.positional[0] if args.positional else UNKNOWN


def _compile(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    model = args.get(0, "model")
    if model is None:
        return External("torch.compile()")
    frame.engine.compiled(frame, node, model, args)
    return model


def _compile_decorator(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    return args.positional[0] if args.positional else UNKNOWN


def _disable(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if not args.positional:
        return External("torch.compiler.disable()")
    return External("disabled", (args.positional[0],))


def _disable_decorator(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    return External("disabled", tuple(args.positional[:1]))


def _call_disabled(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    frame.emit("disabled-call", node, subject=_function_of(node), ids=("GB0098",))
    _opted_out(frame, node, instance)
    frame.operations(at=node)  # at least one: it is not looked into
    return UNKNOWN


def _opted_out(frame: Frame, node: ast.AST, instance: External) -> None:
    inner = instance.parts[0] if instance.parts else None
    if isinstance(inner, Func):
        frame.calls(f"{inner.info.module.name}.{inner.info.qualname}", node, "opt-out")


def _function_of(node: ast.AST) -> ast.AST:
    return node.func if isinstance(node, ast.Call) else node


def _checkpoint(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if not args.positional:
        return UNKNOWN
    from compile_lint.inference.calls import Arguments, apply

    inner = {k: v for k, v in args.keywords.items() if k not in _CHECKPOINT_OPTIONS}
    return apply(frame, node, args.positional[0], Arguments(args.positional[1:], inner, args.open, args.nodes[1:]))


_CHECKPOINT_OPTIONS = {"use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop"}


def _checkpoint_sequential(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """The parts run behind the break, in graphs of their own."""
    frame.emit("call", node, subject=_function_of(node), callee=name, ids=("GB0007",))
    functions, given = args.get(0, "functions"), args.get(2, "input")
    if isinstance(functions, External) and given is not None:
        _apply(frame, node, functions, given)
    return frame.tensor(node)


def _cond(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    operands = args.get(3, "operands")
    given = list(items_of(operands)) if operands is not None else []
    results = [
        _apply(frame, node, branch, *given)
        for branch in (args.get(1, "true_fn"), args.get(2, "false_fn"))
        if branch is not None
    ]
    frame.operations()
    return join_all(results)


def _while_loop(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    carried = args.get(2, "carried_inputs")
    given = list(items_of(carried)) if carried is not None else []
    for function in (args.get(0, "cond_fn"), args.get(1, "body_fn")):
        if function is not None:
            _apply(frame, node, function, *given)
    frame.operations()
    return carried if carried is not None else UNKNOWN


def _transform(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    first = args.positional[0] if args.positional else UNKNOWN
    if name.endswith(".vmap") and isinstance(first, External) and first.name == "autograd.apply":
        owner = first.parts[0]
        callee = owner.info.name if isinstance(owner, Class) else ""
        frame.emit("function-form", node, subject=node, callee=callee, ids=("GB0150",))
    return Bound(first) if args.positional else UNKNOWN


def _tree_map(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    tree = args.positional[1]
    leaves = list(items_of(tree)) or [tree]
    results = [_apply(frame, node, args.positional[0], leaf) for leaf in leaves[:4]]
    if isinstance(tree, Map):
        return Map({k: join_all(results) for k in tree.items}, join_all(results), tree.open)
    return Seq(tree.type, None, join_all(results)) if isinstance(tree, Seq) else join_all(results)


def _opaque(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return External("opaque", tuple(args.positional[:1])) if args.positional else External("opaque()")


def _make_opaque(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    return External("opaque", tuple(args.positional[:1]))


def _call_opaque(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    frame.operations()
    _opted_out(frame, node, instance)
    inner = instance.parts[0] if instance.parts else None
    if isinstance(inner, Func):
        annotated = frame.engine.returned_by_annotation(inner)
        if annotated is not None:
            return annotated
    return UNKNOWN


def _script(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """torch.jit.script / trace: a function becomes one operation, a module cannot be traced at all."""
    if not args.positional:
        return External("opaque()")
    target = args.positional[0]
    if isinstance(target, (Func, Class)):
        return External("opaque", (target,))
    return External("torch.jit.traced" if name.endswith("trace") else "torch.jit.scripted")


def _call_scripted(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    traced = instance.name.endswith("traced")
    frame.emit(
        "script-module", node, subject=_function_of(node), ids=("GB0008",) if traced else ("GB4695",), skip=not traced
    )
    return frame.tensor(node)


# torch --------------------------------------------------------------------------------------------------------------


def _tensor_of(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "data")
    frame.operations()
    if isinstance(value, Tensor) and name == "torch.as_tensor":
        return value
    dtype = frame_dtype(args)
    if dtype is None:
        dtype = _dtype_of_data(value)
    scalar = None if value is None or isinstance(value, (Unknown, Ndarray)) else not isinstance(value, (Seq, Map, Size))
    return frame.tensor(node, dtype, scalar, made=known.of_data(value))


def frame_dtype(args: Arguments) -> str | None:
    """The dtype a call asks for."""
    from compile_lint.inference.externals import dtype_of

    return dtype_of(args)


def _dtype_of_data(value: Value | None) -> str:
    if isinstance(value, Seq):
        kinds = {_dtype_of_data(item) for item in items_of(value)}
        return kinds.pop() if len(kinds) == 1 else ""
    if isinstance(value, Tensor):
        return value.dtype
    return {"int": "int", "float": "float", "bool": "bool"}.get(python_type(value), "") if value is not None else ""


def _size(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return SIZE


def _from_numpy(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    frame.operations()
    return frame.tensor(node)


def _parameter(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if frame.stores is None:
        frame.emit("parameter-made", node, subject=node, callee=name, ids=("GB0264",))
    return Tensor("float", False, CERTAIN, frame.origin(node), "input")


def _buffer(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return _registered(frame, node, name, args.get(0, "data") or UNKNOWN)


def _container(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "modules")
    if name.endswith("ModuleDict"):
        return value if isinstance(value, Map) else Map({}, UNKNOWN, True)
    if isinstance(value, Seq):
        return Seq("ModuleList", value.items, value.elem)
    return Seq("ModuleList", None if value is not None else (), UNKNOWN)


def _sequential(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    parts = args.positional
    if len(parts) == 1 and isinstance(parts[0], Map):
        parts = list(parts[0].items.values())
    if args.open:
        return External(name, tuple(parts) if parts else ())
    return External(name, tuple(parts))


def _call_sequential(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    value = args.get(0, "input") or UNKNOWN
    if not instance.parts:
        return frame.tensor(node)
    for part in instance.parts:
        value = _apply(frame, node, part, value)
    return value if not isinstance(value, Unknown) else frame.tensor(node, sure=LIKELY)


def _parallel(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return args.positional[0] if args.positional else UNKNOWN


def _false(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return Const(False)


def _tracing(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return Tracing()


def repeat_interleave(frame: Frame, node: ast.AST, name: str, args: Arguments, receiver: Tensor | None = None) -> Value:
    """The result's size is data unless the repeats are a Python int or `output_size` is given."""
    position = 0 if receiver is not None else 1
    repeats = args.get(position, "repeats")
    if repeats is None and receiver is None:
        repeats = args.get(0, "repeats")
    if isinstance(repeats, Tensor) and repeats.sure >= LIKELY and args.get(9, "output_size") is None:
        needs = "capture_dynamic_output_shape_ops"
        frame.emit("repeats", node, value=repeats, subject=node, callee=name, ids=("GB0036",), needs=needs)
    frame.operations()
    first = receiver or args.get(0, "input")
    return frame.tensor(node, first.dtype if isinstance(first, Tensor) else "", False)


def _is_tensor(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "obj")
    if isinstance(value, Tensor) and value.sure == CERTAIN and not value.optional:
        return Const(True)
    return BOOL


def _assert_async(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    frame.operations()
    return NONE


def _check(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """torch._assert, torch._check and their kin read a tensor condition; a Python one is a guard."""
    condition = args.get(0, "cond")
    if isinstance(condition, Tensor):
        if condition.sure < LIKELY:
            return NONE
        ids = {"torch._assert": ("GB0033",), "torch._check": ("GB0088",)}.get(name, ("GB0124",))
        frame.emit("call", node, value=condition, subject=node, callee=name, ids=ids, skip=name == "torch._check")
    return NONE


def _dispatcher(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return External(name, tuple(args.positional[:1]))


def _call_dispatcher(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    from compile_lint.inference.externals import BREAKING, fact_event

    fact = frame.engine.facts.get(instance.name)
    if fact is not None and fact.outcome in BREAKING:
        fact_event(frame, node, fact)
    return UNKNOWN


def _shuffle(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """Where it breaks nothing, it is run once, while tracing."""
    from compile_lint.inference.externals import BREAKING, fact_event

    fact = frame.engine.facts.get(name)
    if fact is not None and fact.outcome in BREAKING:
        fact_event(frame, node, fact)
    else:
        frame.emit("shuffle-frozen", node, subject=node, callee=name, splits=False)
    return NONE


def _collective(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """A collective in place is captured; an asynchronous one hands out a work object that is not."""
    from compile_lint.inference.externals import emit_call

    asynchronous = args.keywords.get("async_op")
    if isinstance(asynchronous, Const) and asynchronous.value is True:
        emit_call(frame, node, name, ("GB0172",), CERTAIN, None, False)
        return External("torch.distributed.Work")
    frame.operations()
    return NONE


def _named_tensor_context(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if args.positional and isinstance(args.positional[0], (Func, Class, Bound)):
        return args.positional[0]
    return External(name)


def _call_context(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    """A context manager used as a decorator."""
    return args.positional[0] if args.positional else UNKNOWN


def _logger(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return External("logging.Logger")


def _log(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    if name in ("setLevel", "addHandler", "removeHandler", "getEffectiveLevel", "getChild", "addFilter", "hasHandlers"):
        return UNKNOWN
    frame.emit("logging", node, subject=_function_of(node), callee=f"logging.Logger.{name}", ids=("GB0291",))
    return NONE


def _copy(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    value = args.get(0, "x")
    deep = name.endswith("deepcopy")
    holds = isinstance(value, Tensor) or frame.engine.is_module(value)
    if holds or (isinstance(value, (Seq, Map)) and any(isinstance(i, Tensor) for i in items_of(value)) and deep):
        ids = ("GB4198",) if deep else ("GB0208",)
        frame.emit(
            "deepcopy-tensor",
            node,
            subject=node,
            callee=name,
            ids=ids,
            value=value if isinstance(value, Tensor) else None,
        )
    elif not deep:
        frame.emit("call", node, subject=node, callee=name, ids=("GB0007",))
    return value if value is not None else UNKNOWN


def _cast_type(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return args.get(1, "val") or UNKNOWN


def _replace(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return args.get(0, "obj") or UNKNOWN


def _einops(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    frame.operations()
    first = args.get(0, "tensor")
    return frame.tensor(node, first.dtype if isinstance(first, Tensor) else "", None, LIKELY)


def numpy_call(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """numpy and scipy: on arrays that stand for tensors, on sizes, or on plain Python."""
    from compile_lint.inference.externals import BREAKING, fact_event

    facts = frame.engine.facts
    arrays = [v for v in args.all() if isinstance(v, (Ndarray, Tensor))]
    numbers = any(isinstance(v, Sym) for v in args.all())
    sizes = any(isinstance(v, Size) or (isinstance(v, Seq) and isinstance(v.elem, (Sym, Size))) for v in args.all())
    fact = facts.get(name)
    if name.startswith("numpy.random."):
        return _numpy_random(frame, node, name, args, fact)
    if not arrays and sizes:
        fact = facts.get(f"{name}[py]")
        if fact is not None and fact.outcome in BREAKING:
            frame.emit("numpy-shape", node, subject=node, callee=name, ids=fact.ids)
            return SYM
        # an array as far as Dynamo goes: reading a number out of it is what breaks
        return Ndarray(frame.origin(node, "sizes"), True)
    if not arrays and not name.startswith("scipy."):
        return SYM if numbers else UNKNOWN  # numpy of single numbers is done while tracing
    if fact is not None and fact.outcome in BREAKING:
        # an operator that raised for the probed arguments says little about others
        sure = POSSIBLE if fact.outcome == "error" else CERTAIN if arrays else LIKELY
        fact_event(frame, node, fact, sure)
    elif fact is None and name.startswith("scipy.") and arrays:
        frame.emit("call", node, LIKELY, subject=node, callee=name, ids=("GB0007",))
    scalar = name.rpartition(".")[2] in ("sum", "mean", "max", "min", "prod", "any", "all", "std", "var", "median")
    return Ndarray(frame.origin(node), scalar and len(args.positional) == 1 and not args.keywords)


_SHAPED_BY_ARGUMENTS = ("rand", "randn")
_SIZE_POSITION = {
    "random": 0,
    "random_sample": 0,
    "normal": 2,
    "uniform": 2,
    "randint": 2,
    "choice": 1,
    "standard_normal": 0,
}


def _numpy_random(frame: Frame, node: ast.AST, name: str, args: Arguments, fact: Fact | None) -> Value:
    """One number of numpy's stream is read and breaks; an array is drawn by torch's stream instead, in silence."""
    last = name.rpartition(".")[2]
    sized = bool(args.positional) if last in _SHAPED_BY_ARGUMENTS else "size" in args.keywords
    sized = sized or (last in _SIZE_POSITION and len(args.positional) > _SIZE_POSITION[last])
    known = last in _SHAPED_BY_ARGUMENTS or last in _SIZE_POSITION
    if known and sized:
        frame.emit("random-frozen", node, subject=node, callee=name, splits=False)
        return Ndarray(frame.origin(node))
    if fact is not None and fact.outcome in ("break", "skip", "error"):
        frame.emit("call", node, subject=node, callee=name, ids=fact.ids)
        return Host(fact.returns if fact.returns in ("int", "float") else "")
    return Ndarray(frame.origin(node))


def met_condition(frame: Frame, name: str, args: Arguments) -> Condition | None:
    """The first condition of the tables that a call meets: what it does depends on which arguments it has."""
    for condition in frame.engine.facts.conditions(name):
        if all(_holds(term, args) for term in condition.terms):
            return condition
    return None


def _holds(term: Term, args: Arguments) -> bool:
    value = args.get(-1 if term.position is None else term.position, term.name)
    if term.state == "absent":
        return value is None and not args.open
    if term.state == "present":
        return value is not None and not (isinstance(value, Const) and value.value is None)
    if term.state == "tensor":
        return isinstance(value, Tensor) and value.sure >= LIKELY
    if isinstance(value, Module):
        return value.name == term.state
    return isinstance(value, Const) and repr(value.value) == term.state


# instances ----------------------------------------------------------------------------------------------------------

_NATIVE = frozenset(("ctypes.CDLL", "ctypes.PyDLL", "ctypes.WinDLL", "cffi.lib"))


def _storage_method(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    frame.emit("pointer", node, subject=node, callee=f"{receiver.name}.{name}", ids=("GB0156",))
    return INT


def _remove_hook(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    if name == "remove" and frame.stores is None:
        frame.emit("hook", node, subject=node, callee=f"{receiver.name}.{name}", ids=("GB0013",))
    return NONE


def _remove_tensor_hook(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    if name == "remove":
        frame.emit("hook-removed", node, subject=node)
    return NONE


def _ctypes_array(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    """`(ctypes.c_float * 4).from_address(pointer)`."""
    if not name.startswith("from_"):
        return UNKNOWN
    frame.emit("native-call", node, subject=node, callee=f"ctypes.Array.{name}", ids=("GB0156",))
    return External("memory")


def _ctypes_cast(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    frame.emit("native-call", node, subject=node, callee=name, ids=("GB0156", "GB0007"))
    return External("memory")


def _cffi(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    return External("cffi.lib")


InstanceHandler = Callable[["Frame", ast.AST, External, "Arguments"], Value]
MethodHandler = Callable[["Frame", ast.AST, External, str, "Arguments"], Value]


def find_instance(name: str) -> InstanceHandler | None:
    """What calling an instance of an outside class does."""
    if name.startswith("operator:"):
        return _operator
    if name.startswith("operator inside:"):
        return _inner_operator
    if name.startswith("operator maker:"):
        return _operator_maker
    found = _INSTANCES.get(name)
    return found or (_call_context if name in _CONTEXT_DECORATORS else None)


def find_method(owner: str, name: str) -> MethodHandler | None:
    """What a method of an outside class does."""
    if owner == "logging.Logger":
        return _log
    if owner.startswith("torch.optim.") and not owner.startswith("torch.optim.lr_scheduler"):
        return _optimizer
    if owner == "torch.UntypedStorage":
        return _storage_method
    if owner == "hook on a result":
        return _remove_tensor_hook
    if owner == "ctypes type":
        return _ctypes_array
    if owner == "torch.utils.hooks.RemovableHandle":
        return _remove_hook
    if owner == "native" or owner in _NATIVE:
        return _native
    if owner == "torch.library.Library":
        return _define if name in ("define", "impl", "fallback") else None
    if owner == "cffi.FFI":
        return _cffi if name in ("dlopen", "verify") else None
    if owner in ("torch.nn.Module",) or owner.startswith("torch.nn."):
        return _MODULE_METHODS.get(name)
    return None


def _optimizer(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    ids = {"step": ("GB0025",), "zero_grad": ("GB0008",)}.get(name)
    if ids is not None:
        frame.emit("optimizer", node, subject=_function_of(node), callee=f"{receiver.name}.{name}", ids=ids)
    return UNKNOWN


def _module_parameters(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    weight = Tensor("float", None, CERTAIN, frame.origin(node), "input")
    if name.startswith("named_"):
        each: Value = weight if name != "named_modules" and name != "named_children" else UNKNOWN
        return Seq("list", None, sequence("tuple", (STR, each)))
    return Seq("list", None, weight if name in ("parameters", "buffers") else UNKNOWN)


def _module_hook(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    if frame.stores is None:
        frame.emit("hook", node, subject=_function_of(node), callee=f"torch.nn.Module.{name}", ids=("GB0467",))
        if "backward" in name and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            _hold_hooked(frame, node.func.value)
    elif "backward" in name:
        holder = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if isinstance(holder, ast.Attribute) and holder.attr in frame.stores:
            frame.stores[holder.attr] = External("hooked", (frame.stores[holder.attr],))
    else:
        holder = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if isinstance(holder, ast.Attribute) and holder.attr in frame.stores and args.positional:
            kind = "watched before" if "pre" in name else "watched"
            frame.stores[holder.attr] = External(kind, (frame.stores[holder.attr], args.positional[0]))
    return External("torch.utils.hooks.RemovableHandle")


def _hold_hooked(frame: Frame, holder: ast.expr) -> None:
    """Calls of `self.layer` further on meet the hook."""
    from compile_lint.inference.expressions import evaluate

    if isinstance(holder, ast.Attribute) and isinstance(holder.value, ast.Name) and not frame.muted:
        frame.env[f"{holder.value.id}.{holder.attr}"] = External("hooked", (evaluate(frame, holder),))


def _self(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    return receiver


_MODULE_METHODS: dict[str, MethodHandler] = {
    **dict.fromkeys(
        [
            "parameters",
            "buffers",
            "named_parameters",
            "named_buffers",
            "modules",
            "named_modules",
            "children",
            "named_children",
        ],
        _module_parameters,
    ),
    **dict.fromkeys(
        (
            "register_forward_hook",
            "register_forward_pre_hook",
            "register_full_backward_hook",
            "register_full_backward_pre_hook",
            "register_backward_hook",
        ),
        _module_hook,
    ),
    **dict.fromkeys(
        ["eval", "train", "to", "cuda", "cpu", "half", "float", "double", "requires_grad_", "apply"], _self
    ),
}


def module_method(frame: Frame, node: ast.AST, receiver: Instance, name: str, args: Arguments) -> Value:
    """A method that an nn.Module of the project inherits: registering state while its constructor is read."""
    if frame.stores is not None and args.positional:
        key = args.positional[0]
        if name in ("register_buffer", "register_parameter", "add_module", "register_module") and isinstance(
            key, Const
        ):
            value = args.get(1, "tensor") or args.get(1, "param") or args.get(1, "module") or UNKNOWN
            made, held = _registered(frame, node, name, value), frame.stores.get(str(key.value))
            frame.stores[str(key.value)] = made if held is None else join(held, made)
            return NONE
    handler = _MODULE_METHODS.get(name)
    if handler is not None and frame.engine.is_module(receiver):
        result = handler(frame, node, External("torch.nn.Module"), name, args)
        return receiver if handler is _self else result
    return UNKNOWN


def _registered(frame: Frame, node: ast.AST, name: str, value: Value) -> Value:
    if name in ("add_module", "register_module"):
        return value
    optional = isinstance(value, Const) and value.value is None
    dtype = value.dtype if isinstance(value, Tensor) else ""
    scalar = value.scalar if isinstance(value, Tensor) else None
    return Tensor(dtype, scalar, CERTAIN, frame.origin(node, "buffer"), "attribute", optional)


def module_call_event(frame: Frame, node: ast.AST, instance: External, fact: Fact) -> None:
    """Calling an nn module that Dynamo does not trace."""
    recurrent = instance.name.rpartition(".")[2] in ("LSTM", "GRU", "RNN", "RNNBase")
    event = "rnn-module" if recurrent else "call"
    needs = "allow_rnn" if recurrent else ""
    frame.emit(
        event,
        node,
        needs=needs,
        subject=_function_of(node),
        callee=fact.name,
        ids=fact.ids,
        skip=recurrent or fact.outcome == "skip",
    )


_CONTEXT_DECORATORS = frozenset(
    [
        "torch.no_grad",
        "torch.enable_grad",
        "torch.inference_mode",
        "torch.set_grad_enabled",
        "torch.autocast",
        "torch.amp.autocast",
        "torch.autograd.no_grad",
        "torch.profiler.record_function",
        "torch.autograd.profiler.record_function",
        "torch.cuda.amp.autocast",
    ]
)


def _autograd_apply(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    owner = instance.parts[0]
    return frame.engine.autograd_apply(frame, node, owner.info, args) if isinstance(owner, Class) else UNKNOWN


def _operator(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    return frame.engine.call_operator(frame, node, instance.name.partition(":")[2], args)


def _foreign(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    frame.emit("foreign-jit", node, subject=_function_of(node), ids=("GB0156",), skip=True)
    _left(frame, node, "foreign-jit")
    return UNKNOWN


def _native(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    skip = receiver.name != "native"
    frame.emit(
        "native-call", node, LIKELY, subject=node, callee=name, ids=("GB0142",) if skip else ("GB0007",), skip=skip
    )
    _left(frame, node, "native-call")
    return UNKNOWN


def _left(frame: Frame, node: ast.AST, kind: str) -> None:
    """Note a call of code that is not Python, by the name that it is called by."""
    name = frame.module.dotted(node.func) if isinstance(node, ast.Call) else ""
    if name:
        frame.calls(name, node, kind)


def _custom_op(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    """`torch.library.custom_op("ns::f", ...)`, to be called with a function or given one at once."""
    qualified = args.get(0, "name")
    text = qualified.value if isinstance(qualified, Const) and isinstance(qualified.value, str) else ""
    given = args.get(1, "fn")
    return External(("operator:" if isinstance(given, Func) else "operator maker:") + text)


_LOADING = {
    "torch.ops.load_library": "GB0007",
    "torch.classes.load_library": "GB0007",
    "torch.utils.cpp_extension.load": "GB0007",
    "torch.utils.cpp_extension.load_inline": "GB0007",
    "ctypes.CDLL": "GB8977",
    "ctypes.PyDLL": "GB8977",
    "torch.library.Library": "GB0008",
}
"""What loads native code, or makes a library of operators -> the id of the graph break."""


def _load(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    if frame.info is not None and frame.stores is None:
        skip = name.startswith("torch.utils.")
        frame.emit("library-loaded-inside", node, subject=node, callee=name, ids=(_LOADING[name],), skip=skip)
    return External("native" if name.startswith("torch.utils.") else name)


def _define(frame: Frame, node: ast.AST, receiver: External, name: str, args: Arguments) -> Value:
    """`lib.define(...)`, `lib.impl(...)`."""
    if frame.info is not None and frame.stores is None:
        frame.emit("library-loaded-inside", node, subject=node, callee=name, ids=("GB0008",))
    return UNKNOWN


def _native_object(frame: Frame, node: ast.AST, name: str, args: Arguments) -> Value:
    return External("native")


def _hooked(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    from compile_lint.inference.calls import apply

    frame.emit("backward-hook", node, subject=_function_of(node), ids=("GB0083",))
    return apply(frame, node, instance.parts[0], args)


def _watched(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    """Call a module that carries a forward hook: Dynamo traces the hook with it."""
    from compile_lint.inference.calls import apply

    module, hook = instance.parts
    inputs = sequence("tuple", tuple(args.positional))
    if instance.name == "watched before":
        _apply(frame, node, hook, UNKNOWN, inputs)
        return apply(frame, node, module, args)
    output = apply(frame, node, module, args)
    changed = _apply(frame, node, hook, UNKNOWN, inputs, output)
    return output if isinstance(changed, (Const, Unknown)) else changed


def _inner_operator(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    frame.emit("op-defined-inside", node, subject=_function_of(node), ids=("GB4315",))
    return _operator(frame, node, instance, args)


def _operator_maker(frame: Frame, node: ast.AST, instance: External, args: Arguments) -> Value:
    return External("operator:" + instance.name.partition(":")[2])


_INSTANCES: dict[str, InstanceHandler] = {
    "watched": _watched,
    "watched before": _watched,
    "autograd.apply": _autograd_apply,
    "foreign": _foreign,
    "functools.singledispatch": _call_dispatcher,
    "hooked": _hooked,
    "decorator": _apply_decorator,
    "torch.compile()": _compile_decorator,
    "torch.compiler.disable()": _disable_decorator,
    "disabled": _call_disabled,
    "opaque()": _make_opaque,
    "opaque": _call_opaque,
    "torch.jit.scripted": _call_scripted,
    "torch.jit.traced": _call_scripted,
    "torch.nn.Sequential": _call_sequential,
}

_CALLS: dict[str, Handler] = {
    **dict.fromkeys(("builtins.int", "builtins.float", "builtins.bool", "builtins.complex"), _cast),
    "ctypes.cast": _ctypes_cast,
    "builtins.len": _len,
    "builtins.range": _range,
    **dict.fromkeys(("builtins.any", "builtins.all"), _any_all),
    "builtins.sum": _sum,
    **dict.fromkeys(("builtins.max", "builtins.min"), _extreme),
    "builtins.sorted": _sorted,
    **dict.fromkeys(("builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset"), _convert),
    "collections.deque": _convert,
    **dict.fromkeys(("builtins.dict", "collections.OrderedDict"), _dict),
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.reversed": _reversed,
    "builtins.next": _next,
    "builtins.iter": _iter,
    "builtins.isinstance": _isinstance,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    **dict.fromkeys(("builtins.str", "builtins.repr", "builtins.format"), _text),
    **dict.fromkeys(("builtins.round", "builtins.divmod"), _round),
    "builtins.abs": _abs,
    "builtins.id": _id,
    "builtins.type": _type,
    "builtins.print": _print,
    "functools.partial": _partial,
    "functools.reduce": _reduce,
    **dict.fromkeys(
        (
            "functools.wraps",
            "functools.lru_cache",
            "functools.cache",
            "contextlib.contextmanager",
            "typing.overload",
            "typing.final",
            "typing.no_type_check",
            "builtins.staticmethod",
            "builtins.classmethod",
            "builtins.property",
            "torch.jit.export",
            "torch.jit.ignore",
            "torch.jit.unused",
            "torch.amp.custom_fwd",
            "torch.amp.custom_bwd",
            "torch.cuda.amp.custom_fwd",
            "torch.cuda.amp.custom_bwd",
            "torch.no_grad",
            "torch.autograd.function.once_differentiable",
            "abc.abstractmethod",
            "typing_extensions.deprecated",
            "warnings.deprecated",
            "torch.compiler.substitute_in_graph",
        ),
        _decorator_factory,
    ),
    **dict.fromkeys(_CONTEXT_DECORATORS, _named_tensor_context),
    "torch.compile": _compile,
    **dict.fromkeys(("torch.compiler.disable", "torch._dynamo.disable", "torch._disable_dynamo"), _disable),
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.utils.checkpoint.checkpoint_sequential": _checkpoint_sequential,
    **dict.fromkeys(
        ("torch.cond", "torch._higher_order_ops.cond.cond", "functorch.experimental.control_flow.cond"), _cond
    ),
    **dict.fromkeys(
        ("torch._higher_order_ops.while_loop.while_loop", "torch._higher_order_ops.while_loop"), _while_loop
    ),
    **dict.fromkeys(
        (
            "torch.vmap",
            "torch.func.vmap",
            "torch.func.grad",
            "torch.func.grad_and_value",
            "torch.func.jacrev",
            "torch.func.jacfwd",
            "torch.func.hessian",
            "torch.func.functionalize",
        ),
        _transform,
    ),
    **dict.fromkeys(("torch.utils._pytree.tree_map", "torch.utils._pytree.tree_map_only"), _tree_map),
    **dict.fromkeys(
        (
            "torch.compiler.allow_in_graph",
            "torch._dynamo.allow_in_graph",
            "torch.compiler.assume_constant_result",
            "torch._dynamo.assume_constant_result",
            "torch._dynamo.nonstrict_trace",
            "torch._dynamo.leaf_function",
        ),
        _opaque,
    ),
    **dict.fromkeys(
        ("torch.jit.script", "torch.jit.trace", "torch.jit.freeze", "torch.jit.script_if_tracing"), _script
    ),
    **dict.fromkeys(("torch.tensor", "torch.as_tensor", "torch.asarray", "torch.scalar_tensor"), _tensor_of),
    "torch.Size": _size,
    "torch.from_numpy": _from_numpy,
    **dict.fromkeys(("torch.nn.Parameter", "torch.nn.parameter.Parameter"), _parameter),
    **dict.fromkeys(("torch.nn.Buffer", "torch.nn.parameter.Buffer"), _buffer),
    **dict.fromkeys(("torch.nn.ModuleList", "torch.nn.ParameterList", "torch.nn.ModuleDict"), _container),
    "torch.nn.Sequential": _sequential,
    **dict.fromkeys(
        (
            "torch.nn.DataParallel",
            "torch.nn.parallel.DistributedDataParallel",
            "torch.nn.utils.weight_norm",
            "torch.nn.utils.spectral_norm",
            "torch.nn.utils.parametrizations.weight_norm",
            "torch.nn.utils.parametrizations.spectral_norm",
        ),
        _parallel,
    ),
    **dict.fromkeys(
        (
            "torch.jit.is_scripting",
            "torch.jit.is_tracing",
            "torch.onnx.is_in_onnx_export",
            "torch.compiler.is_exporting",
            "torch._C._get_tracing_state",
        ),
        _false,
    ),
    **dict.fromkeys(
        (
            "torch.compiler.is_compiling",
            "torch._dynamo.is_compiling",
            "torch.compiler.is_dynamo_compiling",
            "torch._dynamo.external_utils.is_compiling",
            "torch._utils.is_compiling",
        ),
        _tracing,
    ),
    **dict.fromkeys(("torch.is_tensor",), _is_tensor),
    "torch._assert_async": _assert_async,
    "functools.singledispatch": _dispatcher,
    "random.shuffle": _shuffle,
    **dict.fromkeys(
        ("torch.distributed.all_reduce", "torch.distributed.all_gather", "torch.distributed.broadcast"), _collective
    ),
    "torch.repeat_interleave": repeat_interleave,
    **dict.fromkeys(
        ("torch._assert", "torch._check", "torch._check_tensor_all", "torch._check_value", "torch._check_index"), _check
    ),
    **dict.fromkeys(("logging.getLogger", "torch._logging.getArtifactLogger"), _logger),
    **dict.fromkeys(("copy.copy", "copy.deepcopy"), _copy),
    "typing.cast": _cast_type,
    **dict.fromkeys(("torch.library.custom_op", "torch.library.triton_op"), _custom_op),
    "importlib.util.module_from_spec": _native_object,
    **dict.fromkeys(_LOADING, _load),
    "dataclasses.replace": _replace,
    **dict.fromkeys(("einops.rearrange", "einops.repeat", "einops.reduce", "einops.einsum", "einops.pack"), _einops),
}
